import CGStreamer
import MediaRules

// What a frame is of its member's stream travels in the buffer's offset, which nothing else uses behind a depayloader.
extension FramePlace {
    /// What a buffer of an opened frame says; nil when it says nothing.
    init?(of buffer: UnsafeMutablePointer<GstBuffer>) {
        let mark = buffer.pointee.offset
        guard let stream = GroupStream(rawValue: UInt8(truncatingIfNeeded: mark >> 56)) else { return nil }
        self.init(
            stream: stream, generation: Int(mark >> 32 & 0xFF_FFFF), counter: UInt32(truncatingIfNeeded: mark))
    }

    /// Writes it to a buffer.
    func mark(_ buffer: UnsafeMutablePointer<GstBuffer>) {
        let generation = guint64(truncatingIfNeeded: generation) & 0xFF_FFFF
        buffer.pointee.offset = guint64(counter) | generation << 32 | guint64(stream.rawValue) << 56
    }
}
