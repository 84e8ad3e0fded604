/// Lets at most so many pictures a second through, evenly.
package struct FrameRateLimit: Sendable, Equatable {
    /// Pictures a second.
    package var frameRate: Int
    private var next: Int64?

    package init(frameRate: Int) { self.frameRate = max(frameRate, 1) }

    /// Whether the picture of this time (microseconds) goes on.
    package mutating func admits(_ time: Int64) -> Bool {
        let period = 1_000_000 / Int64(max(frameRate, 1))
        // A quarter of a period early is in time: sources are not exact.
        guard let due = next, time > due - 10 * period else {
            next = time + period
            return true
        }
        guard time >= due - period / 4 else { return false }
        next = max(due + period, time + period / 2)
        return true
    }
}
