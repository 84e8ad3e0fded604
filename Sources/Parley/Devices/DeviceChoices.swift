import MediaRules

/// The devices that a person has chosen, and what is to be done with the microphone's sound; remembered by the profile.
public struct DeviceChoices: Sendable, Hashable, Codable {
    /// The camera; nil: the standard one.
    public var camera: MediaDevice?
    /// The microphone; nil: the standard one.
    public var microphone: MediaDevice?
    /// The speaker; nil: the standard one.
    public var speaker: MediaDevice?
    /// Echo, noise and gain.
    public var soundProcessing = SoundProcessing()

    /// The standard ones.
    public init() {}

    /// The choice for a kind.
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
