import CGStreamer
import GLibKit

/// A counted reference to a pad of an element.
///
/// Unchecked: like ``Element``.
final class Pad: Object, @unchecked Sendable {
    /// Links this source pad with a sink pad; false when they do not fit.
    @discardableResult
    func link(to sink: Pad) -> Bool {
        gst_pad_link(pointer(), sink.pointer()) == GST_PAD_LINK_OK
    }

    /// A field of the first structure of the pad's current caps.
    func capsText(_ field: String) -> String? {
        guard let caps = gst_pad_get_current_caps(pointer()) else { return nil }
        defer { gst_caps_unref(caps) }
        return gst_structure_get_string(gst_caps_get_structure(caps, 0), field).map { String(cString: $0) }
    }

    /// A number among the fields of the first structure of the pad's current caps.
    func capsNumber(_ field: String) -> UInt32? {
        guard let caps = gst_pad_get_current_caps(pointer()) else { return nil }
        defer { gst_caps_unref(caps) }
        var number: guint = 0
        return gst_structure_get_uint(gst_caps_get_structure(caps, 0), field, &number) != 0 ? number : nil
    }

    /// The media type of the pad's current caps, such as `audio/x-raw`.
    var mediaType: String? {
        guard let caps = gst_pad_get_current_caps(pointer()) ?? gst_pad_query_caps(pointer(), nil) else { return nil }
        defer { gst_caps_unref(caps) }
        guard gst_caps_get_size(caps) > 0 else { return nil }
        return gst_structure_get_name(gst_caps_get_structure(caps, 0)).map { String(cString: $0) }
    }

    /// Pushes what has to go before the first bytes of a media type out of this source pad, unless it has been.
    func beginStream(ofType mediaType: String) {
        if let caps = gst_pad_get_current_caps(pointer()) { return gst_caps_unref(caps) }
        guard let caps = gst_caps_from_string(mediaType) else { return }
        var segment = GstSegment()
        gst_segment_init(&segment, GST_FORMAT_TIME)
        gst_pad_push_event(pointer(), gst_event_new_stream_start(mediaType))
        gst_pad_push_event(pointer(), gst_event_new_caps(caps))
        gst_pad_push_event(pointer(), gst_event_new_segment(&segment))
        gst_caps_unref(caps)
    }

    /// Pushes bytes out of this source pad; false when they were not taken.
    func push(_ bytes: [UInt8]) -> Bool {
        guard let buffer = bytes.withUnsafeBytes({ gst_buffer_new_memdup($0.baseAddress, gsize($0.count)) }) else {
            return false
        }
        return gst_pad_push(pointer(), buffer) == GST_FLOW_OK
    }

    /// What is called with the pad and a buffer that passes it.
    typealias BufferHandler = @Sendable (UnsafeMutablePointer<GstPad>, UnsafeMutablePointer<GstBuffer>) -> Void

    /// Calls `body` on the streaming thread for every buffer that passes. It must not hold the pad: take it from the call.
    func onBuffer(_ body: @escaping BufferHandler) {
        gst_pad_add_probe(
            pointer(), GST_PAD_PROBE_TYPE_BUFFER,
            { pad, info, data in
                if let pad, let data, let buffer = gst_pad_probe_info_get_buffer(info) {
                    CallbackData.value(BufferHandler.self, at: data)(pad, buffer)
                }
                return GST_PAD_PROBE_OK
            }, CallbackData.keeping(body), CallbackData.release)
    }

    /// Says whether a buffer goes on.
    typealias BufferFilter = @Sendable (UnsafeMutablePointer<GstPad>, UnsafeMutablePointer<GstBuffer>) -> Bool

    /// Says whether an event goes on.
    typealias EventFilter = @Sendable (UnsafeMutablePointer<GstEvent>) -> Bool

    /// Like ``onBuffer(_:)``, but a buffer goes on only when `body` gives true.
    func filterBuffers(_ body: @escaping BufferFilter) {
        gst_pad_add_probe(
            pointer(), GST_PAD_PROBE_TYPE_BUFFER,
            { pad, info, data in
                guard let pad, let data, let buffer = gst_pad_probe_info_get_buffer(info) else {
                    return GST_PAD_PROBE_OK
                }
                let filter = CallbackData.value(BufferFilter.self, at: data)
                return filter(pad, buffer) ? GST_PAD_PROBE_OK : GST_PAD_PROBE_DROP
            }, CallbackData.keeping(body), CallbackData.release)
    }

    /// Calls `body` with each new format, on the streaming thread before it goes on. It must not hold the pad.
    func onFormat(_ body: @escaping @Sendable (UnsafeMutablePointer<GstCaps>) -> Void) {
        replaceFormat { caps in
            body(caps)
            return nil
        }
    }

    /// Gives another format for one, which the caller owns; nil where it stays.
    typealias FormatReplacement = @Sendable (UnsafeMutablePointer<GstCaps>) -> UnsafeMutablePointer<GstCaps>?

    /// Puts other formats in the place of those for which `body` gives one, on the streaming thread before they come into this sink pad. It must
    /// not hold the pad.
    func replaceFormat(_ body: @escaping FormatReplacement) {
        gst_pad_add_probe(
            pointer(), GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM,
            { _, info, data in
                guard let info, let data, let event = gst_pad_probe_info_get_event(info),
                    event.pointee.type == GST_EVENT_CAPS
                else { return GST_PAD_PROBE_OK }
                var caps: UnsafeMutablePointer<GstCaps>?
                gst_event_parse_caps(event, &caps)
                guard let caps, let other = CallbackData.value(FormatReplacement.self, at: data)(caps) else {
                    return GST_PAD_PROBE_OK
                }
                let replacement = gst_event_new_caps(other)
                gst_caps_unref(other)
                guard let replacement else { return GST_PAD_PROBE_OK }
                info.pointee.data = UnsafeMutableRawPointer(replacement)
                gst_event_unref(event)
                return GST_PAD_PROBE_OK
            }, CallbackData.keeping(body), CallbackData.release)
    }

    /// Asks upstream of this sink pad for a key frame.
    func requestKeyFrame() {
        guard let event = gst_video_event_new_upstream_force_key_unit(GstClockTime.max, 1, 0) else { return }
        gst_pad_push_event(pointer(), event)
    }

    /// Calls `body` for every event that goes through the pad against the stream; it goes on only when `body` gives true.
    func filterUpstreamEvents(_ body: @escaping EventFilter) {
        gst_pad_add_probe(
            pointer(), GST_PAD_PROBE_TYPE_EVENT_UPSTREAM,
            { _, info, data in
                guard let data, let event = gst_pad_probe_info_get_event(info) else { return GST_PAD_PROBE_OK }
                let filter = CallbackData.value(EventFilter.self, at: data)
                return filter(event) ? GST_PAD_PROBE_OK : GST_PAD_PROBE_DROP
            }, CallbackData.keeping(body), CallbackData.release)
    }

    /// Calls `body` whenever it is told here, from a sink, how many nanoseconds after its time something is shown or heard.
    func onLatency(_ body: @escaping @Sendable (GstClockTime) -> Void) {
        filterUpstreamEvents { event in
            guard event.pointee.type == GST_EVENT_LATENCY else { return true }
            var latency = GstClockTime.max
            gst_event_parse_latency(event, &latency)
            if latency != GstClockTime.max { body(latency) }
            return true
        }
    }
}

/// Media formats.
struct Caps {
    let boxed: Boxed

    /// Reads GStreamer's text form; nil when it is not one.
    init?(_ text: String) {
        guard let caps = gst_caps_from_string(text) else { return nil }
        boxed = Boxed(type: gst_caps_get_type(), adopting: caps)
    }
}
