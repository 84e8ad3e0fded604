/// How often a peer may have a key frame. A refused wish is kept and granted when its time has come.
///
/// Key frames are several times as large as others: on a narrow link answering every picture loss indication fills the
/// queue, which loses the next frames and brings the next indications.
struct KeyFrameBudget: Sendable, Equatable {
    /// Fewest milliseconds between two key frames, and the most the guard stretches them to.
    static let interval: Int64 = 1_000, longestInterval: Int64 = 4_000
    /// Milliseconds without a wish after which the guard relaxes.
    static let calm: Int64 = 5_000

    private(set) var interval = Self.interval
    private var grantedAt: Int64?
    private var wishedAt: Int64?
    private var inRow = 0
    private var isWaiting = false

    /// The peer asks for a key frame at `now` (milliseconds). True when the encoder may make it at once.
    mutating func request(now: Int64) -> Bool {
        if let wishedAt, now - wishedAt >= Self.calm {
            interval = Self.interval
            inRow = 0
        }
        wishedAt = now
        isWaiting = true
        return poll(now: now)
    }

    /// Whether a kept wish is to be granted now.
    mutating func poll(now: Int64) -> Bool {
        guard isWaiting else { return false }
        if let grantedAt, now - grantedAt < interval { return false }
        isWaiting = false
        grantedAt = now
        inRow += 1
        // Three in a row did not help: the link can't carry them.
        if inRow > 3 { interval = min(interval * 2, Self.longestInterval) }
        return true
    }
}
