import MediaRules

/// One call, as far as the windows use it.
@MainActor package protocol CallSession: AnyObject {
    /// The profile whose call it is; nil where there can be but one.
    var profile: ProfileLabel? { get }
    /// The same, where it is a call of several; nil for one of two.
    var several: (any GroupCallSession)? { get }
    /// The other person.
    var contact: ContactItem { get }
    /// Whether they called.
    var isIncoming: Bool { get }
    /// What the caller asked for.
    var kind: CallKind { get }
    /// How the call stands at this moment; what `states()` gives may be older by the time it is heard.
    var snapshot: CallSnapshot { get }
    /// How many cameras could be used.
    var cameraCount: Int { get }
    /// Their picture, once media is open.
    var remoteVideo: (any VideoSource)? { get }
    /// The screen they share, once media is open.
    var remoteScreen: (any VideoSource)? { get }
    /// Our own picture, once media is open.
    var localVideo: (any VideoSource)? { get }

    /// The present state and every later one; finishes after `.ended`.
    func states() -> AsyncStream<CallSnapshot>
    /// Takes the call; `room` says what becomes of the call that the person is in. Without it, they must be in none.
    func accept(_ kind: CallKind, makingRoom room: MakingRoom?) async
    /// Lets it ring on unheard.
    func ignore() async
    /// Puts it on hold.
    func hold() async
    /// Goes on with it; another call that the person is in is put on hold.
    func resume() async
    func decline() async
    func hangUp() async
    /// Goes on without end-to-end encryption after having been asked.
    func continueWithClearMedia() async
    func setMicrophoneEnabled(_ enabled: Bool) async
    /// Makes both sides' sound louder or quieter here, or theirs silent.
    func setVolumes(_ volumes: SoundVolumes) async
    /// What its media have counted; nil before there are any.
    func statistics() async -> MediaStatistics?
    /// The code by which the two make sure that nobody is between them; nil where there is none.
    func securityCheck() async -> SecurityCheck?
    /// Remembers that this code was compared; nil: that it was not.
    func setCompared(_ code: String?) async throws
    /// Has the desktop unmute the microphone that it has muted.
    func unmuteMicrophoneBySystem() async
    func setCameraEnabled(_ enabled: Bool) async
    func flipCamera() async
    /// How loud our microphone is, from 0 to 1, at most 20 times a second.
    func microphoneLevels() -> AsyncStream<Double>
    /// How loud they speak, in steps from 0 (silent) to 3, each time it is another one.
    func speakingSteps() -> AsyncStream<Int>
    /// Shares our screen, as far as the desktop and the person allow it.
    func startSharing(withSound: Bool, content: ScreenContent) async
    func stopSharing() async
}

extension CallSession {
    /// That there can be but one.
    package var profile: ProfileLabel? { nil }

    /// That it is one of two.
    package var several: (any GroupCallSession)? { nil }

    /// That nobody measures it.
    package func speakingSteps() -> AsyncStream<Int> { AsyncStream { $0.finish() } }

    /// Takes the call, while the person is in no other.
    package func accept(_ kind: CallKind) async { await accept(kind, makingRoom: nil) }
}

/// A contact's security code.
package struct SecurityCheck: Sendable, Equatable {
    /// The code, as it is read out.
    package var code: String
    /// Whether it was compared.
    package var isCompared: Bool

    package init(code: String, isCompared: Bool) { (self.code, self.isCompared) = (code, isCompared) }
}

/// What becomes of the call that the person is in when another one takes its place.
package enum MakingRoom: Sendable, Hashable {
    /// It is put on hold, which needs a call that is on.
    case hold
    case end
}
