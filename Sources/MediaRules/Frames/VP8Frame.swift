/// The little of VP8's frame header that has to be known outside the codec.
package enum VP8Frame {
    /// RFC 6386 §9.1: bit 0 of the first byte is 0 for a key frame.
    package static func isKeyFrame(firstByte: UInt8) -> Bool { firstByte & 1 == 0 }

    /// Width and height in a key frame's header; nil when it is none (RFC 6386 §9.1: three bytes of tag, the start code 9D 01
    /// 2A, two of width and two of height, 14 bits each).
    static func pictureSize(header: [UInt8]) -> (width: Int, height: Int)? {
        guard header.count >= 10, isKeyFrame(firstByte: header[0]), header[3...5] == [0x9D, 0x01, 0x2A] else {
            return nil
        }
        return (
            Int(header[6]) | Int(header[7] & 0x3F) << 8,
            Int(header[8]) | Int(header[9] & 0x3F) << 8
        )
    }
}
