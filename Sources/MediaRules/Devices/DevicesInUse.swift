/// The devices that a call has chosen.
public struct DevicesInUse: Sendable, Hashable {
    /// The camera; nil when there is none or none is meant, as with the test picture.
    public var camera: MediaDevice?
    /// The microphone, likewise.
    public var microphone: MediaDevice?
    /// The speaker, likewise.
    public var speaker: MediaDevice?

    /// None.
    public init() {}

    /// The device of a kind.
    public subscript(kind: DeviceKind) -> MediaDevice? {
        get {
            switch kind {
            case .camera: camera
            case .microphone: microphone
            case .speaker: speaker
            }
        }
        set {
            switch kind {
            case .camera: camera = newValue
            case .microphone: microphone = newValue
            case .speaker: speaker = newValue
            }
        }
    }
}
