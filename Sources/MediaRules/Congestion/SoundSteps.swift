import BaseKit

/// Chooses how the voice is encoded: by the rate while pictures are sent. Without them the rate does not grow, as sound alone shows
/// nothing of what more would come through: then a full way is left by one step, and each is tried again after a while.
struct SoundSteps: Sendable, Equatable {
    /// How long the rate is lower or higher before a change.
    static let patienceDown: Duration = .milliseconds(500), patienceUp: Duration = .seconds(4)
    /// How far above its need the rate must be to go up to a step.
    static let headroom = 1.4
    /// How long a change takes to show.
    static let effect: Duration = .seconds(1)
    /// How long a way without pictures was calm before the next better step is tried, at first and at most, and within what time after that
    /// it was too early.
    static let calm: Duration = .seconds(8), mostCalm: Duration = .seconds(64), trial: Duration = .seconds(10)

    /// What is known of the way.
    struct Way: Sendable, Equatable {
        /// Bits a second that may be sent.
        var bitrate: Int
        /// When it was last seen to be full.
        var congestedAt: Instant?
        /// Whether pictures are sent.
        var hasPictures: Bool
    }

    private(set) var index = 0
    /// The best step that is of use.
    private var ceiling = 0
    private var lowSince: Instant?
    private var highSince: Instant?
    private var changedAt: Instant?
    private var calm = SoundSteps.calm
    private var raisedAt: Instant?

    var step: SoundStep { SoundStep.all[index] }

    /// Allows no better step than this one from now on. Gives the step where it changes.
    mutating func limit(to ceiling: Int) -> SoundStep? {
        self.ceiling = min(max(ceiling, 0), SoundStep.all.count - 1)
        guard index < self.ceiling else { return nil }
        index = self.ceiling
        return step
    }

    /// The step from now on; nil when nothing changes.
    mutating func update(_ way: Way, now: Instant) -> SoundStep? {
        let former = index
        if way.hasPictures { follow(way.bitrate, now: now) } else { follow(congestion: way, now: now) }
        guard index != former else { return nil }
        (lowSince, highSince) = (nil, nil)
        changedAt = now
        return step
    }

    private mutating func follow(_ bitrate: Int, now: Instant) {
        raisedAt = nil
        let best = SoundStep.all.firstIndex { bitrate >= $0.least } ?? SoundStep.all.count - 1
        lowSince = best > index ? lowSince ?? now : nil
        let isHigh = index > ceiling && Double(bitrate) >= Self.headroom * Double(SoundStep.all[index - 1].least)
        highSince = isHigh ? highSince ?? now : nil
        if let since = lowSince, now - since >= Self.patienceDown { index = best }
        if let since = highSince, now - since >= Self.patienceUp { index -= 1 }
    }

    private mutating func follow(congestion way: Way, now: Instant) {
        (lowSince, highSince) = (nil, nil)
        let news = way.congestedAt.map { at in changedAt.map { at - $0 > Self.effect } ?? true } ?? false
        if news, way.bitrate < SoundStep.all[0].least, index + 1 < SoundStep.all.count {
            if let raised = raisedAt { calm = now - raised < Self.trial ? min(calm * 2, Self.mostCalm) : Self.calm }
            raisedAt = nil
            index += 1
        } else if index > ceiling, let changed = changedAt, now - max(changed, way.congestedAt ?? changed) >= calm {
            raisedAt = now
            index -= 1
        }
    }
}
