import BaseKit
import Calling
import Media
import MediaRules
import Parley
import Signaling
import Wording

/// A call of several of the account behind the windows.
@MainActor final class AccountGroupCall: GroupCallSession {
    let contact: ContactItem
    let isIncoming: Bool
    private let call: GroupCall
    private weak var provider: AccountProvider?
    private let lastProfile: ProfileLabel?
    private var local: FeedSource?
    private var videos: [MemberNumber: FeedSource] = [:]
    /// Since when it is on.
    private var since: Instant?

    /// A call of the account of `provider`.
    init(_ call: GroupCall, of provider: AccountProvider) {
        (self.call, self.provider, lastProfile) = (call, provider, provider.profileLabel)
        let first = call.state.members.first
        contact =
            provider.item(call.contact?.id) ?? call.contact.map { ContactItem($0) }
            ?? ContactItem(id: "", name: first?.name ?? Contact.unknownName, isTestCall: false, isConnected: true)
        isIncoming = call.direction == .incoming
    }

    var profile: ProfileLabel? { provider?.profileLabel ?? lastProfile }
    var kind: CallKind { CallKind(call.state.media) }
    var snapshot: CallSnapshot { reading(call.state) }
    var cameraCount: Int { call.state.cameraCount }
    var remoteVideo: (any VideoSource)? { nil }
    var remoteScreen: (any VideoSource)? { nil }

    var localVideo: (any VideoSource)? {
        if let feed = call.localVideo, local?.feed !== feed { local = FeedSource(feed) }
        return local
    }

    func states() -> AsyncStream<CallSnapshot> {
        let (stream, listener) = AsyncStream<CallSnapshot>.makeStream()
        let following = Task { [call, weak self] in
            for await state in call.states() {
                guard let self else { break }
                listener.yield(reading(state))
            }
            listener.finish()
        }
        listener.onTermination = { _ in following.cancel() }
        return stream
    }

    // MARK: What any call can do

    func accept(_ kind: CallKind, makingRoom room: MakingRoom?) async {
        guard await provider?.makeRoom?(room) ?? true else { return }
        await call.accept(media: kind.media)
    }

    func ignore() async { call.ignore() }
    func decline() async { await call.decline() }
    func hangUp() async { await call.hangUp() }
    func setMicrophoneEnabled(_ enabled: Bool) async { await call.setMicrophoneEnabled(enabled) }
    func unmuteMicrophoneBySystem() async { await call.unmuteMicrophoneBySystem() }
    func setCameraEnabled(_ enabled: Bool) async { await call.setCameraEnabled(enabled) }
    func flipCamera() async { await call.flipCamera() }
    func microphoneLevels() -> AsyncStream<Double> { call.microphoneLevels() }
    func startSharing(withSound: Bool, content: ScreenContent) async {
        await call.startScreen(withSound: withSound, content: content)
    }
    func stopSharing() async { await call.stopScreen() }

    // MARK: What a call of several can’t do

    func hold() async {}
    func resume() async {}
    func continueWithClearMedia() async {}
    func setVolumes(_ volumes: SoundVolumes) async {}
    func statistics() async -> MediaStatistics? { nil }
    func securityCheck() async -> SecurityCheck? { nil }
    func setCompared(_ code: String?) async throws {}

    // MARK: The others

    func video(of member: MemberNumber) async -> (any VideoSource)? {
        guard let feed = await call.video(of: member) else { return nil }
        if let known = videos[member], known.feed === feed { return known }
        let source = FeedSource(feed)
        videos[member] = source
        return source
    }

    func speakingSteps(of member: MemberNumber) async -> AsyncStream<Int> { await call.speakingSteps(of: member) }
    func setVolume(_ factor: Double, of member: MemberNumber) async { await call.setVolume(factor, of: member) }
    func raiseHand(_ isRaised: Bool) async { await call.raiseHand(isRaised) }
    func remove(_ member: MemberNumber) async { await call.remove(member) }

    func invite(_ contact: ContactItem) async throws {
        guard let provider else { throw AccountError.closed }
        try await provider.invite(contact, to: call)
    }

    func securityCheck(of member: MemberNumber) async -> SecurityCheck? {
        guard let code = await provider?.securityCode(of: member, in: call) else { return nil }
        let isCompared = snapshot.group?.members.first { $0.id == member }?.hasComparedCode
        return SecurityCheck(code: code, isCompared: isCompared == true)
    }

    func setCompared(_ code: String?, of member: MemberNumber) async throws {
        try await provider?.setCompared(code, of: member, in: call)
    }

    // MARK: How it stands

    private func reading(_ state: GroupCallState) -> CallSnapshot {
        if state.stage == .acceptedOn, since == nil { since = .now }
        var snapshot = CallSnapshot(
            stage: stage(state), microphoneEnabled: state.microphoneEnabled, cameraEnabled: state.cameraEnabled,
            isEncrypted: state.key != nil, endReason: state.reason?.logged.rawValue ?? "")
        (snapshot.isMicrophoneSilent, snapshot.devices) = (state.isMicrophoneSilent, state.devices)
        snapshot.isMicrophoneMutedBySystem = state.isMicrophoneMutedBySystem
        snapshot.sharing = SharingState(state.screenSharing)
        snapshot.isIgnored = state.isIgnored && state.isRinging
        snapshot.notices = state.notices.map(\.sentence)
        if let failure = state.roomFailure { snapshot.notices.append(Wording.sentence(of: failure.error)) }
        var group = GroupSnapshot(
            own: state.own, members: state.members.map { member($0, state.volumes[$0.number] ?? 1) })
        (group.isHost, group.hasRaisedHand, group.adding) = (state.isHost, state.hasRaisedHand, state.adding)
        (group.capacity, group.goesOn) = (state.capacity, state.goesOn)
        snapshot.group = group
        return snapshot
    }

    private func member(_ member: GroupCallState.Member, _ volume: Double) -> GroupSnapshot.Member {
        var result = GroupSnapshot.Member(id: member.number, name: member.name, stage: member.stage)
        (result.contact, result.volume) = (provider?.item(member.contact), volume)
        (result.isHost, result.isUntrusted, result.isCompared) = (member.isHost, member.isUntrusted, member.isCompared)
        (result.microphone, result.camera, result.hand) = (
            member.shows.microphone, member.shows.camera, member.shows.hand
        )
        result.screen = member.shows.screen
        return result
    }

    private func stage(_ state: GroupCallState) -> CallStage {
        switch state.stage {
        case .callingWithOwnConsent: .ringingOut
        case .ringingWithoutConsent: .ringingIn
        case .acceptedJoining: .connecting
        case .acceptedOn: .active(since: since ?? .now)
        case .acceptedReturning: .reconnecting
        case .ended: .ended(sentence: (state.reason ?? .over).sentence)
        }
    }
}
