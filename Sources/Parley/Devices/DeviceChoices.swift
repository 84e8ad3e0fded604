import MediaRules

/// The devices that a person has chosen, and what is to be done with the microphone's sound and the own pictures; remembered by the profile.
public struct DeviceChoices: Sendable, Hashable, Codable {
    /// The camera; nil: the standard one.
    public var camera: MediaDevice?
    /// The microphone; nil: the standard one.
    public var microphone: MediaDevice?
    /// The speaker; nil: the standard one.
    public var speaker: MediaDevice?
    /// Echo, noise and gain.
    public var soundProcessing = SoundProcessing()

    /// How the own pictures are sent.
    public var pictures: PictureChoices {
        get { chosenPictures ?? PictureChoices() }
        set { chosenPictures = newValue }
    }

    /// Nil in profiles of before there was the choice.
    private var chosenPictures: PictureChoices?

    private enum CodingKeys: String, CodingKey {
        case camera, microphone, speaker, soundProcessing
        case chosenPictures = "pictures"
    }

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
