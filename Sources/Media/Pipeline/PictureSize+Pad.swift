import CGStreamer
import MediaRules

extension PictureSize {
    /// The size of the pictures that pass a pad now.
    init?(of pad: UnsafeMutablePointer<GstPad>) {
        guard let caps = gst_pad_get_current_caps(pad) else { return nil }
        defer { gst_caps_unref(caps) }
        var (width, height) = (gint(0), gint(0))
        let structure = gst_caps_get_structure(caps, 0)
        guard gst_structure_get_int(structure, "width", &width) != 0,
            gst_structure_get_int(structure, "height", &height) != 0
        else { return nil }
        self.init(width: Int(width), height: Int(height))
    }
}
