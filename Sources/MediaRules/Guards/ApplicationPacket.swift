import BaseKit

/// How two Parleys tell each other something beside their reports: application-defined RTCP packets (RFC 3550 §6.7).
struct ApplicationPacket: Sendable, Equatable {
    /// Where what is told begins.
    static let bodyStart = 12
    private static let packetType: UInt8 = 204, version: UInt8 = 0x80

    /// Four letters of ASCII, and how many bytes are told, a multiple of four.
    let name: [UInt8], bodyLength: Int
    /// Which of the packets of one name it is, 0 to 31.
    var subtype: UInt8 = 1

    private var versionAndSubtype: UInt8 { Self.version | subtype }
    private var length: Int { Self.bodyStart + bodyLength }

    /// Whether one packet of a compound is such a one.
    func matches(_ packet: UnsafeRawBufferPointer) -> Bool {
        packet.count == length && packet[0] == versionAndSubtype && packet[1] == Self.packetType
            && packet.half(at: 2) == length / 4 - 1 && packet[8..<12].elementsEqual(name)
    }

    /// A compound with such a one behind it, said by the source that the compound begins with. One that is none stays as it is.
    func appended(_ body: [UInt8], to compound: UnsafeRawBufferPointer) -> [UInt8] {
        guard compound.count >= 8 else { return Array(compound) }
        return Array(compound) + [versionAndSubtype, Self.packetType, 0, UInt8(length / 4 - 1)]
            + compound[4..<8] + name + body
    }
}
