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

    /// The media type of the pad's current caps, such as `audio/x-raw`.
    var mediaType: String? {
        guard let caps = gst_pad_get_current_caps(pointer()) ?? gst_pad_query_caps(pointer(), nil) else { return nil }
        defer { gst_caps_unref(caps) }
        guard gst_caps_get_size(caps) > 0 else { return nil }
        return gst_structure_get_name(gst_caps_get_structure(caps, 0)).map { String(cString: $0) }
    }

    /// What is called with the pad and a buffer that passes it.
    typealias BufferHandler = @Sendable (UnsafeMutablePointer<GstPad>, UnsafeMutablePointer<GstBuffer>) -> Void

    /// Calls `body` on the streaming thread for every buffer that passes. It must not hold the pad: take it from the call.
    func onBuffer(_ body: @escaping BufferHandler) {
        let box = Unmanaged.passRetained(ProbeBox(body)).toOpaque()
        gst_pad_add_probe(
            pointer(), GST_PAD_PROBE_TYPE_BUFFER,
            { pad, info, data in
                if let pad, let data, let buffer = gst_pad_probe_info_get_buffer(info) {
                    Unmanaged<ProbeBox>.fromOpaque(data).takeUnretainedValue().body(pad, buffer)
                }
                return GST_PAD_PROBE_OK
            }, box, { data in if let data { Unmanaged<ProbeBox>.fromOpaque(data).release() } })
    }

    private final class ProbeBox: Sendable {
        let body: BufferHandler

        init(_ body: @escaping BufferHandler) { self.body = body }
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
