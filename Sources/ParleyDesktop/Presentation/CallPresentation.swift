import GLibKit

/// Everything the call's windows show, worked out in one place from the call's state.
struct CallPresentation: Equatable {
    /// Which of the three pages of a call is shown.
    enum Screen: Equatable { case incoming, call, ended }

    /// What the windows know besides the call itself.
    struct Surroundings: Equatable {
        var now: ContinuousClock.Instant
        var hasRemotePicture = false
        var hasLocalPicture = false
    }

    let screen: Screen
    let name: String
    let status: String
    let showsRemoteVideo: Bool
    let showsPreview: Bool
    let peerMutedSentence: String?
    let notice: String?
    let needsDecisionOnClearMedia: Bool
    let controls: ControlState

    /// Works it out.
    init(contact: ContactItem, kind: CallKind, snapshot: CallSnapshot, cameraCount: Int, surroundings: Surroundings) {
        screen =
            switch snapshot.stage {
            case .ringingIn: .incoming
            case .ended: .ended
            case .ringingOut, .connecting, .active, .reconnecting: .call
            }
        name = contact.name
        status = Self.status(snapshot.stage, kind: kind, now: surroundings.now)
        let isFlowing = snapshot.stage.isFlowing
        showsRemoteVideo = isFlowing && kind == .video && snapshot.peerCamera && surroundings.hasRemotePicture
        showsPreview =
            snapshot.stage.isConsented && kind == .video && snapshot.cameraEnabled && surroundings.hasLocalPicture
        peerMutedSentence =
            isFlowing && !snapshot.peerMicrophone ? tr("%s’s microphone is off", naming: contact.name) : nil
        var notices = snapshot.stage.isEnded ? [] : snapshot.notices
        if isFlowing, kind == .video, !snapshot.peerCamera {
            notices.append(tr("%s’s camera is off", naming: contact.name))
        }
        notice = notices.isEmpty ? nil : notices.joined(separator: "\n")
        needsDecisionOnClearMedia = snapshot.needsDecisionOnClearMedia && !snapshot.stage.isEnded
        controls = ControlState(snapshot, kind: kind, cameraCount: cameraCount)
    }

    private static func status(_ stage: CallStage, kind: CallKind, now: ContinuousClock.Instant) -> String {
        switch stage {
        case .ringingOut: tr("Calling…")
        case .ringingIn: kind == .video ? tr("Incoming video call") : tr("Incoming call")
        case .connecting: tr("Connecting…")
        case .active(let since): DurationText.text(seconds: Int((now - since).components.seconds))
        case .reconnecting: tr("Reconnecting…")
        case .ended(let sentence): sentence
        }
    }
}
