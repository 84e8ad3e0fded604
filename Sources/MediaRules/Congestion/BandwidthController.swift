import BaseKit

/// What transport-wide feedback tells of one packet (draft-holmer-rmcat-transport-wide-cc-extensions-01).
package struct PacketReport: Sendable, Equatable {
    /// When it left.
    package var sentAt: Instant
    /// When it arrived, as the time that the peer's clock had run; nil when it was lost.
    package var arrivedAt: Duration?
    /// Its size in bytes.
    package var size: Int

    /// A report.
    package init(sentAt: Instant, arrivedAt: Duration?, size: Int) {
        (self.sentAt, self.arrivedAt, self.size) = (sentAt, arrivedAt, size)
    }
}

/// What a sender may do now.
package struct BandwidthTarget: Sendable, Equatable {
    /// What encoders together may produce, in bits a second.
    var bitrate: Int
    /// How fast packets may leave, in bits a second.
    var pacingRate: Int
}

/// The last sign of congestion.
package struct Congestion: Sendable, Equatable {
    /// When it was seen.
    var at: Instant
    /// Bits a second that came through.
    var carried: Int
}

/// Decides how much a sender may send from what becomes of its packets.
///
/// All time is an argument, so a controller can be run against a model of a network, and exchanged for another.
package protocol BandwidthController: Sendable {
    /// What the sender may do now.
    var target: BandwidthTarget { get }
    /// Part of the packets lost lately, 0…1.
    var loss: Double { get }
    /// Bits a second that were well before what is heard of now, or is not: another path begins from there.
    var good: Int { get }
    /// Bits a second that may be sent where the voice goes, which may go by more ways than pictures.
    var narrowest: Int { get }
    /// The last sign that more is sent than arrives; nil before one.
    var congestion: Congestion? { get }
    /// Whether it hears of what arrives by other ways than from who asks it, so that it changes by itself.
    var hearsElsewhere: Bool { get }

    /// Whether pictures leave that somebody else makes by what it says.
    func sendsElsewhere(now: Instant) -> Bool

    /// Takes the reports of one feedback packet, in the order of sending.
    mutating func receive(_ packets: [PacketReport], now: Instant)

    /// Takes what a peer says that gives no feedback on each packet; `isSending`: pictures are sent.
    mutating func receive(_ report: ReceptionReport, isSending: Bool, now: Instant)

    /// More than so many bits a second are of no use from now on.
    mutating func limit(to bitrate: Int)

    /// Packets leave and nothing is heard of them. Called again while that lasts.
    mutating func missFeedback(now: Instant)

    /// What leaves arrives again, after so long a silence that the path was broken and not full: what was measured before it
    /// says nothing any more.
    mutating func resume(now: Instant)

    /// Pictures are sent where none were for a while, in which nothing was congested: what was measured before it says nothing any more.
    mutating func begin(now: Instant)

    /// A burst to send now, which shows whether more comes through; nil: none.
    mutating func probe(now: Instant) -> Probe?

    /// A burst that was asked for has left between two moments; without them it could not.
    mutating func sent(_ probe: Probe, between moments: (from: Instant, to: Instant)?, now: Instant)
}

extension BandwidthController {
    /// The voice goes where pictures go.
    package var narrowest: Int { target.bitrate }

    /// None is seen: not every controller tells it.
    package var congestion: Congestion? { nil }

    /// It knows what it is told here.
    package var hearsElsewhere: Bool { false }

    /// All are made by who asks it.
    package func sendsElsewhere(now: Instant) -> Bool { false }

    /// Nothing follows: not every controller can do with that little.
    package mutating func receive(_ report: ReceptionReport, isSending: Bool, now: Instant) {}

    /// Does nothing.
    package mutating func begin(now: Instant) {}

    /// None: not every controller probes.
    package mutating func probe(now: Instant) -> Probe? { nil }

    /// Does nothing.
    package mutating func sent(_ probe: Probe, between moments: (from: Instant, to: Instant)?, now: Instant) {}
}
