import BaseKit
import Calling
import DesktopApplication
import Glibc
import MediaRules
import Signaling

/// A pretended call of several: who is called joins one after the other, speaks, mutes and raises a hand. With `FAKE_CALLS_STAGES` in the
/// environment each stands elsewhere instead.
@MainActor final class FakeGroupCall: GroupCallSession {
    let contact: ContactItem
    let isIncoming: Bool
    private(set) var kind: CallKind
    private(set) var snapshot: CallSnapshot
    let cameraCount = 1
    let remoteVideo: (any VideoSource)? = nil
    let remoteScreen: (any VideoSource)? = nil
    var localVideo: (any VideoSource)? { isOpen ? local : nil }

    /// Is told when the person leaves others who are in it.
    var onLeave: @MainActor () -> Void = {}

    private let pause: Duration
    private let local = FakeVideo(width: 320, height: 240, hue: 128)
    private var videos: [MemberNumber: FakeVideo] = [:]
    private let listeners = Broadcaster<CallSnapshot>()
    private var running: Task<Void, Never>?
    private var isOpen = false
    /// The call of two that is to go over into this one.
    private var talk: (any CallSession)?

    /// A call with these; of one that comes in the first invites. `talk` is the call with the first in which it is asked whether the others, who
    /// are called `adding`, are added.
    init(
        _ contacts: [ContactItem], kind: CallKind, isIncoming: Bool, pause: Duration,
        talk: (any CallSession)? = nil, adding: [String]? = nil
    ) {
        self.talk = talk
        (contact, self.kind, self.isIncoming, self.pause) = (contacts[0], kind, isIncoming, pause)
        snapshot = CallSnapshot(stage: isIncoming ? .ringingIn : .ringingOut)
        snapshot.cameraEnabled = kind == .video
        let first = isIncoming ? 1 : 2
        var group = GroupSnapshot(
            own: Self.number(isIncoming ? contacts.count + 1 : 1),
            members: contacts.enumerated().map { index, contact in
                Self.member(first + index, contact, isIncoming ? .connecting : .inviting)
            })
        (group.isHost, group.adding) = (!isIncoming, adding)
        if isIncoming { group.members[0].isHost = true }
        snapshot.group = group
        if !isIncoming { run() }
    }

    private static func number(_ value: Int) -> MemberNumber { MemberNumber(value) ?? .first }

    private static func member(
        _ number: Int, _ contact: ContactItem, _ stage: GroupCallUpdate.MemberStage
    ) -> GroupSnapshot.Member {
        var member = GroupSnapshot.Member(id: Self.number(number), name: contact.name, stage: stage)
        // Who mutes was introduced by another.
        member.contact = contact.id == FakeScript.mutes.rawValue ? nil : contact
        return member
    }

    func states() -> AsyncStream<CallSnapshot> { listeners.stream(beginning: [snapshot]) }

    func accept(_ kind: CallKind, makingRoom room: MakingRoom?) async {
        guard snapshot.stage == .ringingIn else { return }
        self.kind = kind
        change { $0.cameraEnabled = kind == .video }
        run()
    }

    func ignore() async { change { $0.isIgnored = true } }
    func decline() async { end("You declined the call.") }
    func hangUp() async {
        if snapshot.group?.members.contains(where: { $0.stage == .connected }) == true { onLeave() }
        end("You left the call.")
    }
    func setMicrophoneEnabled(_ enabled: Bool) async { change { $0.microphoneEnabled = enabled } }
    func setCameraEnabled(_ enabled: Bool) async { change { $0.cameraEnabled = enabled } }
    func raiseHand(_ isRaised: Bool) async { change { $0.group?.hasRaisedHand = isRaised } }
    func setVolume(_ factor: Double, of member: MemberNumber) async {
        guard let index = snapshot.group?.members.firstIndex(where: { $0.id == member }) else { return }
        change { $0.group?.members[index].volume = factor }
    }

    func remove(_ member: MemberNumber) async { set(.removed, of: member) }

    func invite(_ contact: ContactItem) async throws {
        guard let members = snapshot.group?.members, members.count < 7 else { return }
        let number = (members.map { Int($0.id.value) } + [Int(snapshot.group?.own.value ?? 1)]).max() ?? 1
        let member = Self.member(number + 1, contact, .inviting)
        change { $0.group?.members.append(member) }
        try? await Task.sleep(for: pause * 2)
        await join(member.id)
    }

    func video(of member: MemberNumber) async -> (any VideoSource)? { videos[member] }

    func speakingSteps(of member: MemberNumber) async -> AsyncStream<Int> {
        let (steps, listener) = AsyncStream<Int>.makeStream()
        for step in member.value % 2 == 0 ? [1, 2] : [0] { listener.yield(step) }
        return steps
    }

    func securityCheck(of member: MemberNumber) async -> SecurityCheck? {
        guard let found = snapshot.group?.members.first(where: { $0.id == member }) else { return nil }
        return SecurityCheck(
            code: "0123456789 \(member.value)", isCompared: found.contact?.isCompared ?? found.isCompared)
    }

    func setCompared(_ code: String?, of member: MemberNumber) async throws {
        guard let index = snapshot.group?.members.firstIndex(where: { $0.id == member }) else { return }
        change {
            $0.group?.members[index].isCompared = code != nil
            $0.group?.members[index].contact?.isCompared = code != nil
        }
    }

    func hold() async {}
    func resume() async {}
    func continueWithClearMedia() async {}
    func setVolumes(_ volumes: SoundVolumes) async {}
    func statistics() async -> MediaStatistics? { nil }
    func securityCheck() async -> SecurityCheck? { nil }
    func setCompared(_ code: String?) async throws {}
    func unmuteMicrophoneBySystem() async { change { $0.isMicrophoneMutedBySystem = false } }
    func flipCamera() async {}
    func microphoneLevels() -> AsyncStream<Double> { FakeDevices.voice() }
    func startSharing(withSound: Bool, content: ScreenContent) async {
        change { $0.sharing = .on(withSound: withSound) }
    }
    func stopSharing() async { change { $0.sharing = .off } }

    // MARK: Its course

    private func run() {
        running = Task { [weak self, pause] in
            guard let self else { return }
            if talk != nil, !isIncoming {
                try? await Task.sleep(for: pause * 4)
                // Who is muted wants nobody else.
                guard !Task.isCancelled, contact.id != FakeScript.isMuted.rawValue else {
                    if let first = snapshot.group?.members.first { set(.declined, of: first.id) }
                    return end("Nobody joined the call.")
                }
            }
            await talk?.hold()
            change {
                if $0.group?.adding != nil { $0.stage = .connecting }
                $0.group?.adding = nil
            }
            isOpen = true
            local.start()
            if isIncoming { change { $0.stage = .connecting } }
            if getenv("FAKE_CALLS_STAGES") != nil { return await standStill() }
            for member in snapshot.group?.members ?? [] {
                if member.stage == .inviting { set(.ringing, of: member.id) }
                try? await Task.sleep(for: pause)
                guard !Task.isCancelled else { return }
                guard member.contact?.id != FakeScript.declines.rawValue else {
                    set(.declined, of: member.id)
                    continue
                }
                await join(member.id)
                await talk?.hangUp()
                talk = nil
            }
        }
    }

    /// Each stands elsewhere, and stays there.
    private func standStill() async {
        let stages: [GroupCallUpdate.MemberStage] = [
            .connected, .reconnecting, .connecting, .inviting, .declined, .busy, .left,
        ]
        for (member, stage) in zip(snapshot.group?.members ?? [], stages) {
            if [.connected, .reconnecting].contains(stage) { await join(member.id) }
            set(stage, of: member.id)
        }
    }

    private func join(_ number: MemberNumber) async {
        set(.connecting, of: number)
        try? await Task.sleep(for: pause)
        guard let index = snapshot.group?.members.firstIndex(where: { $0.id == number }) else { return }
        let shares = snapshot.group?.members[index].contact?.id == FakeScript.shares.rawValue
        let video = FakeVideo(
            width: shares ? 1_280 : 640, height: shares ? 720 : 360, hue: Int(number.value) * 60)
        videos[number] = video
        video.start()
        let mutes = snapshot.group?.members[index].contact == nil
        let isOn = if case .active = snapshot.stage { true } else { false }
        change {
            if !isOn { $0.stage = .active(since: .now) }
            $0.group?.members[index].stage = .connected
            $0.group?.members[index].camera = kind == .video && !mutes
            $0.group?.members[index].screen = shares
            $0.group?.members[index].microphone = !mutes
            $0.group?.members[index].hand = mutes
        }
    }

    private func set(_ stage: GroupCallUpdate.MemberStage, of number: MemberNumber) {
        guard let index = snapshot.group?.members.firstIndex(where: { $0.id == number }) else { return }
        change { $0.group?.members[index].stage = stage }
    }

    private func change(_ body: (inout CallSnapshot) -> Void) {
        guard !snapshot.stage.isEnded else { return }
        body(&snapshot)
        listeners.send(snapshot)
    }

    private func end(_ sentence: String) {
        running?.cancel()
        for video in videos.values { video.stop() }
        local.stop()
        change { $0.stage = .ended(sentence: sentence) }
        listeners.finish()
    }
}
