import BaseKit

/// How often a peer may have a key frame. A refused wish is kept and granted when its time has come.
///
/// Key frames are several times as large as others: on a narrow link answering every picture loss indication fills the
/// queue, which loses the next frames and brings the next indications. So they get a part of what may be sent: after a large
/// one the next has to wait for longer.
package struct KeyFrameBudget: Sendable, Equatable {
    /// The part of the rate that key frames may take.
    static let share = 0.3
    /// The shortest and the longest time between two key frames.
    package static let intervals = Duration.milliseconds(300)...Duration.seconds(4)

    /// The time that the next key frame must be away from the last.
    package private(set) var interval = Self.intervals.lowerBound
    /// The longest time between two, if not the usual.
    private let longest: Duration
    /// The longest time from one to the next where nobody asks; nil: none is made that nobody asks for.
    package var regular: Duration?
    private var madeAt: Instant?
    private var isWaiting = false

    package init(longest: Duration = Self.intervals.upperBound) { self.longest = longest }

    /// The peer asks for a key frame at `now`. True when the encoder may make it at once.
    package mutating func request(now: Instant) -> Bool {
        isWaiting = true
        return poll(now: now)
    }

    /// A key frame is needed; it is granted by ``poll(now:)`` when its time has come.
    package mutating func need() { isWaiting = true }

    /// Whether a kept wish is to be granted now, or one is due that nobody has asked for.
    package mutating func poll(now: Instant) -> Bool {
        if let regular, let madeAt, now - madeAt >= regular { isWaiting = true }
        guard isWaiting else { return false }
        if let madeAt, now - madeAt < interval { return false }
        isWaiting = false
        madeAt = now
        return true
    }

    /// The encoder has made a key frame, wished for or not, while it may send `rate` bits a second.
    package mutating func made(bytes: Int, rate: Int, now: Instant) {
        // It serves all who asked before.
        isWaiting = false
        madeAt = now
        let needed = Double(bytes) * 8_000 / (Self.share * Double(max(rate, 1)))
        interval = min(max(.milliseconds(Int64(needed)), Self.intervals.lowerBound), longest)
    }
}
