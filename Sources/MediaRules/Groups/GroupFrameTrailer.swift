/// The last bytes of a sealed frame of a group call, which say with what it was sealed. They are authenticated.
///
/// Counter (4 bytes, most significant first), epoch, step, stream and member (1 byte each). They stand at the end so that what forwards
/// frames unseen finds a VP8 frame's clear bytes where it looks for them.
package struct GroupFrameTrailer: Sendable, Equatable {
    package static let size = 8

    package var counter: UInt32
    package var epoch: UInt8
    package var step: UInt8
    package var stream: GroupStream
    package var member: UInt8

    package init(counter: UInt32, epoch: UInt8, step: UInt8, stream: GroupStream, member: UInt8) {
        (self.counter, self.epoch, self.step) = (counter, epoch, step)
        (self.stream, self.member) = (stream, member)
    }

    /// Reads the end of a sealed frame.
    package init(endOf frame: UnsafeRawBufferPointer) throws(GroupFrameError) {
        guard frame.count >= Self.size else { throw .tooShort }
        let start = frame.count - Self.size
        guard let stream = GroupStream(rawValue: frame[start + 6]) else { throw .foreignStream }
        counter = 0
        for index in start..<start + 4 { counter = counter << 8 | UInt32(frame[index]) }
        (epoch, step) = (frame[start + 4], frame[start + 5])
        (self.stream, member) = (stream, frame[start + 7])
        guard member > 0 else { throw .foreignMember }
    }

    /// Writes it to a place of ``size`` bytes.
    package func encode(to place: UnsafeMutableRawBufferPointer) {
        for index in 0..<4 { place[index] = UInt8(truncatingIfNeeded: counter >> (24 - 8 * index)) }
        (place[4], place[5], place[6], place[7]) = (epoch, step, stream.rawValue, member)
    }
}
