/// The payload of one packet of a tone (RFC 4733 §2.3): event, end bit, volume, duration.
package struct ToneEvent: Sendable, Equatable {
    /// Bytes.
    package static let size = 4

    package var event: UInt8
    var isEnd: Bool
    /// Below the standard, in dB, 0 to 63.
    package var volume: UInt8
    /// Since the tone began, in units of its clock.
    package var duration: UInt16

    package init(event: UInt8, isEnd: Bool, volume: UInt8 = 10, duration: UInt16) {
        (self.event, self.isEnd, self.volume, self.duration) = (event, isEnd, min(volume, 63), duration)
    }

    /// Reads a payload; nil for another length. The reserved bit says nothing.
    package init?(decoding bytes: some Collection<UInt8>) {
        let bytes = Array(bytes)
        guard bytes.count == Self.size else { return nil }
        self.init(
            event: bytes[0], isEnd: bytes[1] & 0x80 != 0, volume: bytes[1] & 0x3F,
            duration: UInt16(bytes[2]) << 8 | UInt16(bytes[3]))
    }

    /// The payload.
    package func encoded() -> [UInt8] {
        [event, (isEnd ? 0x80 : 0) | volume, UInt8(duration >> 8), UInt8(duration & 0xFF)]
    }
}
