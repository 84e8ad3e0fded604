/// A camera, microphone or loudspeaker.
public struct MediaDevice: Sendable, Hashable, Codable, Identifiable {
    /// Names the device; the same after it was unplugged and plugged in again at the same place, and after a restart.
    public var id: String
    /// Names the device for a person; no other of its kind has this name at the same time.
    public var name: String

    /// A device.
    public init(id: String, name: String) {
        self.id = id
        self.name = name
    }
}

/// What a device is for.
public enum DeviceKind: String, Sendable, CaseIterable, Codable {
    case camera, microphone, speaker
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

    /// The devices of one kind.
    public subscript(kind: DeviceKind) -> [MediaDevice] {
        switch kind {
        case .camera: cameras
        case .microphone: microphones
        case .speaker: speakers
        }
    }

    /// The kinds of which there is none.
    public var missing: [DeviceKind] { DeviceKind.allCases.filter { self[$0].isEmpty } }
}
