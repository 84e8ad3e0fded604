/// Cuts a VP8 frame, encrypted or not, into RTP payloads (RFC 7741 §4).
///
/// Nothing of the frame is parsed: GStreamer's own payloader reads the frame's partitions and fails on encrypted ones.
/// Every payload begins with a descriptor of four bytes, with a 15-bit picture id.
package struct VP8Packetizer: Sendable {
    static let descriptorSize = 4

    /// The picture id of the next frame, 0…32767.
    package private(set) var pictureID: UInt16

    /// `pictureID` should begin at random (RFC 7741 §4.2).
    package init(pictureID: UInt16) {
        self.pictureID = pictureID & 0x7FFF
    }

    /// One payload: its descriptor and the part of the frame behind it.
    package struct Fragment: Equatable, Sendable {
        package var descriptor: [UInt8]
        package var range: Range<Int>
        package var isLast: Bool
    }

    /// The payloads of a frame of `frameSize` bytes, none longer than `payloadSize` bytes, all of about one size.
    ///
    /// An empty frame or a payload size without room for a byte of the frame has none.
    package mutating func fragments(frameSize: Int, payloadSize: Int) -> [Fragment] {
        let room = payloadSize - Self.descriptorSize
        guard frameSize > 0, room > 0 else { return [] }
        let count = (frameSize + room - 1) / room
        let (share, longer) = frameSize.quotientAndRemainder(dividingBy: count)
        var fragments: [Fragment] = []
        fragments.reserveCapacity(count)
        var start = 0
        for index in 0..<count {
            let end = start + share + (index < longer ? 1 : 0)
            let isLast = index == count - 1
            fragments.append(Fragment(descriptor: descriptor(isFirst: index == 0), range: start..<end, isLast: isLast))
            start = end
        }
        pictureID = (pictureID + 1) & 0x7FFF
        return fragments
    }

    /// RFC 7741 §4.2: X and, on the first payload, S (start of partition 0); then I; then M with the picture id.
    private func descriptor(isFirst: Bool) -> [UInt8] {
        [isFirst ? 0x90 : 0x80, 0x80, 0x80 | UInt8(pictureID >> 8), UInt8(pictureID & 0xFF)]
    }
}
