import BaseKit

/// How large and how often pictures are sent at a rate: fewer pixels before fewer pictures.
package struct VideoStep: Sendable, Equatable {
    /// What width and height are divided by.
    package var divisor: Int
    /// Most pictures a second.
    package var frameRate: Int
    /// Bits a second needed.
    package var bitrate: Int

    /// From best to worst, for 640x480 (measured with a film of much movement: half the width keeps 30 pictures a second down
    /// to 110 kbit/s, full width loses a third of them at 600).
    static let all = [
        VideoStep(divisor: 1, frameRate: 30, bitrate: 650_000),
        VideoStep(divisor: 2, frameRate: 30, bitrate: 140_000),
        VideoStep(divisor: 2, frameRate: 24, bitrate: 80_000),
        VideoStep(divisor: 4, frameRate: 20, bitrate: 0),
    ]
}

/// Chooses the step, with hysteresis: down soon, up only when the rate has been well above for a while.
struct VideoSteps: Sendable, Equatable {
    /// How long the rate is lower or higher before a change.
    static let patienceDown: Duration = .milliseconds(500), patienceUp: Duration = .seconds(4)
    /// The part of a step's need below which it is left at once.
    static let far = 0.6
    /// How far above a step's need the rate must be to go up to it.
    static let headroom = 1.25

    private(set) var index = 0
    private var tooLowSince: Instant?
    private var highSince: Instant?

    var step: VideoStep { VideoStep.all[index] }

    /// Begins with the best step for a rate in bits a second.
    mutating func begin(bitrate: Int) -> VideoStep {
        index = Self.best(for: bitrate)
        return step
    }

    private static func best(for bitrate: Int) -> Int {
        VideoStep.all.firstIndex { bitrate >= $0.bitrate } ?? VideoStep.all.count - 1
    }

    /// The step for a rate in bits a second, at `now`; nil when nothing changes.
    mutating func update(bitrate: Int, now: Instant) -> VideoStep? {
        if bitrate < step.bitrate {
            highSince = nil
            let since = tooLowSince ?? now
            tooLowSince = since
            // Far too low a rate is no swing.
            let isFar = Double(bitrate) < Self.far * Double(step.bitrate)
            guard isFar || now - since >= Self.patienceDown else { return nil }
            return move(to: Self.best(for: bitrate))
        }
        tooLowSince = nil
        guard index > 0, Double(bitrate) >= Self.headroom * Double(VideoStep.all[index - 1].bitrate) else {
            highSince = nil
            return nil
        }
        let since = highSince ?? now
        highSince = since
        guard now - since >= Self.patienceUp else { return nil }
        return move(to: index - 1)
    }

    private mutating func move(to next: Int) -> VideoStep? {
        tooLowSince = nil
        highSince = nil
        guard VideoStep.all.indices.contains(next) else { return nil }
        index = next
        return step
    }
}

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
