/// Packets that no honest program sends.
public enum HostilePackets {
    /// RTP with a header of any kind; `extensions` are of one-byte form (RFC 8285).
    public static func rtp(
        source: UInt32, payloadType: UInt8, sequence: UInt16, time: UInt32 = 0, isLast: Bool = true,
        extensions: [(id: UInt8, value: [UInt8])] = [], payload: [UInt8]
    ) -> [UInt8] {
        var head: [UInt8] = [extensions.isEmpty ? 0x80 : 0x90, payloadType | (isLast ? 0x80 : 0)]
        head += bytes(UInt32(sequence), 2) + bytes(time, 4) + bytes(source, 4)
        if !extensions.isEmpty {
            var body = extensions.flatMap { [$0.id << 4 | UInt8(max($0.value.count, 1) - 1)] + $0.value }
            while body.count % 4 != 0 { body.append(0) }
            head += [0xBE, 0xDE] + bytes(UInt32(body.count / 4), 2) + body
        }
        return head + payload
    }

    /// One RTCP packet, padded to whole words.
    public static func rtcp(type: UInt8, count: UInt8, body: [UInt8]) -> [UInt8] {
        var body = body
        while body.count % 4 != 0 { body.append(0) }
        return [0x80 | count, type] + bytes(UInt32(body.count / 4), 2) + body
    }

    /// A frame of VP8 in one packet's payload.
    public static func vp8(_ frame: [UInt8]) -> [UInt8] { [0x10] + frame }

    /// The header of a key frame (RFC 6386 §9.1) with a picture size, and whatever follows.
    public static func keyFrame(width: Int, height: Int, _ rest: [UInt8]) -> [UInt8] {
        let size = UInt32(min(rest.count, 0x7_FFFF))
        let tag = size << 5 | 0x10
        return [UInt8(tag & 0xFF), UInt8(tag >> 8 & 0xFF), UInt8(tag >> 16 & 0xFF), 0x9D, 0x01, 0x2A]
            + [UInt8(width & 0xFF), UInt8(width >> 8 & 0x3F), UInt8(height & 0xFF), UInt8(height >> 8 & 0x3F)] + rest
    }

    /// A number in so many bytes, the highest first.
    public static func bytes(_ number: UInt32, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * UInt32($0))) }
    }
}
