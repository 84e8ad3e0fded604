/// When sound was captured, found out from when its pieces came.
///
/// A sound server's own times are as late as it began to deliver, by up to 200 ms. Pieces come late, and several at once where the machine had
/// no time, but none comes before it has been captured: those that were under way for the least time say when a sample was taken.
package struct SoundClock: Sendable, Equatable {
    /// Nanoseconds for which such a piece counts, and as long again: the clocks of microphone and machine drift apart by up to a tenth of a
    /// millisecond a second.
    static let window: Int64 = 5_000_000_000

    private let rate: Int64
    /// Samples so far.
    private var count: Int64 = 0
    /// From a sample's number to its time, at the least: in this window and in the one before. Nanoseconds.
    private var least: Int64?
    private var leastBefore: Int64?
    private var began: Int64 = 0

    /// `rate` in samples a second.
    package init(rate: Int) { self.rate = Int64(max(rate, 1)) }

    /// The time of the first sample of a piece that came at `arrival`, in nanoseconds. `isNew`: samples are missing before it.
    package mutating func piece(samples: Int, at arrival: Int64, isNew: Bool) -> Int64 {
        if isNew { self = SoundClock(rate: Int(rate)) }
        let start = time(of: count)
        count += Int64(max(samples, 0))
        if least == nil { began = arrival }
        if arrival - began >= Self.window { (leastBefore, least, began) = (least, nil, arrival) }
        let offset = arrival - time(of: count)
        least = min(least ?? offset, offset)
        return start + min(least ?? offset, leastBefore ?? offset)
    }

    private func time(of sample: Int64) -> Int64 {
        let (seconds, rest) = sample.quotientAndRemainder(dividingBy: rate)
        return seconds * 1_000_000_000 + rest * 1_000_000_000 / rate
    }
}
