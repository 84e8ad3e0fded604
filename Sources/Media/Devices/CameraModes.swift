import CGStreamer
import GLibKit
import MediaRules

/// Reads what a camera offers from GStreamer's caps.
enum CameraModes {
    /// Where a camera takes any size within bounds, those of common sizes that it takes.
    private static let common = [(1_920, 1_080), (1_280, 720), (640, 480), (320, 240)].map(PictureSize.init)

    /// All modes in the caps that a call can use.
    static func read(_ caps: UnsafeMutablePointer<GstCaps>) -> [CameraMode] {
        (0..<gst_caps_get_size(caps)).flatMap { index in gst_caps_get_structure(caps, index).map(modes) ?? [] }
    }

    private static func modes(of structure: UnsafeMutablePointer<GstStructure>) -> [CameraMode] {
        let codings: [CameraMode.Coding]
        if gst_structure_has_name(structure, "image/jpeg") != 0 {
            codings = [.jpeg]
        } else if gst_structure_has_name(structure, "video/x-raw") != 0 {
            let formats = values(of: structure, "format").compactMap(text)
            codings = formats.isEmpty ? [.raw(nil)] : formats.map { .raw($0) }
        } else {
            return []
        }
        let rate = rate(values(of: structure, "framerate"))
        return sizes(of: structure).flatMap { size in codings.map { CameraMode($0, size, rate: rate) } }
    }

    private static func sizes(of structure: UnsafeMutablePointer<GstStructure>) -> [PictureSize] {
        let (widths, heights) = (ranges(of: structure, "width"), ranges(of: structure, "height"))
        return widths.flatMap { width in
            heights.flatMap { height in
                width.count == 1 && height.count == 1
                    ? [PictureSize(width: width.lowerBound, height: height.lowerBound)]
                    : common.filter { width.contains($0.width) && height.contains($0.height) }
            }
        }
    }

    private static func ranges(of structure: UnsafeMutablePointer<GstStructure>, _ field: String) -> [ClosedRange<Int>]
    {
        values(of: structure, field).compactMap { value in
            if value.pointee.g_type == FundamentalType.int.rawValue {
                let number = Int(g_value_get_int(value))
                return number > 0 ? number...number : nil
            }
            guard value.pointee.g_type == gst_int_range_get_type() else { return nil }
            let (least, most) = (Int(gst_value_get_int_range_min(value)), Int(gst_value_get_int_range_max(value)))
            return least > 0 && least <= most ? least...most : nil
        }
    }

    /// The rate nearest to what a call sends, rather above it than below.
    private static func rate(_ values: [UnsafePointer<GValue>]) -> PictureRate? {
        let rates = values.compactMap(rate).filter { $0.value > 0 }
        let smooth = rates.filter { $0.value >= CameraMode.enough - 0.1 }
        return smooth.min { $0.value < $1.value } ?? rates.max { $0.value < $1.value }
    }

    private static func rate(_ value: UnsafePointer<GValue>) -> PictureRate? {
        if value.pointee.g_type == gst_fraction_get_type() { return fraction(value) }
        guard value.pointee.g_type == gst_fraction_range_get_type(),
            let lowest = gst_value_get_fraction_range_min(value), let highest = gst_value_get_fraction_range_max(value)
        else { return nil }
        let (least, most) = (fraction(lowest), fraction(highest))
        if most.value < CameraMode.enough { return most }
        return least.value > CameraMode.enough ? least : PictureRate(Int(CameraMode.enough))
    }

    private static func fraction(_ value: UnsafePointer<GValue>) -> PictureRate {
        PictureRate(Int(gst_value_get_fraction_numerator(value)), Int(gst_value_get_fraction_denominator(value)))
    }

    /// A field's value, or those of its list.
    private static func values(
        of structure: UnsafeMutablePointer<GstStructure>, _ field: String
    ) -> [UnsafePointer<GValue>] {
        guard let value = gst_structure_get_value(structure, field) else { return [] }
        guard value.pointee.g_type == gst_value_list_get_type() else { return [value] }
        return (0..<gst_value_list_get_size(value)).compactMap { gst_value_list_get_value(value, $0) }
    }

    private static func text(_ value: UnsafePointer<GValue>) -> String? {
        value.pointee.g_type == FundamentalType.string.rawValue
            ? g_value_get_string(value).map { String(cString: $0) } : nil
    }
}
