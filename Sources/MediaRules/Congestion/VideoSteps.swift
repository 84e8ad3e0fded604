import BaseKit

/// Chooses the step, with hysteresis: down soon, up only when the rate has been well above for a while.
struct VideoSteps: Sendable, Equatable {
    /// How long the rate is lower or higher before a change.
    static let patienceDown: Duration = .milliseconds(500), patienceUp: Duration = .seconds(4)
    /// The part of a step's need below which it is left at once.
    static let far = 0.6
    /// How far above a step's need the rate must be to go up to it, and from where on it is no swing either.
    static let headroom = 1.25, ample = 2.0
    /// How long the rate is ample before a change.
    static let patienceAmple: Duration = .seconds(1)

    private(set) var index = 0
    /// The best step that is of any use.
    private(set) var ceiling = 0
    /// What each step's need is multiplied by.
    var need = 1.0
    private var tooLowSince: Instant?
    private var high: High?
    /// The same where the rate is ample.
    private var ample: High?

    /// Since when the rate would do for more, and the lowest since then.
    private struct High: Sendable, Equatable {
        var since: Instant
        var lowest: Int

        init(_ before: High?, bitrate: Int, now: Instant) {
            since = before?.since ?? now
            lowest = min(before?.lowest ?? bitrate, bitrate)
        }
    }

    var step: VideoStep { VideoStep.all[index] }

    /// Begins with the best step for a rate in bits a second.
    mutating func begin(bitrate: Int) -> VideoStep {
        move(to: best(for: bitrate))
        return step
    }

    /// Allows no better step than this one from now on. Gives the step where it changes.
    mutating func limit(to index: Int) -> VideoStep? {
        ceiling = min(max(index, 0), VideoStep.all.count - 1)
        guard self.index < ceiling else { return nil }
        move(to: ceiling)
        return step
    }

    /// The step for a rate in bits a second, at `now`; nil when nothing changes.
    mutating func update(bitrate: Int, now: Instant) -> VideoStep? {
        let needed = need * Double(step.bitrate)
        if Double(bitrate) < needed {
            (high, ample) = (nil, nil)
            let since = tooLowSince ?? now
            tooLowSince = since
            // Far too low a rate is no swing.
            let isFar = Double(bitrate) < Self.far * needed
            guard isFar || now - since >= Self.patienceDown else { return nil }
            move(to: best(for: bitrate))
            return step
        }
        tooLowSince = nil
        let isHigh = best(for: bitrate, margin: Self.headroom) < index
        let isAmple = best(for: bitrate, margin: Self.ample) < index
        high = isHigh ? High(high, bitrate: bitrate, now: now) : nil
        ample = isAmple ? High(ample, bitrate: bitrate, now: now) : nil
        let due = [(ample, Self.patienceAmple), (high, Self.patienceUp)].first { one, patience in
            one.map { now - $0.since >= patience } ?? false
        }
        guard let lowest = due?.0?.lowest else { return nil }
        move(to: best(for: lowest, margin: Self.headroom))
        return step
    }

    private func best(for bitrate: Int, margin: Double = 1) -> Int {
        max(VideoStep.index(forBitrate: bitrate, need: need * margin), ceiling)
    }

    private mutating func move(to next: Int) {
        tooLowSince = nil
        (high, ample) = (nil, nil)
        index = next
    }
}
