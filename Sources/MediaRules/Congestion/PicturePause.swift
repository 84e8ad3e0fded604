import BaseKit

/// Whether the camera's pictures are sent: where the network carries too little for the smallest beside the voice, they only keep it full.
///
/// They are tried again once the voice alone has gone well at its best, later and later each time that was too early.
struct PicturePause: Sendable {
    /// Bits a second: the rate at or below which nothing can be spared any more, and what has to come through for the voice and the
    /// smallest pictures.
    static let least = 70_000, leastCarried = 52_000
    /// Bits a second from which on there is room at once: more than a voice alone shows.
    static let enough = 100_000
    /// How long that lasts before a pause: while much is lost, and otherwise.
    static let patience: Duration = .seconds(3), longPatience: Duration = .seconds(5)
    /// The loss that is much, and how recent the last congestion has to be.
    static let highLoss = 0.1, lately: Duration = .seconds(3)
    /// The longest time without news that does not begin it anew.
    static let news: Duration = .seconds(3)
    /// How long a voice has to have gone well, at first and at most, and within what time the next pause shows that it was too early.
    static let calm: Duration = .seconds(2), mostCalm: Duration = .seconds(32), trial: Duration = .seconds(15)

    /// Whether they are not sent.
    private(set) var isOn = false
    private var low: (since: Instant, until: Instant)?
    private var endedAt: Instant?
    private var calm = PicturePause.calm

    /// Takes what may be sent now and the part that is lost, while news come of what is sent with pictures.
    mutating func update(rate: Int, loss: Double, congestion: Congestion?, now: Instant) {
        guard !isOn, rate <= Self.least, let congestion, congestion.carried <= Self.leastCarried,
            now - congestion.at <= Self.lately
        else {
            low = nil
            return
        }
        let since = low.flatMap { now - $0.until <= Self.news ? $0.since : nil } ?? now
        low = (since, now)
        guard now - since >= (loss >= Self.highLoss ? Self.patience : Self.longPatience) else { return }
        if let endedAt {
            calm = now - endedAt <= Self.trial ? min(calm * 2, Self.mostCalm) : Self.calm
        }
        (isOn, low) = (true, nil)
    }

    /// The same in a pause; `bestSince` is since when the voice is as good as it is to be. Gives whether the pause has ended.
    mutating func update(rate: Int, bestSince: Instant?, congestion: Congestion?, now: Instant) -> Bool {
        guard isOn else { return false }
        let isCalm = bestSince.map { now - max($0, congestion?.at ?? $0) >= calm } ?? false
        guard isCalm || rate >= Self.enough else { return false }
        (isOn, endedAt) = (false, now)
        return true
    }

    /// What is sent is something else.
    mutating func end() { (isOn, low) = (false, nil) }
}
