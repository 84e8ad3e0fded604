import Cryptography

/// Packets of tones as they are on the wire.
package enum TonePacket {
    /// The first bytes of what is sealed: no frame of the voice is taken for a tone.
    private static let label = Array("tone".utf8)

    /// The packet that takes the place of one of the voice: with its sequence number, source and header extensions. Nil for a packet
    /// that is none.
    package static func replacing(
        _ packet: UnsafeRawBufferPointer, with output: ToneSender.Output, payload: [UInt8], payloadType: Int
    ) -> [UInt8]? {
        guard let header = RTPHeader(packet) else { return nil }
        var bytes = Array(packet[..<header.payload.lowerBound])
        // No padding.
        bytes[0] &= ~0x20
        bytes[1] = (output.isFirst ? 0x80 : 0) | UInt8(payloadType & 0x7F)
        for (index, byte) in output.timestamp.bytes.enumerated() { bytes[4 + index] = byte }
        return bytes + payload
    }

    /// The time stamp of a packet that has been checked.
    package static func timestamp(of packet: UnsafeRawBufferPointer) -> UInt32 { packet.word(at: 4) }

    /// The payload of an event, protected as the call's frames are. Throws what the cipher throws.
    package static func payload(_ event: ToneEvent, timestamp: UInt32, key: SecretBytes?) throws -> [UInt8] {
        guard let key else { return event.encoded() }
        return try FrameCipher(key: key).sealWhole(label + timestamp.bytes + event.encoded())
    }

    /// The event in a payload, once it is known to be the peer's, for this time. Throws ``FrameError``, and ``FrameError/wrongSize`` for what is
    /// no event.
    package static func event(_ payload: [UInt8], timestamp: UInt32, key: SecretBytes?) throws -> ToneEvent {
        guard let key else {
            guard let event = ToneEvent(decoding: payload) else { throw FrameError.wrongSize }
            return event
        }
        let opened = try FrameCipher(key: key).openWhole(payload)
        let head = label + timestamp.bytes
        guard opened.starts(with: head) else { throw FrameError.notAuthentic }
        guard let event = ToneEvent(decoding: opened.dropFirst(head.count)) else { throw FrameError.wrongSize }
        return event
    }
}

extension UInt32 {
    fileprivate var bytes: [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: self >> (24 - 8 * UInt32($0))) } }
}
