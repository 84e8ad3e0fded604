import BaseKit

/// Tells losses by chance, as radio links have them, from those of a full link: chance does not ask how much is sent.
///
/// libwebrtc's second loss-based estimate fits such an inherent loss to what was seen at several rates; here a decrease is the trial.
struct ChanceLoss: Sendable, Equatable {
    /// The time until a decrease shows in the losses, and the part of the loss before that is left where it was chance.
    static let time: Duration = .milliseconds(1_500), likeness = 0.8
    /// The most that may be chance: with more no call is possible whatever is sent.
    static let most = 0.35

    private struct Trial: Sendable, Equatable {
        var rate: Double
        var loss: Double
        var since: Instant
    }

    /// The part of the packets that is lost whatever is sent, as far as it is known, 0…1.
    private(set) var part = 0.0
    private var trial: Trial?

    /// The rate falls, from `rate`, because so much is lost.
    mutating func decreased(from rate: Double, loss: Double, now: Instant) {
        guard trial == nil, loss <= Self.most else { return }
        trial = Trial(rate: rate, loss: loss, since: now)
    }

    /// So much is lost now; gives the rate that was not to blame. A queue says that the link is full.
    mutating func look(loss: Double, hasQueue: Bool, now: Instant) -> Double? {
        if loss < part / 2 { part = loss }
        guard let trial else { return nil }
        if hasQueue { self.trial = nil }
        guard !hasQueue, now - trial.since >= Self.time else { return nil }
        self.trial = nil
        guard loss >= Self.likeness * trial.loss, loss <= Self.most else { return nil }
        part = max(part, loss)
        return trial.rate
    }
}
