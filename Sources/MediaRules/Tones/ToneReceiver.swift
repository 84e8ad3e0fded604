import BaseKit

/// Tells which tones a peer sends, from their packets, each once and not without bounds.
package struct ToneReceiver: Sendable, Equatable {
    /// Tones a second, and at once.
    static let rate = 20
    /// Packets a second, and at once: 50 a second are usual.
    static let packetRate = 200

    package enum Verdict: Sendable, Equatable {
        /// A tone has begun.
        case tone(Tone)
        /// A packet of a tone that has been told, or is older.
        case known
        /// No event of a telephone's key, or too many.
        case refused
    }

    private var tones = TokenBucket(rate: Self.rate, burst: Self.rate)
    private var packets = TokenBucket(rate: Self.packetRate, burst: Self.packetRate)
    private var newest: UInt32?

    package init() {}

    /// Whether another packet is looked at.
    package mutating func admits(now: Instant) -> Bool { packets.admits(now: now) }

    /// Takes a packet's time stamp and payload.
    package mutating func receive(_ event: ToneEvent, timestamp: UInt32, now: Instant) -> Verdict {
        guard let tone = Tone(event: event.event) else { return .refused }
        // The time stamp is the tone's name; older ones come late.
        if let newest, timestamp &- newest == 0 || timestamp &- newest >= 1 << 31 { return .known }
        guard tones.admits(now: now) else { return .refused }
        newest = timestamp
        return .tone(tone)
    }
}
