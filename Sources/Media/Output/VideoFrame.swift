import CGStreamer

/// One picture in memory: blue, green, red and full opacity, a byte each, rows top down. The bytes are GStreamer's own, not a copy. Where nothing is drawn
/// (``PeerSessionConfiguration/drawsPictures``) it has a size alone.
public final class VideoFrame: @unchecked Sendable {
    // Unchecked: the buffer is mapped once for reading and never changed while this object lives.
    private let sample: Sample?
    private var map = GstMapInfo()

    /// Pixels in a row.
    public let width: Int
    /// Rows.
    public let height: Int
    /// Bytes from one row to the next, at least `4 * width`; 0 without pixels.
    public let stride: Int

    /// Maps a sample of `video/x-raw,format=BGRA`; nil for anything else. Of one that is not drawn, in any format, the size is kept alone.
    init?(_ sample: Sample, isDrawn: Bool = true) {
        var info = GstVideoInfo()
        guard gst_video_info_from_caps(&info, sample.caps) != 0 else { return nil }
        width = Int(info.width)
        height = Int(info.height)
        guard isDrawn else {
            (self.sample, stride) = (nil, 0)
            return
        }
        let buffer = sample.buffer
        guard info.finfo.pointee.format == GST_VIDEO_FORMAT_BGRA, gst_buffer_map(buffer, &map, GST_MAP_READ) != 0 else {
            return nil
        }
        stride = Int(info.stride.0)
        guard stride >= 4 * width, Int(map.size) >= stride * (height - 1) + 4 * width else {
            gst_buffer_unmap(buffer, &map)
            return nil
        }
        self.sample = sample
    }

    deinit { if let sample { gst_buffer_unmap(sample.buffer, &map) } }

    /// All bytes, `stride * height` or a little fewer (the last row may end with its last pixel). Valid as long as this
    /// object lives.
    public var pixels: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: map.data, count: min(Int(map.size), stride * height))
    }

    /// Calls `body` with all bytes.
    public func withPixels<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try withExtendedLifetime(self) { try body(pixels) }
    }
}
