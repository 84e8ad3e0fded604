import CGStreamer
import GLibKit
import MediaRules
import Portal

/// A device as one of the providers lists it, with what opens it.
struct ListedDevice {
    let record: DeviceRecord
    fileprivate let opening: Opening

    fileprivate enum Opening {
        /// GStreamer's object for it.
        case native(Object)
        /// A source or sink of the sound server, by its name.
        case sound(String)
        /// A node of the PipeWire server that listens there.
        case node(serial: String, socket: String)
    }

    /// One of GStreamer's for V4L2; nil for what no call needs.
    init?(_ native: Object) {
        guard let record = DeviceRecord(native) else { return nil }
        (self.record, opening) = (record, .native(native))
    }

    /// One of the sound server's.
    init(_ record: DeviceRecord) { (self.record, opening) = (record, .sound(record.internalName ?? "")) }

    /// One of PipeWire's.
    init(_ node: PipeWireNodes.Node, socket: String) {
        (record, opening) = (node.record, .node(serial: node.serial, socket: socket))
    }
}

/// A device under the name that a person knows, with what opens it.
///
/// Unchecked: `GstDevice` is counted atomically and only read.
struct FoundDevice: @unchecked Sendable {
    let device: MediaDevice
    /// The provider's own name for the device, by which PulseAudio's elements change to it while they play.
    let pulseName: String?
    /// Whether only one can have it open at a time. Sound servers and PipeWire let several share a device.
    let isExclusive: Bool
    private let kind: DeviceKind
    private let opening: ListedDevice.Opening

    init(_ device: MediaDevice, _ listed: ListedDevice) {
        self.device = device
        pulseName = listed.record.provider == .pulse ? listed.record.internalName : nil
        isExclusive = listed.record.provider == .v4l2
        (kind, opening) = (listed.record.kind, listed.opening)
    }

    /// The ways in which it gives pictures, as far as they are known without opening it.
    var modes: [CameraMode] {
        guard case .native(let native) = opening, let caps = gst_device_get_caps(native.pointer()) else { return [] }
        defer { gst_caps_unref(caps) }
        return CameraModes.read(caps)
    }

    /// Makes the element that opens the device. Throws ``MediaError/device(_:)``.
    func makeElement() throws(MediaError) -> Element {
        switch opening {
        case .native(let native):
            guard let element = gst_device_create_element(native.pointer(), nil) else {
                throw .device(.noElement(device.name))
            }
            return Element(retaining: element)
        case .sound(let name):
            let element = try Element.make(kind == .speaker ? "pulsesink" : "pulsesrc")
            element.set("device", name)
            return element
        case .node(let serial, let socket):
            let element = try Element.make(kind == .speaker ? "pipewiresink" : "pipewiresrc")
            guard let descriptor = ServerSockets.connect(to: socket) else { throw .device(.noElement(device.name)) }
            element.set("fd", descriptor)
            element.set("target-object", serial)
            // Elements share connections by the number of the descriptor: it must not become another one's as long as this one lives.
            g_object_set_data_full(
                element.pointer(), "parley-connection",
                CallbackData.keeping(FileDescriptor(adopting: descriptor)), CallbackData.release)
            return element
        }
    }
}

extension DeviceRecord {
    /// Reads GStreamer's object for a device of V4L2; nil for what no call needs.
    init?(_ native: Object) {
        guard let kind = Self.text(gst_device_get_device_class(native.pointer())).flatMap(Self.kind(ofClass:)) else {
            return nil
        }
        self.init(
            kind: kind, provider: .v4l2, name: Self.text(gst_device_get_display_name(native.pointer())) ?? "")
        guard let structure = gst_device_get_properties(native.pointer()) else { return }
        defer { gst_structure_free(structure) }
        for index in 0..<gst_structure_n_fields(structure) {
            guard let key = gst_structure_nth_field_name(structure, guint(index)) else { continue }
            if let text = gst_structure_get_string(structure, key) {
                properties[String(cString: key)] = String(cString: text)
            }
        }
    }

    private static func text(_ raw: UnsafeMutablePointer<CChar>?) -> String? {
        guard let raw else { return nil }
        defer { g_free(raw) }
        return String(cString: raw)
    }
}
