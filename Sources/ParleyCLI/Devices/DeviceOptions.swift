import ArgumentParser
import MediaRules
import Parley
import Wording

/// Where picture and sound come from and go, and what is done with the sound.
struct DeviceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Camera: “test” (a moving pattern), “none”, file:PATH, or a device's name or id.", valueName: "SOURCE"))
    var camera: SourceArgument?

    @Option(
        help: ArgumentHelp(
            "Microphone: “test” (a tone), “none”, file:PATH, or a device's name or id.", valueName: "SOURCE"))
    var microphone: SourceArgument?

    @Option(
        help: ArgumentHelp("Speaker: “none”, or a device's name or id. See “devices”.", valueName: "WHERE"))
    var speaker: SpeakerArgument?

    @Flag(name: .customLong("no-echo-cancellation"), help: "Leave in the microphone's sound what the speaker plays.")
    var keepsEcho = false

    @Flag(name: .customLong("no-noise-suppression"), help: "Leave noise in the microphone's sound.")
    var keepsNoise = false

    @Flag(name: .customLong("no-gain"), help: "Leave the microphone's sound as loud as it is.")
    var keepsGain = false

    @Option(
        name: .customLong("camera-rows"),
        help: ArgumentHelp("Most rows of the camera's pictures, of 16 to 9: 720 or 1080.", valueName: "ROWS"))
    var cameraRows: CameraRows?

    @Flag(name: .customLong("low-data"), help: "Send at most 250 kbit/s, with smaller pictures.")
    var savesData = false

    func validate() throws {
        for case .file(let path) in [camera, microphone] where !SourceArgument.isReadableFile(path) {
            throw ValidationError(tr("The file “%s” can't be read.", path))
        }
    }

    /// Whether nothing was chosen.
    var areUsual: Bool {
        camera == nil && microphone == nil && speaker == nil && !keepsEcho && !keepsNoise && !keepsGain
            && pictures == nil
    }

    /// How the own pictures are sent; nil where nothing was said of them.
    var pictures: PictureChoices? {
        guard cameraRows != nil || savesData else { return nil }
        var choices = PictureChoices()
        choices.camera = cameraRows?.quality ?? .standard
        choices.savesData = savesData
        return choices
    }

    /// What may be done with the sound.
    var allowedSoundProcessing: SoundProcessing {
        SoundProcessing(echoCancellation: !keepsEcho, noiseSuppression: !keepsNoise, automaticGain: !keepsGain)
    }

    /// Writes them into an account's configuration; what is not named stays the person's choice.
    func apply(to configuration: inout AccountConfiguration) {
        configuration.camera = camera.map(CameraSource.init) ?? .automatic
        configuration.microphone = microphone.map(MicrophoneSource.init) ?? .automatic
        configuration.speaker = speaker?.sink ?? .automatic
        configuration.allowedSoundProcessing = allowedSoundProcessing
        configuration.pictures = pictures
    }

    /// Writes them into a test call, which opens only the devices that are named.
    func apply(to testCall: inout Parley.TestCall) {
        testCall.camera = camera.map(CameraSource.init) ?? .test
        testCall.microphone = microphone.map(MicrophoneSource.init) ?? .test
        testCall.speaker = speaker?.sink ?? .none
        testCall.allowedSoundProcessing = allowedSoundProcessing
        testCall.pictures = pictures
    }
}

/// The value of `--camera-rows`.
enum CameraRows: String, ExpressibleByArgument, CaseIterable, Sendable {
    case standard = "720"
    case high = "1080"

    var quality: CameraQuality {
        switch self {
        case .standard: .standard
        case .high: .high
        }
    }
}

/// The value of `--speaker`.
enum SpeakerArgument: ExpressibleByArgument, Equatable, Sendable {
    case none
    case named(String)

    init?(argument: String) {
        switch argument {
        case "": return nil
        case "none": self = .none
        default: self = .named(argument)
        }
    }

    var sink: SpeakerSink {
        switch self {
        case .none: .none
        case .named(let name): .named(name)
        }
    }
}
