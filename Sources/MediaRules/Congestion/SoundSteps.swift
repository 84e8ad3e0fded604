import BaseKit

/// Chooses how the voice is encoded by the rate of all that is sent, with hysteresis.
struct SoundSteps: Sendable, Equatable {
    /// How long the rate is lower or higher before a change.
    static let patienceDown: Duration = .milliseconds(500), patienceUp: Duration = .seconds(4)
    /// How far above its need the rate must be to go up to a step.
    static let headroom = 1.4

    private var index = 0
    /// The best step that is of use.
    private var ceiling = 0
    private var lowSince: Instant?
    private var highSince: Instant?

    var step: SoundStep { SoundStep.all[index] }

    /// Allows no better step than this one from now on. Gives the step where it changes.
    mutating func limit(to ceiling: Int) -> SoundStep? {
        self.ceiling = min(max(ceiling, 0), SoundStep.all.count - 1)
        guard index < self.ceiling else { return nil }
        index = self.ceiling
        return step
    }

    /// The step from now on, for a rate in bits a second; nil when nothing changes. Without pictures, with nil, the voice need not spare
    /// anything for them.
    mutating func update(bitrate: Int?, now: Instant) -> SoundStep? {
        let rate = bitrate.map(Double.init) ?? .infinity
        let best = SoundStep.all.firstIndex { rate >= Double($0.least) } ?? SoundStep.all.count - 1
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
}
