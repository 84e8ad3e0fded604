import MediaRules

/// Where a call stands, as far as the person is concerned.
enum CallStage: Sendable, Equatable {
    /// We called; the other side has not accepted yet.
    case ringingOut
    /// They called; we have not accepted yet.
    case ringingIn
    /// Both want the call; media is not there yet.
    case connecting
    /// Media flows since this moment.
    case active(since: ContinuousClock.Instant)
    /// Media was lost and is being restored.
    case reconnecting
    /// Over, with the one sentence for its reason.
    case ended(sentence: String)
}

/// Whether our screen is shared.
enum SharingState: Sendable, Equatable {
    case off
    /// The desktop asks what may be shared.
    case starting
    /// It is shared, perhaps with the sound that programs make.
    case on(withSound: Bool)
}

/// Everything about a call that changes while it lasts.
struct CallSnapshot: Sendable, Equatable {
    /// Where the call stands.
    var stage: CallStage
    /// Whether our microphone is heard.
    var microphoneEnabled = true
    /// Whether our camera is seen.
    var cameraEnabled = false
    /// Whether our call waits for a relay that can't be reached.
    var isWaitingForRelay = false
    /// Whether theirs is heard.
    var peerMicrophone = true
    /// Whether theirs is seen.
    var peerCamera = false
    /// Whether theirs shares a screen.
    var peerScreen = false
    /// Whether we share ours.
    var sharing = SharingState.off
    /// Whether the person must say if the call may go on without end-to-end encryption.
    var needsDecisionOnClearMedia = false
    /// Whether our microphone, though on, gives no sound.
    var isMicrophoneSilent = false
    /// The devices in use; without those that a test picture, a file or nothing stands for.
    var devices = DevicesInUse()
    /// Sentences the person should know, such as "No camera was found."
    var notices: [String] = []
}
