import BaseKit
import MediaRules
import Signaling

@testable import DesktopApplication

/// A call of several that does nothing by itself and notes what is done to it.
@MainActor final class StillGroupCall: GroupCallSession {
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
    /// How loud each is, told to whoever listens.
    let voices: [MemberNumber: Broadcaster<Int>]
    /// Their pictures.
    let videos: [MemberNumber: StillVideo]
    private var listeners: [AsyncStream<CallSnapshot>.Continuation] = []

    /// A call that Ben invited to, or that he was called in first.
    init(_ stage: CallStage, _ members: [GroupSnapshot.Member], kind: CallKind = .audio) {
        contact = .someone("Ben")
        isIncoming = stage == .ringingIn
        self.kind = kind
        snapshot = CallSnapshot(stage: stage, cameraEnabled: kind == .video)
        snapshot.group = GroupSnapshot(own: .of(1), members: members)
        videos = Dictionary(uniqueKeysWithValues: (2...9).map { (MemberNumber.of($0), StillVideo()) })
        voices = Dictionary(uniqueKeysWithValues: (2...9).map { (MemberNumber.of($0), Broadcaster<Int>()) })
    }

    func states() -> AsyncStream<CallSnapshot> {
        let (stream, listener) = AsyncStream<CallSnapshot>.makeStream()
        listener.yield(snapshot)
        listeners.append(listener)
        return stream
    }

    func change(_ body: (inout CallSnapshot) -> Void) {
        body(&snapshot)
        for listener in listeners { listener.yield(snapshot) }
    }

    func accept(_ kind: CallKind, makingRoom room: MakingRoom?) async { done.append("accept \(kind)") }
    func ignore() async { done.append("ignore") }
    func decline() async { done.append("decline") }
    func hangUp() async { done.append("hang up") }
    func setMicrophoneEnabled(_ enabled: Bool) async { done.append("microphone \(enabled)") }
    func setCameraEnabled(_ enabled: Bool) async { done.append("camera \(enabled)") }
    func raiseHand(_ isRaised: Bool) async {
        done.append("hand \(isRaised)")
        change { $0.group?.hasRaisedHand = isRaised }
    }
    func setVolume(_ factor: Double, of member: MemberNumber) async {
        done.append("volume \(member.value) \(factor)")
        change { snapshot in
            guard let index = snapshot.group?.members.firstIndex(where: { $0.id == member }) else { return }
            snapshot.group?.members[index].volume = factor
        }
    }
    func remove(_ member: MemberNumber) async { done.append("remove \(member.value)") }
    func invite(_ contact: ContactItem) async throws { done.append("invite \(contact.name)") }
    func video(of member: MemberNumber) async -> (any VideoSource)? { videos[member] }
    func speakingSteps(of member: MemberNumber) async -> AsyncStream<Int> {
        voices[member]?.stream() ?? AsyncStream { $0.finish() }
    }
    func microphoneLevels() -> AsyncStream<Double> { AsyncStream { $0.finish() } }
    func securityCheck(of member: MemberNumber) async -> SecurityCheck? {
        SecurityCheck(
            code: "Code \(member.value)",
            isCompared: snapshot.group?.members.first { $0.id == member }?.isCompared == true)
    }
    func setCompared(_ code: String?, of member: MemberNumber) async throws {
        done.append("compared \(code ?? "nothing") of \(member.value)")
        guard let index = snapshot.group?.members.firstIndex(where: { $0.id == member }) else { return }
        change { $0.group?.members[index].isCompared = code != nil }
    }
    func hold() async { done.append("hold") }
    func resume() async { done.append("resume") }
    func continueWithClearMedia() async {}
    func setVolumes(_ volumes: SoundVolumes) async {}
    func statistics() async -> MediaStatistics? { nil }
    func securityCheck() async -> SecurityCheck? { nil }
    func setCompared(_ code: String?) async throws {}
    func unmuteMicrophoneBySystem() async { done.append("unmute") }
    func flipCamera() async {}
    func startSharing(withSound: Bool, content: ScreenContent) async {
        done.append("share \(withSound)")
        change { $0.sharing = .on(withSound: withSound) }
    }
    func stopSharing() async {
        done.append("stop sharing")
        change { $0.sharing = .off }
    }
}
