import BaseKit
import Calling
import Media
import MediaRules
import SFU
import SFUPort
import SFURules
import Signaling

/// Plugs the media engine into group calls.
final class GroupMediaAdapter: GroupMediaPort {
    /// Gets a call's session when it has been opened, before the call goes on.
    typealias HandOver = @Sendable (MeshSession, CallID) async -> Void

    private let sources: DeviceSources
    private let screen: ScreenSource
    private let allowsLoopback: Bool
    private let servers: CallServersBox
    private let receiver = Lock<HandOver?>(nil)
    private let switches = Lock<(@Sendable (CallID) async -> GroupCallState?)?>(nil)

    init(sources: DeviceSources, screen: ScreenSource, allowsLoopback: Bool, servers: CallServersBox) {
        (self.sources, self.screen, self.allowsLoopback, self.servers) = (sources, screen, allowsLoopback, servers)
    }

    /// Says who gets the sessions. Before the first call.
    func handOver(to body: @escaping HandOver) { receiver.withLock { $0 = body } }

    /// Says who knows what of a call the person has switched off before it opens. Before the first call.
    func askSwitches(_ body: @escaping @Sendable (CallID) async -> GroupCallState?) { switches.withLock { $0 = body } }

    func open(_ plan: GroupMediaPlan) async throws -> any GroupMediaSession {
        let servers = servers.forCall
        var configuration = GroupSessionConfiguration(
            call: plan.callID.bytes, member: plan.own.value, key: try GroupFrameKey(plan.key),
            media: plan.media == .video ? .video : .audio)
        (configuration.camera, configuration.microphone, configuration.speaker) = (
            sources.camera, sources.microphone, sources.speaker
        )
        (configuration.soundProcessing, configuration.pictures) = (sources.soundProcessing, sources.pictures)
        configuration.drawsPictures = sources.drawsPictures
        (configuration.iceServers, configuration.relayOnly) = (servers.servers, servers.isRelayOnly)
        configuration.allowsLoopback = allowsLoopback
        if let state = await switches.withLock({ $0 })?(plan.callID) {
            (configuration.isMicrophoneOn, configuration.isCameraOn) = (state.microphoneEnabled, state.cameraEnabled)
        }
        let session = MeshSession(
            try await GroupSession.open(configuration), own: plan.own.value, media: plan.media, screen: screen)
        await receiver.withLock { $0 }?(session, plan.callID)
        return session
    }
}

/// What the own side of a group call's media tells.
enum MeshNews: Sendable, Equatable {
    case notice(MediaNotice)
    case devices(DevicesInUse)
    case cameraCount(Int)
    case microphoneSilent(Bool)
    case microphoneMutedBySystem(Bool)
    case sharing(ScreenSharing)
    case met(GroupMeetings)

    /// Nil for what nobody shows.
    init?(_ event: PeerSessionEvent) {
        switch event {
        case .notice(let notice): self = .notice(notice)
        case .devicesInUse(let devices): self = .devices(devices)
        case .cameraCount(let count): self = .cameraCount(count)
        case .microphoneSilent(let isSilent): self = .microphoneSilent(isSilent)
        case .microphoneMutedBySystem(let isMuted): self = .microphoneMutedBySystem(isMuted)
        case .screenSharing(let sharing): self = .sharing(sharing)
        default: return nil
        }
    }

    func apply(to state: inout GroupCallState) {
        switch self {
        case .notice(let notice): state.notices.append(notice)
        case .devices(let devices): state.devices = devices
        case .cameraCount(let count): state.cameraCount = count
        case .microphoneSilent(let isSilent): state.isMicrophoneSilent = isSilent
        case .microphoneMutedBySystem(let isMuted): state.isMicrophoneMutedBySystem = isMuted
        case .sharing(let sharing): state.screenSharing = sharing
        case .met(let meetings): state.meetings = meetings
        }
    }
}

/// The media of one group call, in the words of the calls.
final class MeshSession: GroupMediaSession {
    private struct Way {
        var path: Int
        /// How many closings of ways before this one are still to be heard of: what comes until then is theirs.
        var closings = 0
        var rejected = 0
        var opened = 0
    }

    let events: AsyncStream<GroupMediaEvent>
    /// What the own devices tell, and what went wrong without ending the call; it is read once.
    let news: AsyncStream<MeshNews>

    let session: GroupSession
    private let own: UInt8
    private let screen: ScreenSource
    private let tell: AsyncStream<GroupMediaEvent>.Continuation
    private let note: AsyncStream<MeshNews>.Continuation
    private let ways = Lock<[UInt8: Way]>([:])
    /// The room's number in the call, and how many leavings of rooms before it are still to be heard of.
    private let room = Lock<(number: Int, leavings: Int)>((0, 0))
    /// What talks to the server of that room.
    private let port = Lock<SFUPort?>(nil)
    private let tasks = Lock<[Task<Void, Never>]>([])

    init(_ session: GroupSession, own: UInt8, media: CallMedia, screen: ScreenSource) {
        (self.session, self.own, self.screen) = (session, own, screen)
        (events, tell) = AsyncStream.makeStream()
        (news, note) = AsyncStream.makeStream()
        let pump = Task { [weak self] in
            for await event in session.events { self?.handle(event) }
            self?.tell.finish()
            self?.note.finish()
        }
        let watch = Task { [weak self] in
            var meetings = GroupMeetingsWatch(media)
            while (try? await Task.sleep(for: .seconds(1))) != nil, let self {
                await lookForUnreadable()
                if let news = meetings.look(await session.receptions, now: .now) { note.yield(.met(news)) }
            }
        }
        tasks.withLock { $0 = [pump, watch] }
    }

    private func handle(_ event: GroupSessionEvent) {
        switch event {
        case .own(.failed(let error)): tell.yield(.failed(Cause(error)))
        case .own(let event): if let news = MeshNews(event) { note.yield(news) }
        case .room(.left): room.withLock { $0.leavings -= 1 }
        case .room(let event): handle(event)
        case .closed(let member): ways.withLock { $0[member]?.closings -= 1 }
        case .member(let member, let event):
            guard let number = MemberNumber(Int(member)), let input = event.pathInput else { return }
            let path = ways.withLock { ways -> Int? in
                guard let way = ways[member], way.closings == 0 else { return nil }
                return way.path
            }
            if let path { tell.yield(.path(number, path, input)) }
        }
    }

    private func handle(_ event: GroupRoomEvent) {
        let number = room.withLock { $0.leavings == 0 ? $0.number : nil }
        guard let number else { return }
        if case .failed(let error) = event {
            tell.yield(.roomFailed(number, Cause(error)))
        } else if let input = event.input {
            tell.yield(.room(number, input))
        }
    }

    /// Frames of a member that come and that no key opens.
    private func lookForUnreadable() async {
        for (member, way) in ways.withLock({ $0 }) {
            guard let received = await session.statistics(of: member)?.received else { continue }
            let opened = received.frames
            ways.withLock { ways in
                guard ways[member]?.path == way.path else { return }
                ways[member]?.rejected = received.framesRejected
                ways[member]?.opened = opened
            }
            guard received.framesRejected > way.rejected + 4, opened == way.opened,
                let number = MemberNumber(Int(member))
            else { continue }
            tell.yield(.path(number, way.path, .unreadable))
        }
    }

    /// Shares what the account says unless a source is named.
    func startScreen(_ source: ScreenSource?, withSound: Bool, content: ScreenContent) async {
        let source = source ?? screen
        await session.startScreen(source, sound: ScreenSound(of: source, isWanted: withSound), content: content)
    }

    // MARK: GroupMediaSession

    /// From here on what is told of the member is of this path.
    private func begin(_ path: Int, _ member: UInt8) async {
        ways.withLock { $0[member] = Way(path: path, closings: ($0[member]?.closings ?? 0) + 1) }
        await session.closePath(to: member)
    }

    func makeOffer(to member: MemberNumber, path: Int) async throws -> (SessionDescription, [ICECandidate]) {
        await begin(path, member.value)
        let offer = try await session.makeOffer(to: member.value)
        return (SessionDescription(kind: .offer, sdp: offer.sdp), offer.candidates.map(ICECandidate.init))
    }

    func makeAnswer(
        to offer: GroupDescription, from member: MemberNumber
    ) async throws -> (SessionDescription, [ICECandidate]) {
        await begin(offer.path, member.value)
        let answer = try await session.makeAnswer(
            to: offer.description.sdp, candidates: offer.candidates.map(MediaCandidate.init), from: member.value)
        return (SessionDescription(kind: .answer, sdp: answer.sdp), answer.candidates.map(ICECandidate.init))
    }

    func apply(_ answer: GroupDescription, from member: MemberNumber) async throws {
        guard isCurrent(answer.path, member) else { return }
        try await session.apply(
            answer: answer.description.sdp, candidates: answer.candidates.map(MediaCandidate.init),
            from: member.value)
    }

    func add(_ candidates: [ICECandidate], from member: MemberNumber, path: Int) async {
        guard isCurrent(path, member) else { return }
        await session.add(candidates.map(MediaCandidate.init), from: member.value)
    }

    private func isCurrent(_ path: Int, _ member: MemberNumber) -> Bool {
        ways.withLock { $0[member.value]?.path == path }
    }

    func closePath(to member: MemberNumber) async {
        ways.withLock { $0[member.value]?.closings += 1 }
        await session.closePath(to: member.value)
    }

    func enter(_ room: Signaling.GroupRoom) async throws {
        let client = SFURoomClient(
            address: try SFUAddress(parsing: room.address), keys: SFUKeys(token: room.token))
        guard let number = SFUNumber(room.room) else { throw SFUError.malformed }
        let port = try await SFUPort(
            joining: SFURoom(number: number, pin: room.pin), by: client, member: own, feedsKey: room.feeds)
        self.room.withLock { $0 = (room.number, $0.leavings + 1) }
        self.port.withLock { $0 = port }
        try await session.enter(room: port, feedsKey: room.feeds)
    }

    func useAccess(of room: Signaling.GroupRoom) async {
        guard self.room.withLock({ $0.number }) == room.number else { return }
        await port.withLock { $0 }?.use(token: room.token, pin: room.pin)
    }

    func leaveRoom() async {
        room.withLock { $0.leavings += 1 }
        port.withLock { $0 = nil }
        await session.leaveRoom()
    }

    func use(_ key: GroupKey) async {
        if let key = try? GroupFrameKey(key) { await session.use(key) }
    }

    func give(_ key: GroupKey, of member: MemberNumber) async {
        if let key = try? GroupFrameKey(key) { try? await session.give(key, of: member.value) }
    }

    func dropKeys(of member: MemberNumber) async { await session.dropKeys(of: member.value) }

    func close() async {
        await session.close()
        for task in tasks.withLock({ $0 }) { task.cancel() }
        tell.finish()
        note.finish()
    }
}

extension GroupFrameKey {
    fileprivate init(_ key: GroupKey) throws(GroupFrameError) {
        try self.init(epoch: key.epoch, step: key.step, secret: key.secret)
    }
}

extension PeerSessionEvent {
    /// What it means for the path it comes by.
    fileprivate var pathInput: GroupPathInput? {
        switch self {
        case .candidates(let candidates): .candidates(candidates.map(ICECandidate.init))
        // Whose certificate that is has answered; whether anything of it can be opened shows by itself.
        case .fingerprintVerified, .recovered: .heard
        case .lost: .silent
        case .failed, .peerLeft: .failed
        case .fingerprintMismatch: .wrongCertificate
        case .iceConnected, .dtlsConnected, .firstVideoFrame, .firstAudioFrame, .peerMedia, .peerHeld,
            .renewalCandidates, .renewed, .renewalFailed, .notice, .microphoneSilent, .microphoneMutedBySystem,
            .devicesInUse, .cameraCount, .screenSharing, .tone:
            nil
        }
    }
}

extension GroupRoomEvent {
    /// What it means for the room; nil where nothing changes for the call.
    fileprivate var input: GroupRoomInput? {
        switch self {
        case .connected, .recovered: .inside
        case .lost: .lost
        case .heard(let member): MemberNumber(Int(member)).map { .heard($0) }
        case .silent(let member): MemberNumber(Int(member)).map { .silent($0) }
        case .unreadable(let member): MemberNumber(Int(member)).map { .unreadable($0) }
        case .large(let wishes):
            .large(wishes.reduce(into: [:]) { if let member = MemberNumber(Int($1.key)) { $0[member] = $1.value } })
        case .ended: .failed
        case .media, .failed, .left: nil
        }
    }
}
