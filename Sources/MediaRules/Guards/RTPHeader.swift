/// The head of an RTP packet (RFC 3550 §5.1), checked to its end.
package struct RTPHeader: Sendable, Equatable {
    package let source: UInt32
    package let payloadType: Int
    package let isLast: Bool
    /// Where the payload is.
    package let payload: Range<Int>

    /// Reads it; nil when a length in it is wrong, or for contributing sources: only mixers have them, and each would become
    /// a source of its own.
    package init?(_ packet: UnsafeRawBufferPointer) {
        guard packet.count >= 12, packet[0] >> 6 == 2, packet[0] & 0x0F == 0 else { return nil }
        var start = 12
        if packet[0] & 0x10 != 0 {
            guard packet.count >= 16 else { return nil }
            start = 16 + 4 * (Int(packet[14]) << 8 | Int(packet[15]))
        }
        var end = packet.count
        if packet[0] & 0x20 != 0 {
            let padding = Int(packet[packet.count - 1])
            guard padding > 0 else { return nil }
            end -= padding
        }
        guard start <= end else { return nil }
        payload = start..<end
        payloadType = Int(packet[1] & 0x7F)
        isLast = packet[1] & 0x80 != 0
        source = packet.word(at: 8)
    }
}

extension UnsafeRawBufferPointer {
    /// The big-endian word of four bytes at a place that has been checked.
    package func word(at place: Int) -> UInt32 {
        UInt32(self[place]) << 24 | UInt32(self[place + 1]) << 16 | UInt32(self[place + 2]) << 8
            | UInt32(self[place + 3])
    }

    /// Likewise of two bytes.
    package func half(at place: Int) -> Int { Int(self[place]) << 8 | Int(self[place + 1]) }
}
