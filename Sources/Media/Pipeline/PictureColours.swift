import CGStreamer
import GLibKit
import MediaRules

/// What the numbers of pictures mean, in GStreamer's words.
enum PictureColours {
    /// Those of VP8 (RFC 6386 §9.2): YUV by BT.601, black 16 and white 235.
    static let vp8 = "bt601"

    /// The same format, said to have VP8's colours. The caller owns it.
    static func labelled(_ caps: UnsafeMutablePointer<GstCaps>) -> UnsafeMutablePointer<GstCaps>? {
        let colours = Value(type: FundamentalType.string.rawValue)
        colours.set(vp8)
        guard let copy = gst_caps_copy(caps) else { return nil }
        gst_caps_set_value(copy, "colorimetry", colours.storage)
        return copy
    }

    /// The format of a call's pictures, but for their size.
    static let format = "video/x-raw,format=I420,pixel-aspect-ratio=1/1,colorimetry=\(vp8)"
    /// The end of a source's chain, behind its converter, where its pictures have these colours, in `gst-launch` syntax.
    static let chain = "videobalance name=range ! capsfilter name=\(filter) caps=\"\(format)\""
    /// The element in it that may be told their size.
    static let filter = "size"

    /// Has a source's chain follow what its pictures say as they come into the element called `input`: its converter is told what they are, and
    /// where only black and white differ, they are brought to television's.
    static func follow(_ input: String, in chain: Element) throws(MediaError) {
        let range = try chain.child("range")
        try chain.child(input).pad("sink")?.replaceFormat { caps in
            let colours = SourceColours(of: caps)
            let isFull = colours?.needRange ?? false
            range.set("contrast", isFull ? TelevisionRange.contrast : 1)
            range.set("brightness", isFull ? TelevisionRange.brightness : 0)
            range.set("saturation", isFull ? TelevisionRange.saturation : 1)
            return colours?.areVP8s == true ? labelled(caps) : nil
        }
    }
}

extension SourceColours {
    /// What raw pictures of a format say; nil where they are neither YUV nor grey. Grey ones have all 256 steps unless they say otherwise.
    init?(of caps: UnsafeMutablePointer<GstCaps>) {
        guard gst_caps_get_size(caps) > 0, let structure = gst_caps_get_structure(caps, 0),
            let format = gst_structure_get_string(structure, "format"),
            let info = gst_video_format_get_info(gst_video_format_from_string(format))
        else { return nil }
        let isGrey = info.pointee.flags.rawValue & GST_VIDEO_FORMAT_FLAG_GRAY.rawValue != 0
        guard isGrey || info.pointee.flags.rawValue & GST_VIDEO_FORMAT_FLAG_YUV.rawValue != 0 else { return nil }
        var colours = GstVideoColorimetry()
        let text = gst_structure_get_string(structure, "colorimetry")
        guard let text, gst_video_colorimetry_from_string(&colours, text) != 0 else {
            self.init(matrix: nil, range: isGrey ? .full : nil)
            return
        }
        let matrix: Matrix? =
            switch colours.matrix {
            case GST_VIDEO_COLOR_MATRIX_UNKNOWN: nil
            case GST_VIDEO_COLOR_MATRIX_BT601: .bt601
            default: .other
            }
        let range: Range? =
            switch colours.range {
            case GST_VIDEO_COLOR_RANGE_0_255: .full
            case GST_VIDEO_COLOR_RANGE_16_235: .television
            default: isGrey ? .full : nil
            }
        self.init(matrix: matrix, range: range)
    }
}
