/// The time at which a packet left, as a header extension tells it: seconds in 24 bits, 18 of them behind the point, which begin anew
/// each 64 s (`abs-send-time`, webrtc.org/experiments/rtp-hdrext/abs-send-time).
package struct SendTime: Sendable, Equatable {
    /// Units of a second.
    static let second = 1 << 18
    private static let mask: UInt32 = 0xFF_FFFF

    let value: UInt32

    init(_ value: UInt32) { self.value = value & Self.mask }

    /// Reads it out of an RTP packet by the number that the extension has there; nil where it is not.
    package init?(_ packet: UnsafeRawBufferPointer, extension number: Int) {
        guard RTPHeader(packet) != nil, packet[0] & 0x10 != 0, packet.half(at: 12) == 0xBEDE else { return nil }
        let end = 16 + 4 * packet.half(at: 14)
        var place = 16
        // Elements of one byte's head (RFC 8285 §4.2).
        while place < end {
            guard packet[place] != 0 else {
                place += 1
                continue
            }
            let (found, length) = (Int(packet[place] >> 4), Int(packet[place] & 0x0F) + 1)
            guard found < 15, place + 1 + length <= end else { return nil }
            if found == number, length == 3 {
                value = UInt32(packet[place + 1]) << 16 | UInt32(packet.half(at: place + 2))
                return
            }
            place += 1 + length
        }
        return nil
    }

    /// Units since another one, of which it is at most 32 s away.
    func since(_ other: SendTime) -> Int {
        let ahead = Int((value &- other.value) & Self.mask)
        return ahead < 1 << 23 ? ahead : ahead - (1 << 24)
    }
}
