import BaseKit

/// A ``MediaStatement`` beside reports: an application-defined RTCP packet (RFC 3550 §6.7).
///
/// Only programs that announce that they understand it are sent any (``PeerDescription/takesStatements``).
package struct StatementPacket: Sendable, Equatable {
    private static let packet = ApplicationPacket(name: Array("PRLS".utf8), bodyLength: 8)

    package var statement: MediaStatement

    package init(_ statement: MediaStatement) { self.statement = statement }

    /// Reads one packet of a compound; nil when it is another, or none at all.
    package init?(_ packet: UnsafeRawBufferPointer) {
        guard Self.packet.matches(packet) else { return nil }
        let start = ApplicationPacket.bodyStart
        statement = MediaStatement(
            number: packet.word(at: start), content: .init(rawValue: packet.word(at: start + 4)))
    }

    /// A compound with this behind it, said by the source that the compound begins with. One that is none stays as it is.
    package func appended(to compound: UnsafeRawBufferPointer) -> [UInt8] {
        let words = [statement.number, statement.content.rawValue]
        let body = words.flatMap { word in stride(from: 24, through: 0, by: -8).map { UInt8(word >> UInt32($0) & 0xFF) }
        }
        return Self.packet.appended(body, to: compound)
    }
}
