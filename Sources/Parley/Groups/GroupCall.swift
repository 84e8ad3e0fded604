import BaseKit
import Calling
import Media
import MediaRules
import Signaling

/// A call of several, from calling or ringing to its end.
public final class GroupCall: Sendable, Identifiable {
    /// The call's identifier, the same for all.
    public let id: CallID
    /// Who began it, as the person here sees it.
    public let direction: CallDirection
    /// The contact who invites, or the first who was called; nil after coming back.
    public let contact: Contact?

    private let center: GroupCallCenter
    /// Says what may be opened of what is wanted, where it grows out of a call of two; nil: nothing any more.
    private let join: (@Sendable (CallMedia) async -> CallMedia?)?
    private let listeners = Broadcaster<GroupCallState>()
    private let shared: Lock<Shared>

    private struct Shared {
        var state: GroupCallState
        var session: MeshSession?
        var isOver = false
        /// The codes that were compared with members who are no contacts.
        var codes: [MemberNumber: String] = [:]
    }

    init(
        _ snapshot: GroupCallSnapshot, contact: Contact?, center: GroupCallCenter,
        join: (@Sendable (CallMedia) async -> CallMedia?)? = nil, name: (ContactID) -> String?
    ) {
        self.join = join
        id = snapshot.callID
        direction = snapshot.direction
        self.contact = contact
        self.center = center
        shared = Lock(Shared(state: GroupCallState(snapshot, name: name)))
    }

    // MARK: What it shows

    /// The call's states, beginning with the present one; the stream ends with the call.
    public func states() -> AsyncStream<GroupCallState> {
        shared.withLock { listeners.stream(beginning: [$0.state]) }
    }

    /// The present state.
    public var state: GroupCallState { shared.withLock { $0.state } }

    /// The own picture, once media is open.
    public var localVideo: VideoFeed? { session?.session.localVideo }

    /// A member's picture, once media is open: of its camera, or of the screen that it shares.
    public func video(of member: MemberNumber) async -> VideoFeed? { await session?.session.video(of: member.value) }

    /// How loud a member speaks, in steps from 0 (silent) to 3, each time it is another one; nothing before media is open.
    public func speakingSteps(of member: MemberNumber) async -> AsyncStream<Int> {
        await session?.session.speakingSteps(of: member.value) ?? AsyncStream { $0.finish() }
    }

    /// What the present path to a member has counted; nil where there is none.
    public func statistics(of member: MemberNumber) async -> MediaStatistics? {
        guard let session = session?.session else { return nil }
        // Where it comes both ways, the same is counted twice.
        if let direct = await session.statistics(of: member.value) { return direct }
        return await session.roomStatistics(of: member.value)
    }

    /// How long a member's picture stood still and no sound of it was played at the longest since the last question; nil before media is open.
    public func takePauses(of member: MemberNumber) async -> MemberPauses? {
        await session?.session.takePauses(of: member.value)
    }

    /// Which of the pictures of a member's camera are shown; nil before any.
    public func shownLayer(of member: MemberNumber) async -> ForwardedLayer? {
        await session?.session.shownLayer(of: member.value)
    }

    // MARK: What a person does

    /// Takes the call that rings, with sound or with sound and picture. Before that nothing is opened or contacted.
    /// One that grows out of a call of two takes that one's place: then nothing is opened that is not open there.
    public func accept(media: CallMedia) async {
        guard let join else { return await center.accept(id, media: media) }
        guard let allowed = await join(media) else { return await decline() }
        await center.accept(id, media: allowed)
    }

    /// Lets the call ring on unheard here; the others hear nothing of that.
    public func ignore() { publish { $0.isIgnored = true } }

    /// Declines the call that rings.
    public func decline() async { await center.handle(.decline, of: id) }

    /// Leaves, takes back the call, or declines it.
    public func hangUp() async { await center.handle(.hangUp, of: id) }

    /// Puts a member out; only the host can.
    public func remove(_ member: MemberNumber) async { await center.handle(.remove(member), of: id) }

    /// Turns the own microphone on or off, and tells the others.
    public func setMicrophoneEnabled(_ enabled: Bool) async {
        publish { $0.microphoneEnabled = enabled }
        await session?.session.setMicrophoneEnabled(enabled)
        await tellState()
    }

    /// Has the system unmute the microphone that it has muted; nothing happens before media are open. Whether it did is in
    /// ``GroupCallState/isMicrophoneMutedBySystem``.
    public func unmuteMicrophoneBySystem() async { await session?.session.unmuteMicrophoneBySystem() }

    /// Turns the own camera on or off, and tells the others.
    public func setCameraEnabled(_ enabled: Bool) async {
        publish { $0.cameraEnabled = enabled }
        await session?.session.setCameraEnabled(enabled)
        await tellState()
    }

    /// Turns to the next camera.
    public func flipCamera() async { await session?.session.flipCamera() }

    /// Shares the own screen in the camera's place, once somebody is heard, and tells the others: what the person chooses in the desktop's
    /// dialog unless the account or the caller says otherwise. With sound all hear what other programs of this machine play. What becomes of
    /// it is in ``GroupCallState/screenSharing`` and ``GroupCallState/notices``.
    public func startScreen(
        _ source: ScreenSource? = nil, withSound: Bool = false, content: ScreenContent = .text
    ) async {
        await session?.startScreen(source, withSound: withSound, content: content)
    }

    /// Stops sharing the own screen; the camera is as it was.
    public func stopScreen() async { await session?.session.stopScreen() }

    /// How loud the own microphone is, from 0 to 1, at most 20 times a second; nothing before media are open.
    public func microphoneLevels() -> AsyncStream<Double> {
        session?.session.microphoneLevels() ?? AsyncStream { $0.finish() }
    }

    /// Uses a device from now on.
    func select(_ device: MediaDevice?, as kind: DeviceKind) async {
        await session?.session.select(device, as: kind)
    }

    /// Raises the own hand, or takes it down.
    public func raiseHand(_ isRaised: Bool) async {
        publish { $0.hasRaisedHand = isRaised }
        await tellState()
    }

    /// Makes a member louder or quieter here, and nowhere else, for as long as the call lasts: 1 is as it comes. What is out of
    /// ``SoundVolumes/range`` is brought into it.
    public func setVolume(_ factor: Double, of member: MemberNumber) async {
        let factor = SoundVolumes(speaker: factor).speaker
        publish { $0.volumes[member] = factor }
        await session?.session.setVolume(factor, of: member.value)
    }

    /// Nobody is told before there is consent: the centre knows best whether there is, and keeps it until then. What two tell at the same
    /// time may come in either order, so that the newest is told again.
    private func tellState() async {
        var told: GroupState
        repeat {
            told = state.shown
            await center.handle(.show(told), of: id)
        } while told != state.shown
    }

    // MARK: What the account tells it

    /// The machine's network is another one.
    func networkChanged() async { await session?.session.networkChanged() }

    func apply(_ snapshot: GroupCallSnapshot, name: (ContactID) -> String?) {
        shared.withLock { shared in
            guard !shared.isOver else { return }
            shared.state = GroupCallState(snapshot, former: shared.state, name: name)
            shared.session?.session.follow(shared.state)
            listeners.send(shared.state)
            if shared.state.stage == .ended {
                shared.isOver = true
                listeners.finish()
            }
        }
    }

    /// Before media are open: microphone and camera begin as they are in a call of two.
    func begin(as talk: CallState) {
        publish { state in
            state.microphoneEnabled = talk.microphoneEnabled
            state.cameraEnabled = talk.cameraEnabled && state.media == .video
        }
    }

    /// Nothing more will be heard of the call.
    func abandon() { listeners.finish() }

    /// Takes the call's media.
    func attach(_ session: MeshSession) async {
        let state = shared.withLock { shared in
            shared.session = session
            session.session.follow(shared.state)
            return shared.state
        }
        Task { [weak self, news = session.news] in
            for await news in news {
                self?.publish { news.apply(to: &$0) }
                switch news {
                case .sharing, .met, .microphoneMutedBySystem: await self?.tellState()
                case .notice, .devices, .cameraCount, .microphoneSilent: break
                }
            }
        }
        if !state.microphoneEnabled { await session.session.setMicrophoneEnabled(false) }
        if !state.cameraEnabled { await session.session.setCameraEnabled(false) }
        for (member, factor) in state.volumes { await session.session.setVolume(factor, of: member.value) }
        await tellState()
    }

    // MARK: Codes

    /// The contact that a member is; nil for somebody who was introduced by another.
    func contact(of member: MemberNumber) -> ContactID? {
        state.members.first { $0.number == member }?.contact
    }

    /// The codes that were compared with members who are no contacts.
    var comparedCodes: [MemberNumber: String] { shared.withLock { $0.codes } }

    /// Keeps, as long as the call lasts, that this code of a member was compared, or forgets it.
    func setCompared(_ code: String?, of member: MemberNumber) {
        shared.withLock { $0.codes[member] = code }
        publish { $0.mark(member, compared: code != nil) }
    }

    var session: MeshSession? { shared.withLock { $0.session } }

    private func publish(_ change: (inout GroupCallState) -> Void) {
        shared.withLock { shared in
            guard !shared.isOver else { return }
            change(&shared.state)
            listeners.send(shared.state)
        }
    }
}

extension GroupSession {
    /// Takes from the others what their media need.
    fileprivate nonisolated func follow(_ state: GroupCallState) {
        setScreens(of: state.screens)
        setLargeWishes(state.largeWishes)
    }
}
