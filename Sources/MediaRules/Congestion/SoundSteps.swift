import BaseKit

/// Chooses how the voice is encoded, with hysteresis: beside pictures by the rate of all that is sent, alone by whether it is too much.
struct SoundSteps: Sendable, Equatable {
    /// How long the rate is lower or higher before a change.
    static let patienceDown: Duration = .milliseconds(500), patienceUp: Duration = .seconds(4)
    /// How far above its need the rate must be to go up to a step.
    static let headroom = 1.4
    /// Alone: how long a change takes to show, as a queue has to empty first, and the part of what came through that the voice may take.
    static let settling: Duration = .seconds(2), part = 0.85
    /// Alone: the time without congestion before a better step is tried, at first and at most, and within what time congestion is that
    /// step's.
    static let alonePatience: Duration = .seconds(2), mostPatience: Duration = .seconds(32)
    static let trial: Duration = .seconds(10)

    private var index = 0
    /// The best step that is of use.
    private var ceiling = 0
    private var lowSince: Instant?
    private var highSince: Instant?
    private var alone: Alone?

    /// What a voice alone has shown of the way.
    private struct Alone: Sendable, Equatable {
        /// Since when it is alone, or the step is what it is.
        var since: Instant
        /// Whether a queue has to empty first.
        var isSettling = false
        var patience = SoundSteps.alonePatience
        var raisedAt: Instant?
    }

    var step: SoundStep { SoundStep.all[index] }

    /// Since when the voice is alone and as good as it is to be; nil where it is not.
    var bestSince: Instant? { index == ceiling ? alone?.since : nil }

    /// Allows no better step than this one from now on. Gives the step where it changes.
    mutating func limit(to ceiling: Int) -> SoundStep? {
        self.ceiling = min(max(ceiling, 0), SoundStep.all.count - 1)
        guard index < self.ceiling else { return nil }
        index = self.ceiling
        return step
    }

    /// Takes the best step for a rate, in bits a second of all that is sent, at once.
    mutating func begin(bitrate: Int) -> SoundStep {
        index = max(Self.best(for: bitrate), ceiling)
        (lowSince, highSince, alone) = (nil, nil, nil)
        return step
    }

    private static func best(for bitrate: Int) -> Int {
        SoundStep.all.firstIndex { bitrate >= $0.least } ?? SoundStep.all.count - 1
    }

    /// The step from now on, for a rate in bits a second of all that is sent; nil when nothing changes.
    mutating func update(bitrate: Int, now: Instant) -> SoundStep? {
        alone = nil
        let rate = Double(bitrate)
        let best = Self.best(for: bitrate)
        lowSince = best > index ? lowSince ?? now : nil
        let isHigh = index > ceiling && rate >= Self.headroom * Double(SoundStep.all[index - 1].least)
        highSince = isHigh ? highSince ?? now : nil
        if let since = lowSince, now - since >= Self.patienceDown {
            index = best
        } else if let since = highSince, now - since >= Self.patienceUp {
            index -= 1
        } else {
            return nil
        }
        (lowSince, highSince) = (nil, nil)
        return step
    }

    /// The same of a voice without pictures: what little it sends says nothing of what a link carries beyond it. So it goes down where that is
    /// too much, to what came through, and up again on trial, later and later each time that was too early.
    mutating func update(alone congestion: Congestion?, now: Instant) -> SoundStep? {
        (lowSince, highSince) = (nil, nil)
        var alone = alone ?? Alone(since: now)
        defer { self.alone = alone }
        if let congestion, index < SoundStep.all.count - 1, congestion.at >= alone.since,
            !alone.isSettling || congestion.at - alone.since >= Self.settling
        {
            if let raised = alone.raisedAt, now - raised <= Self.trial {
                alone.patience = min(alone.patience * 2, Self.mostPatience)
            }
            let room = Int(Self.part * Double(congestion.carried))
            let fitting = SoundStep.all.firstIndex { $0.share <= room } ?? SoundStep.all.count - 1
            index = max(index + 1, fitting)
            (alone.since, alone.isSettling, alone.raisedAt) = (now, true, nil)
            return step
        }
        let calm = now - max(alone.since, congestion?.at ?? alone.since)
        if let raised = alone.raisedAt, now - raised > Self.trial, calm > Self.trial {
            (alone.raisedAt, alone.patience) = (nil, Self.alonePatience)
        }
        guard index > ceiling, calm >= alone.patience else { return nil }
        index -= 1
        // Where the queue was empty, congestion is the better step's at once.
        (alone.since, alone.isSettling, alone.raisedAt) = (now, false, now)
        return step
    }
}
