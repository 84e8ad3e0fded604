import CGStreamer

/// Somebody can't show pictures before a key frame, as the RTP session says it inside a pipeline.
enum KeyFrameWish {
    /// Whether an event is such a wish, and about this source, or about any.
    static func isMeant(_ event: UnsafeMutablePointer<GstEvent>, of source: UInt32) -> Bool {
        guard gst_video_event_is_force_key_unit(event) != 0 else { return false }
        var named: guint = 0
        guard let structure = gst_event_get_structure(event),
            gst_structure_get_uint(structure, "ssrc", &named) != 0
        else { return true }
        return named == source
    }
}
