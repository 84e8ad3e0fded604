import CGStreamer
import GLibKit
import MediaRules

/// Shows decoded pictures in their time; where none is shown, the next one at once, however long pictures wait: a picture that stands for a
/// moment says more than none.
enum PictureDisplay {
    /// Nanoseconds of pictures that wait for their time: as long as the jitter buffer may wait, and some. A shorter queue let
    /// all but one picture of each wait go.
    private static let waiting = (JitterLatency.longest + 200) * 1_000_000

    /// From the decoder to pictures that are shown, in the form that windows draw as it is, as a text of `gst-launch`; `isDrawn`: whether their pixels are of use.
    static func chain(isDrawn: Bool) -> String {
        """
        queue leaky=downstream max-size-buffers=0 max-size-bytes=0 max-size-time=\(waiting) ! \
        \(isDrawn ? "videoconvert name=converter ! video/x-raw,format=BGRA ! " : "")appsink name=frames async=false max-buffers=1 drop=true \
        processing-deadline=\(PlayoutDelay.lastStep * 1_000_000)
        """
    }

    /// Has `show` called, on a streaming thread, with the pictures of a bin that ends with such a chain. Throws ``MediaError``.
    static func connect(
        _ bin: Element, to feed: VideoFeed, show: @escaping @Sendable (VideoFrame) -> Void
    ) throws(MediaError) {
        let sink = try bin.child("frames")
        if feed.isDrawn {
            // No packet and no decoder says what they are, and a converter takes them for BT.709 above 576 rows.
            try bin.child("converter").pad("sink")?.replaceFormat { PictureColours.labelled($0) }
        }
        sink.onSample { [isDrawn = feed.isDrawn] sample in
            if let frame = VideoFrame(sample, isDrawn: isDrawn) { show(frame) }
        }
        sink.pad("sink")?.filterBuffers { pad, buffer in
            guard feed.isEmpty, let sample = Sample(buffer, passing: pad),
                let frame = VideoFrame(sample, isDrawn: feed.isDrawn)
            else { return true }
            show(frame)
            return false
        }
    }
}
