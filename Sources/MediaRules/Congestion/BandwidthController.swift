/// What transport-wide feedback tells of one packet (draft-holmer-rmcat-transport-wide-cc-extensions-01).
package struct PacketReport: Sendable, Equatable {
    /// When it left, in microseconds of our clock.
    package var sentAt: Int64
    /// When it arrived, in microseconds of the peer's clock; nil when it was lost.
    package var arrivedAt: Int64?
    /// Its size in bytes.
    package var size: Int

    /// A report.
    package init(sentAt: Int64, arrivedAt: Int64?, size: Int) {
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

    /// Takes the reports of one feedback packet, in the order of sending. `now` in milliseconds.
    mutating func receive(_ packets: [PacketReport], now: Int64)

    /// Packets leave and nothing is heard of them. Called again while that lasts; `now` in milliseconds.
    mutating func missFeedback(now: Int64)

    /// What leaves arrives again, after so long a silence that the path was broken and not full: what was measured before it
    /// says nothing any more. `now` in milliseconds.
    mutating func resume(now: Int64)
}
