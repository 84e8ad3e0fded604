import BaseKit
import MediaRules

/// Where calls take picture and sound from: what the configuration asks for, and where it leaves that to the person, their
/// choices.
final class DeviceSources: Sendable {
    private let configured: (camera: CameraSource, microphone: MicrophoneSource, speaker: SpeakerSink)
    private let allowed: SoundProcessing
    private let fixedPictures: PictureChoices?
    /// Whether pictures are drawn.
    let drawsPictures: Bool
    private let state: Lock<DeviceChoices>
    private let ringing: Lock<RingChoices>

    init(_ configuration: AccountConfiguration, choices: DeviceChoices, ring: RingChoices = RingChoices()) {
        configured = (configuration.camera, configuration.microphone, configuration.speaker)
        allowed = configuration.allowedSoundProcessing
        fixedPictures = configuration.pictures
        drawsPictures = configuration.drawsPictures
        state = Lock(choices)
        ringing = Lock(ring)
    }

    var choices: DeviceChoices {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }

    var ring: RingChoices {
        get { ringing.withLock { $0 } }
        set { ringing.withLock { $0 = newValue } }
    }

    var camera: CameraSource {
        guard configured.camera == .automatic, let chosen = choices.camera else { return configured.camera }
        return .preferred(chosen)
    }

    var microphone: MicrophoneSource {
        guard configured.microphone == .automatic, let chosen = choices.microphone else { return configured.microphone }
        return .preferred(chosen)
    }

    var speaker: SpeakerSink {
        guard configured.speaker == .automatic, let chosen = choices.speaker else { return configured.speaker }
        return .preferred(chosen)
    }

    /// How the own pictures are sent.
    var pictures: PictureChoices { fixedPictures ?? choices.pictures }

    /// What the person wants done with the sound, as far as the configuration allows it.
    var soundProcessing: SoundProcessing {
        let wanted = choices.soundProcessing
        return SoundProcessing(
            echoCancellation: wanted.echoCancellation && allowed.echoCancellation,
            noiseSuppression: wanted.noiseSuppression && allowed.noiseSuppression,
            automaticGain: wanted.automaticGain && allowed.automaticGain)
    }
}
