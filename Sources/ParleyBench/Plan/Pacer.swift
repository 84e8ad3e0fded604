/// Says how many sends are due at a fixed rate, whatever the earlier ones took.
struct Pacer: Equatable, Sendable {
    /// Sends a second.
    let rate: Double
    /// Sends altogether.
    let count: Int
    private(set) var sent = 0

    init(rate: Double, seconds: Double) {
        self.rate = max(rate, 0.001)
        count = max(1, Int(self.rate * seconds))
    }

    /// Nanoseconds after the start at which a send is due.
    func due(_ index: Int) -> Int64 { Int64(Double(index) / rate * 1e9) }

    /// The sends that are due by now and were not taken yet.
    ///
    /// - Parameter now: nanoseconds after the start.
    mutating func take(now: Int64) -> Range<Int> {
        let first = sent
        while sent < count, due(sent) <= now { sent += 1 }
        return first..<sent
    }

    /// When the next send is due, in nanoseconds after the start; nil when all were taken.
    var next: Int64? { sent < count ? due(sent) : nil }
}
