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

    /// How long after the start a send is due.
    func due(_ index: Int) -> Duration { .nanoseconds(Int64(Double(index) / rate * 1e9)) }

    /// The sends that are due by now and were not taken yet.
    ///
    /// - Parameter time: since the start.
    mutating func take(after time: Duration) -> Range<Int> {
        let first = sent
        while sent < count, due(sent) <= time { sent += 1 }
        return first..<sent
    }

    /// How long after the start the next send is due; nil when all were taken.
    var next: Duration? { sent < count ? due(sent) : nil }
}
