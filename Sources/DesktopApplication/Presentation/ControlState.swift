import GLibKit
import MediaRules
import Wording

/// One round call button: its icon, what it would do, and whether it can.
struct ControlFace: Equatable {
    let icon: String
    let label: String
    var isTurnedOff = false
    /// Whether it stands out, as for something that others see.
    var isActive = false
    let isEnabled: Bool
}

/// What the controls of a call can do now.
struct ControlState: Equatable {
    let microphone: ControlFace
    let camera: ControlFace
    let share: ControlFace
    let hold: ControlFace
    /// Their sound.
    let speaker: ControlFace
    /// The own hand, in a call of several.
    let hand: ControlFace?
    let volumes: SoundVolumes
    /// Whether how loud the microphone is means anything now.
    let showsLevel: Bool
    let showsFlip: Bool
    let canFlip: Bool
    let canCollapse: Bool
    /// Whether there are several others, of whom one can be seen large.
    let canChooseView: Bool
    let canEnd: Bool
    let canAccept: Bool

    /// Works it out from the call.
    init(_ snapshot: CallSnapshot, kind: CallKind, cameraCount: Int) {
        let isOurs = snapshot.stage.isConsented && !snapshot.isHeld
        let isOfTwo = snapshot.group == nil
        microphone = ControlFace(
            icon: snapshot.microphoneEnabled ? "audio-input-microphone-symbolic" : "microphone-disabled-symbolic",
            label: snapshot.microphoneEnabled ? tr("Mute microphone") : tr("Unmute microphone"),
            isTurnedOff: !snapshot.microphoneEnabled, isEnabled: isOurs)
        camera = ControlFace(
            icon: snapshot.cameraEnabled ? "camera-video-symbolic" : "camera-disabled-symbolic",
            label: snapshot.cameraEnabled ? tr("Turn camera off") : tr("Turn camera on"),
            isTurnedOff: !snapshot.cameraEnabled, isEnabled: isOurs)
        let isSharing = snapshot.sharing != .off
        share = ControlFace(
            icon: "screen-shared-symbolic",
            label: isSharing ? tr("Stop sharing your screen") : tr("Share your screen"), isActive: isSharing,
            isEnabled: snapshot.stage.isFlowing && !snapshot.isHeld && !snapshot.isHeldByPeer)
        hold = ControlFace(
            icon: snapshot.isHeld ? "media-playback-start-symbolic" : "media-playback-pause-symbolic",
            label: snapshot.isHeld ? tr("Go on with the call") : tr("Put the call on hold"), isActive: snapshot.isHeld,
            isEnabled: isOfTwo && snapshot.stage.isFlowing)
        hand = snapshot.group.map { group in
            ControlFace(
                icon: "hand-raised-symbolic",
                label: group.hasRaisedHand ? tr("Lower your hand") : tr("Raise your hand"),
                isActive: group.hasRaisedHand, isEnabled: isOurs)
        }
        volumes = snapshot.volumes
        speaker = ControlFace(
            icon: volumes.isSpeakerOn ? "audio-volume-high-symbolic" : "audio-volume-muted-symbolic",
            label: volumes.isSpeakerOn ? tr("Turn their sound off") : tr("Turn their sound on"),
            isTurnedOff: !volumes.isSpeakerOn, isEnabled: isOfTwo && snapshot.stage.isConsented)
        showsLevel = snapshot.stage.isFlowing && snapshot.microphoneEnabled && !snapshot.isHeld
        // A call that began with sound has a camera to change once it is on.
        showsFlip = cameraCount > 1 && (kind == .video || snapshot.cameraEnabled)
        canFlip = showsFlip && isOurs && snapshot.cameraEnabled
        canCollapse = snapshot.stage.isConsented
        canChooseView = canCollapse && (snapshot.group?.members.count(where: \.isThere) ?? 0) > 1
        canEnd = snapshot.stage.isConsented
        canAccept = snapshot.stage == .ringingIn
    }
}
