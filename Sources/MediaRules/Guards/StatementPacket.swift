import BaseKit

/// A ``MediaStatement`` beside reports: an application-defined RTCP packet (RFC 3550 §6.7).
///
/// Only programs that announce that they understand it are sent any (``PeerDescription/takesStatements``).
package struct StatementPacket: Sendable, Equatable {
    /// Its name among application-defined packets.
    static let name = Array("PRLS".utf8)
    static let packetType: UInt8 = 204, subtype: UInt8 = 1, length = 20

    package var statement: MediaStatement

    package init(_ statement: MediaStatement) { self.statement = statement }

    /// Reads one packet of a compound; nil when it is another, or none at all.
    package init?(_ packet: UnsafeRawBufferPointer) {
        guard packet.count == Self.length, packet[0] == 0x80 | Self.subtype, packet[1] == Self.packetType,
            packet.half(at: 2) == Self.length / 4 - 1, packet[8..<12].elementsEqual(Self.name)
        else { return nil }
        statement = MediaStatement(number: packet.word(at: 12), content: .init(rawValue: packet.word(at: 16)))
    }

    /// A compound with this behind it, said by the source that the compound begins with. One that is none stays as it is.
    package func appended(to compound: UnsafeRawBufferPointer) -> [UInt8] {
        guard compound.count >= 8 else { return Array(compound) }
        let words = [statement.number, statement.content.rawValue]
        return Array(compound) + [0x80 | Self.subtype, Self.packetType, 0, UInt8(Self.length / 4 - 1)]
            + compound[4..<8] + Self.name
            + words.flatMap { word in stride(from: 24, through: 0, by: -8).map { UInt8(word >> UInt32($0) & 0xFF) } }
    }
}
