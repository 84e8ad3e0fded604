import CGStreamer
import GLibKit
import MediaRules

/// What the two frame encryption elements share.
enum FrameTransform {
    /// `GST_BASE_TRANSFORM_FLOW_DROPPED`, a macro that Swift does not import.
    static let dropped = GST_FLOW_CUSTOM_SUCCESS

    /// The most bytes that sealing adds to a frame.
    static let room = max(FrameCipher.overhead, GroupFrameCipher.overhead)

    /// Writes the element's description and its two pad templates, for any format, into its class.
    static func describe(_ structure: UnsafeMutableRawPointer, name: String, detail: String) {
        let klass = structure.assumingMemoryBound(to: GstElementClass.self)
        gst_element_class_set_metadata(klass, name, "Filter/Effect/Encryption", detail, "Parley")
        for (pad, direction) in [("sink", GST_PAD_SINK), ("src", GST_PAD_SRC)] {
            guard let caps = gst_caps_new_any() else { continue }
            gst_element_class_add_pad_template(klass, gst_pad_template_new(pad, direction, GST_PAD_ALWAYS, caps))
            gst_caps_unref(caps)
        }
    }

    /// Maps both buffers and lets `body` write; `body` gives the size of the result, or nil for none. False without result.
    static func map(
        _ input: UnsafeMutablePointer<GstBuffer>, _ output: UnsafeMutablePointer<GstBuffer>,
        _ body: (UnsafeRawBufferPointer, UnsafeMutableRawBufferPointer) -> Int?
    ) -> Bool {
        var source = GstMapInfo()
        guard gst_buffer_map(input, &source, GST_MAP_READ) != 0 else { return false }
        defer { gst_buffer_unmap(input, &source) }
        var place = GstMapInfo()
        guard gst_buffer_map(output, &place, GST_MAP_WRITE) != 0 else { return false }
        let size = body(
            UnsafeRawBufferPointer(start: source.data, count: Int(source.size)),
            UnsafeMutableRawBufferPointer(start: place.data, count: Int(place.size)))
        gst_buffer_unmap(output, &place)
        guard let size else { return false }
        gst_buffer_set_size(output, gssize(size))
        return true
    }

    /// Copies a frame as it is.
    static func copy(_ input: UnsafeMutablePointer<GstBuffer>, into output: UnsafeMutablePointer<GstBuffer>) -> Bool {
        map(input, output) { frame, place in
            guard place.count >= frame.count else { return nil }
            place.copyMemory(from: frame)
            return frame.count
        }
    }
}
