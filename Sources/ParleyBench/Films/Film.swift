import CGStreamer
import Foundation
import Media

/// A film that is as hard to encode as people in a room: most of it still, some of it moving and noisy.
enum Film {
    ///
    /// Of 640 by 480 pixels, or 1280 by 720; where `isStill`, next to nothing happens in it.
    static func make(in folder: String, isLarge: Bool = false, isStill: Bool = false) throws -> String {
        let path = folder + "/film.mkv"
        let size = isLarge ? "width=1280,height=720" : "width=640,height=480"
        if isStill {
            return try write(
                path,
                """
                videotestsrc num-buffers=300 pattern=smpte ! video/x-raw,format=I420,\(size),framerate=30/1 ! \
                vp8enc deadline=1 cpu-used=8 target-bitrate=6000000 ! matroskamux ! filesink location=\(path)
                """)
        }
        return try write(
            path,
            """
            compositor name=mix sink_1::xpos=160 sink_1::ypos=90 sink_2::xpos=20 sink_2::ypos=380 ! \
            video/x-raw,format=I420,\(size),framerate=30/1 ! \
            vp8enc deadline=1 cpu-used=8 target-bitrate=6000000 ! matroskamux ! filesink location=\(path) \
            videotestsrc num-buffers=300 pattern=smpte ! video/x-raw,\(size),framerate=30/1 ! mix.sink_0 \
            videotestsrc num-buffers=300 pattern=pinwheel animation-mode=frames ! \
            video/x-raw,width=320,height=300,framerate=30/1 ! mix.sink_1 \
            videotestsrc num-buffers=300 pattern=snow ! video/x-raw,width=96,height=64,framerate=30/1 ! mix.sink_2
            """)
    }

    /// A screen on which somebody works: still, a part of it fine as text is, a part that moves.
    static func makeScreen(in folder: String) throws -> String {
        let path = folder + "/screen.mkv"
        return try write(
            path,
            """
            compositor name=mix sink_1::xpos=700 sink_1::ypos=300 sink_2::xpos=100 sink_2::ypos=100 ! \
            video/x-raw,format=I420,width=1280,height=720,framerate=15/1 ! \
            vp8enc deadline=1 cpu-used=8 target-bitrate=8000000 ! matroskamux ! filesink location=\(path) \
            videotestsrc num-buffers=150 pattern=smpte100 ! video/x-raw,width=1280,height=720,framerate=15/1 ! mix.sink_0 \
            videotestsrc num-buffers=150 pattern=checkers-8 ! video/x-raw,width=400,height=300,framerate=15/1 ! mix.sink_2 \
            videotestsrc num-buffers=150 pattern=ball motion=sweep ! \
            video/x-raw,width=480,height=320,framerate=15/1 ! mix.sink_1
            """)
    }

    /// Runs a pipeline, which writes the file at `path`, to its end. Gives the path. Throws ``BenchError/call(_:)``.
    static func write(_ path: String, _ text: String) throws -> String {
        try MediaRuntime.start()
        var error: UnsafeMutablePointer<GError>?
        let pipeline = gst_parse_launch(text, &error)
        let reason = error.map { String(cString: $0.pointee.message) }
        g_clear_error(&error)
        guard let pipeline, reason == nil else { throw BenchError.call(reason ?? "no film can be made") }
        defer { gst_object_unref(pipeline) }
        gst_element_set_state(pipeline, GST_STATE_PLAYING)
        defer { gst_element_set_state(pipeline, GST_STATE_NULL) }
        guard let bus = gst_element_get_bus(pipeline) else { throw BenchError.call("no film can be made") }
        defer { gst_object_unref(bus) }
        let wanted = GstMessageType(rawValue: GST_MESSAGE_EOS.rawValue | GST_MESSAGE_ERROR.rawValue)
        guard let message = gst_bus_timed_pop_filtered(bus, 120_000_000_000, wanted) else {
            throw BenchError.call("making a film took too long")
        }
        defer { gst_message_unref(message) }
        guard message.pointee.type == GST_MESSAGE_EOS else { throw BenchError.call("making a film failed") }
        return path
    }
}
