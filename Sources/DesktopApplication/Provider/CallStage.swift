import BaseKit
import Calling
import MediaRules

/// Where a call stands, as far as the person is concerned.
package enum CallStage: Sendable, Equatable {
    /// We called; the other side has not accepted yet.
    case ringingOut
    /// They called; we have not accepted yet.
    case ringingIn
    /// Both want the call; media is not there yet.
    case connecting
    /// Media flows since this moment.
    case active(since: Instant)
    /// Media was lost and is being restored.
    case reconnecting
    /// Over, with the one sentence for its reason.
    case ended(sentence: String)
}

extension CallStage {
    /// Whether the person here has dialled or accepted and the call is not over.
    var isConsented: Bool {
        switch self {
        case .ringingOut, .connecting, .active, .reconnecting: true
        case .ringingIn, .ended: false
        }
    }

    /// Whether the call is over.
    package var isEnded: Bool {
        if case .ended = self { true } else { false }
    }

    /// Whether pictures may be shown.
    var isFlowing: Bool {
        switch self {
        case .active, .reconnecting: true
        case .ringingOut, .ringingIn, .connecting, .ended: false
        }
    }
}

/// Whether our screen is shared.
package enum SharingState: Sendable, Equatable {
    case off
    /// The desktop asks what may be shared.
    case starting
    /// It is shared, perhaps with the sound that programs make.
    case on(withSound: Bool)
}

/// Everything about a call that changes while it lasts.
package struct CallSnapshot: Sendable, Equatable {
    /// Where the call stands.
    package var stage: CallStage
    /// Whether our microphone is heard.
    package var microphoneEnabled = true
    /// Whether our camera is seen.
    package var cameraEnabled = false
    /// Whether frames are encrypted end to end; false until it is known.
    package var isEncrypted = false
    /// Whether it is known that they are not.
    package var isClear = false
    /// Why it ended, as programs are told it, such as `hungUp` (`CallEndReason`); empty before.
    package var endReason = ""
    /// Whether it ended because they are in another call.
    var isPeerBusy = false
    /// Whether their device has confirmed that it has our call.
    package var isDelivered = false
    /// Whether our call waits for a relay that can't be reached.
    package var isWaitingForRelay = false
    /// Whether theirs is heard.
    package var peerMicrophone = true
    /// Whether theirs is seen.
    package var peerCamera = false
    /// Whether theirs is on and their link carries too little for its pictures, as their program says.
    package var isPeerPicturePaused = false
    /// Whether theirs shares a screen.
    package var peerScreen = false
    /// Whether we share ours.
    package var sharing = SharingState.off
    /// Whether the person must say if the call may go on without end-to-end encryption.
    package var needsDecisionOnClearMedia = false
    /// Whether our microphone, though on, gives no sound.
    package var isMicrophoneSilent = false
    /// Whether the desktop has muted it.
    package var isMicrophoneMutedBySystem = false
    /// The devices in use; without those that a test picture, a file or nothing stands for.
    package var devices = DevicesInUse()
    /// Whether it rings while the person is in another call.
    package var isWaiting = false
    /// Whether the person wants to hear no more of it, though it rings.
    package var isIgnored = false
    /// Whether they have not answered because they are in another call.
    package var isWaitingAtPeer = false
    /// Whether we have put it on hold.
    package var isHeld = false
    /// Whether they have, as far as their program says so.
    package var isHeldByPeer = false
    /// Who else is in it, for a call of several.
    package var group: GroupSnapshot? {
        didSet {
            guard let group else { return }
            (isDelivered, isWaitingForRelay) = (group.rings, group.waitsForRelays)
        }
    }
    /// How loud the person wants it.
    package var volumes = SoundVolumes()
    /// Sentences the person should know, such as "No camera was found."
    package var notices: [String] = []
}

extension CallSnapshot {
    /// Whether it is no call yet but a question within a call of two: whether both go over into this one.
    var isQuestion: Bool { group?.adding != nil && !stage.isEnded }

    /// Whether it is over, though neither of the two has ended or declined it, and may be tried again.
    var isFailure: Bool {
        guard case .ended = stage, let reason = CallEndReason(rawValue: endReason) else { return false }
        return switch reason {
        case .hungUp, .peerHungUp, .cancelled, .declined, .declinedByPeer, .replaced, .contactGone, .notPermitted: false
        default: true
        }
    }

    /// A call at this stage, about which nothing else is known.
    package init(stage: CallStage) { self.init(stage: stage, microphoneEnabled: true) }
}
