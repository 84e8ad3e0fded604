import CGStreamer
import GLibKit
import MediaRules

/// A device together with GStreamer's object for it.
///
/// Unchecked: `GstDevice` is counted atomically and only read.
struct FoundDevice: @unchecked Sendable {
    let device: MediaDevice
    /// The provider's own name for the device, by which PulseAudio's elements change to it while they play.
    let pulseName: String?
    /// Whether only one can have it open at a time. Sound servers and PipeWire let several share a device.
    let isExclusive: Bool
    private let native: Object

    init(_ device: MediaDevice, native: Object) {
        self.device = device
        self.native = native
        let provider = DeviceRecord.Provider(typeName: native.typeName)
        pulseName = provider == .pulse ? native[property: "internal-name"] : nil
        isExclusive = provider == .v4l2
    }

    /// Makes the element that opens the device. Throws ``MediaError/device(_:)``.
    func makeElement() throws(MediaError) -> Element {
        guard let element = gst_device_create_element(native.pointer(), nil) else {
            throw .device(.noElement(device.name))
        }
        return Element(retaining: element)
    }
}

extension DeviceRecord {
    /// Reads GStreamer's object; nil for what no call needs.
    init?(_ native: Object) {
        guard let kind = Self.text(gst_device_get_device_class(native.pointer())).flatMap(Self.kind(ofClass:)) else {
            return nil
        }
        let provider = Provider(typeName: native.typeName)
        self.init(
            kind: kind, provider: provider, name: Self.text(gst_device_get_display_name(native.pointer())) ?? "",
            internalName: provider == .pulse ? native[property: "internal-name"] : nil)
        guard let structure = gst_device_get_properties(native.pointer()) else { return }
        defer { gst_structure_free(structure) }
        for index in 0..<gst_structure_n_fields(structure) {
            guard let key = gst_structure_nth_field_name(structure, guint(index)) else { continue }
            if let text = gst_structure_get_string(structure, key) {
                properties[String(cString: key)] = String(cString: text)
            }
        }
        var flag: gboolean = 0
        isDefault = gst_structure_get_boolean(structure, "is-default", &flag) != 0 && flag != 0
    }

    private static func text(_ raw: UnsafeMutablePointer<CChar>?) -> String? {
        guard let raw else { return nil }
        defer { g_free(raw) }
        return String(cString: raw)
    }
}
