import BaseKit

/// How large the buffer of a call's loudspeaker is: small, as all sound waits in it, and larger where a busy machine brings sound too late for that. In milliseconds.
///
/// With GStreamer's 200 sound came 210 after the picture. Once it is larger it stays so for the call: what made it so may come again.
package struct SpeakerBuffer: Sendable, Equatable {
    /// From the first to the last that is tried.
    package static let sizes = [30, 60]
    /// The part of it that is written at once, and that the sound server wants to have ahead.
    package static let part = 10
    /// So many pieces, so far apart, in so short a time come late before it is larger.
    static let most = 3
    static let apart: Duration = .milliseconds(500), window: Duration = .seconds(10)
    /// What comes so soon after the loudspeaker was opened, or after sound waits otherwise, says nothing.
    static let settling: Duration = .seconds(2)

    private var index = 0
    private var settledAt: Instant
    private var late: [Instant] = []

    /// Begins with the smallest, of a loudspeaker that is opened at `now`.
    package init(now: Instant) { settledAt = now + Self.settling }

    /// How large it is.
    package var size: Int { Self.sizes[index] }

    /// The loudspeaker was opened anew, or sound waits otherwise from now on.
    package mutating func settle(now: Instant) { settledAt = now + Self.settling }

    /// A piece of sound came to the loudspeaker so many milliseconds before it is to be heard. Gives the size where it is to be larger.
    package mutating func arrived(ahead: Int, now: Instant) -> Int? {
        guard ahead < Self.part, now >= settledAt, index + 1 < Self.sizes.count else { return nil }
        if let last = late.last, now - last < Self.apart { return nil }
        late = late.filter { now - $0 < Self.window } + [now]
        guard late.count >= Self.most else { return nil }
        index += 1
        late = []
        settle(now: now)
        return size
    }
}
