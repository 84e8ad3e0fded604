import CGStreamer
import GLibKit

/// A camera, microphone or loudspeaker.
public struct MediaDevice: Sendable, Hashable, Identifiable {
    /// Names the device as long as it stays plugged in where it is.
    public var id: String
    /// Names the device for a person.
    public var name: String

    /// A device.
    public init(id: String, name: String) {
        self.id = id
        self.name = name
    }
}

/// What the machine has for calls.
public struct MediaDevices: Sendable, Equatable {
    /// The standard one first.
    public var cameras: [MediaDevice] = []
    /// The standard one first.
    public var microphones: [MediaDevice] = []
    /// The standard one first.
    public var speakers: [MediaDevice] = []

    /// Nothing at all.
    public init() {}

    /// One sentence for each kind of device that is missing.
    public var missing: [String] {
        (cameras.isEmpty ? [DeviceKind.camera.missing] : [])
            + (microphones.isEmpty ? [DeviceKind.microphone.missing] : [])
            + (speakers.isEmpty ? [DeviceKind.speaker.missing] : [])
    }
}

/// Knows the machine's cameras, microphones and loudspeakers. Looking opens no device.
public final class DeviceMonitor: Sendable {
    /// A monitor.
    public init() {}

    /// The devices there are now. Throws ``MediaError`` when GStreamer can't be started.
    public func devices() async throws -> MediaDevices {
        try MediaRuntime.start()
        return try await MediaQueue.run {
            let found = DeviceKind.allCases.reduce(into: [DeviceKind: [MediaDevice]]()) { found, kind in
                found[kind] = FoundDevice.all(kind).map(\.device)
            }
            var devices = MediaDevices()
            devices.cameras = found[.camera] ?? []
            devices.microphones = found[.microphone] ?? []
            devices.speakers = found[.speaker] ?? []
            return devices
        }
    }
}

/// What a device is for.
enum DeviceKind: String, Sendable, CaseIterable {
    case camera = "Video/Source"
    case microphone = "Audio/Source"
    case speaker = "Audio/Sink"

    /// What a person is told when there is none.
    var missing: String {
        switch self {
        case .camera: "No camera was found."
        case .microphone: "No microphone was found."
        case .speaker: "No speaker was found."
        }
    }

    /// What a person is told when the chosen one is not there.
    func absent(_ name: String) -> String {
        switch self {
        case .camera: "The camera “\(name)” was not found."
        case .microphone: "The microphone “\(name)” was not found."
        case .speaker: "The speaker “\(name)” was not found."
        }
    }
}

/// A device together with GStreamer's object for it.
///
/// Unchecked: `GstDevice` is counted atomically and only read.
struct FoundDevice: @unchecked Sendable {
    let device: MediaDevice
    private let native: Object
    private let isDefault: Bool
    private let provider: String

    /// Makes the element that opens the device. Throws ``MediaError/device(_:)``.
    func makeElement() throws(MediaError) -> Element {
        guard let element = gst_device_create_element(native.pointer(), nil) else {
            throw .device("The device “\(device.name)” can't be used.")
        }
        return Element(retaining: element)
    }

    /// The device with this id or name, or with nil the standard one. Blocks for about 20 ms.
    static func find(_ kind: DeviceKind, named name: String?) throws(MediaError) -> FoundDevice {
        let all = all(kind)
        guard let name else {
            guard let first = all.first else { throw .device(kind.missing) }
            return first
        }
        guard let match = all.first(where: { $0.device.id == name || $0.device.name == name }) else {
            throw .device(kind.absent(name))
        }
        return match
    }

    /// All devices of one kind, the standard one first, each once.
    static func all(_ kind: DeviceKind) -> [FoundDevice] {
        guard let monitor = gst_device_monitor_new() else { return [] }
        defer { gst_object_unref(monitor) }
        gst_device_monitor_add_filter(monitor, kind.rawValue, nil)
        guard gst_device_monitor_start(monitor) != 0 else { return [] }
        defer { gst_device_monitor_stop(monitor) }
        var found: [FoundDevice] = []
        let list = gst_device_monitor_get_devices(monitor)
        var next = list
        while let entry = next {
            if let device = entry.pointee.data { found.append(FoundDevice(adopting: device)) }
            next = entry.pointee.next
        }
        g_list_free(list)
        return sorted(found, kind: kind)
    }

    /// Under PipeWire each device of PulseAudio appears twice, and each camera of V4L2: PulseAudio's and V4L2's are kept.
    private static func sorted(_ all: [FoundDevice], kind: DeviceKind) -> [FoundDevice] {
        var found = all.filter { !$0.device.name.hasPrefix("Monitor of ") }
        let preferred = kind == .camera ? "V4l2" : "Pulse"
        let names = Set(found.filter { $0.provider.contains(preferred) }.map(\.device.name))
        found.removeAll {
            !$0.provider.contains(preferred) && (kind != .camera || names.contains($0.device.name)) && !names.isEmpty
        }
        return found.filter(\.isDefault) + found.filter { !$0.isDefault }
    }

    private init(adopting device: UnsafeMutableRawPointer) {
        native = Object(adopting: device)
        provider = native.typeName
        let name = gst_device_get_display_name(native.pointer()).map { text in
            defer { g_free(text) }
            return String(cString: text)
        }
        var identifier: String?
        var isDefault = false
        if let properties = gst_device_get_properties(native.pointer()) {
            for key in ["device.path", "api.v4l2.path", "node.name", "device.name"] where identifier == nil {
                identifier = gst_structure_get_string(properties, key).map { String(cString: $0) }
            }
            var flag: gboolean = 0
            isDefault = gst_structure_get_boolean(properties, "is-default", &flag) != 0 && flag != 0
            gst_structure_free(properties)
        }
        self.isDefault = isDefault
        self.device = MediaDevice(id: identifier ?? name ?? "", name: name ?? identifier ?? "")
    }
}
