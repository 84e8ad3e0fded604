import BaseKit
import MediaRules

@testable import DesktopApplication
@testable import FakeCalls

/// A call that does nothing by itself and notes what is done to it.
@MainActor final class StillCall: CallSession {
    var profile: ProfileLabel?
    let contact: ContactItem
    let isIncoming: Bool
    let kind: CallKind
    let cameraCount = 1
    let remoteVideo: (any VideoSource)? = nil
    let remoteScreen: (any VideoSource)? = nil
    let localVideo: (any VideoSource)? = nil
    private(set) var snapshot: CallSnapshot
    /// What was done to it, in order.
    private(set) var done: [String] = []
    /// How long a switch takes.
    var delay = Duration.zero
    private var listeners: [AsyncStream<CallSnapshot>.Continuation] = []

    init(_ name: String, _ stage: CallStage, kind: CallKind = .video) {
        contact = ContactItem(id: name, name: name, isTestCall: false, isConnected: true)
        isIncoming = stage == .ringingIn
        self.kind = kind
        snapshot = CallSnapshot(stage: stage, cameraEnabled: kind == .video)
    }

    func states() -> AsyncStream<CallSnapshot> {
        let (stream, listener) = AsyncStream<CallSnapshot>.makeStream()
        listener.yield(snapshot)
        listeners.append(listener)
        return stream
    }

    /// Something changes; `isTold` says whether anybody hears of it.
    func change(isTold: Bool = true, _ body: (inout CallSnapshot) -> Void) {
        body(&snapshot)
        if isTold { for listener in listeners { listener.yield(snapshot) } }
    }

    /// Something changes, and of all who want to know only the one who asked last hears of it.
    func changeForLast(_ body: (inout CallSnapshot) -> Void) {
        change(isTold: false, body)
        listeners.last?.yield(snapshot)
    }

    /// Says nothing more.
    func fallSilent() { for listener in listeners { listener.finish() } }

    func accept(_ kind: CallKind, makingRoom room: MakingRoom?) async {
        done.append("accept \(kind)" + (room.map { " \($0)" } ?? ""))
    }
    func ignore() async {
        done.append("ignore")
        change { $0.isIgnored = true }
    }
    func hold() async {
        done.append("hold")
        change { $0.isHeld = true }
    }
    func resume() async {
        done.append("resume")
        change { $0.isHeld = false }
    }
    func decline() async { done.append("decline") }
    func hangUp() async { done.append("hang up") }
    func continueWithClearMedia() async {
        done.append("clear media")
        change { $0.needsDecisionOnClearMedia = false }
    }
    func setMicrophoneEnabled(_ enabled: Bool) async {
        try? await Task.sleep(for: delay)
        done.append("microphone \(enabled)")
        change { $0.microphoneEnabled = enabled }
    }
    func setVolumes(_ volumes: SoundVolumes) async {
        done.append("volumes \(volumes.microphone) \(volumes.speaker) \(volumes.isSpeakerOn)")
        change { $0.volumes = volumes }
    }
    /// What its media count, and its code.
    var counts: MediaStatistics?
    var check: SecurityCheck?
    func statistics() async -> MediaStatistics? { counts }
    func securityCheck() async -> SecurityCheck? { check }
    func setCompared(_ code: String?) async throws {
        done.append("compared \(code ?? "nothing")")
        guard code == nil || code == check?.code else { throw Refusal("Another code holds.") }
        check?.isCompared = code != nil
    }
    func unmuteMicrophoneBySystem() async { done.append("unmute") }
    func setCameraEnabled(_ enabled: Bool) async {
        try? await Task.sleep(for: delay)
        done.append("camera \(enabled)")
        change { $0.cameraEnabled = enabled }
    }
    func flipCamera() async { done.append("flip") }
    func microphoneLevels() -> AsyncStream<Double> { AsyncStream { $0.finish() } }
    /// How loud they are, told to whoever listens.
    let voice = Broadcaster<Int>()
    func speakingSteps() -> AsyncStream<Int> { voice.stream() }
    func startSharing(withSound: Bool, content: ScreenContent) async { done.append("share \(content)") }
    func stopSharing() async { done.append("stop sharing") }
}
