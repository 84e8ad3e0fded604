import CGStreamer
import Foundation
import Media

/// Films that GStreamer makes.
enum Film {
    /// A screen on which somebody works: still, a part of it fine as text is, a part that moves.
    static func makeScreen(in folder: String) throws -> String {
        let path = folder + "/screen.mkv"
        return try write(
            path,
            """
            compositor name=mix sink_1::xpos=700 sink_1::ypos=300 sink_2::xpos=100 sink_2::ypos=100 ! \
            video/x-raw,format=I420,colorimetry=bt601,width=1280,height=720,framerate=15/1 ! \
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
