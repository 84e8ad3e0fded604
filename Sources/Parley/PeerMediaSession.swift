import Calling
import Media
import MediaRules
import Signaling
import Synchronization

/// Plugs the media engine into the calls: opens one peer session a call.
struct MediaAdapter: CallMediaPort {
    let sources: DeviceSources
    let screen: ScreenSource
    /// Whether the relay is on this machine, so that the peer may be too.
    let allowsLoopback: Bool
    /// The servers as they are when a call begins.
    var servers = CallServersBox()

    func open(_ plan: MediaPlan) async throws -> any CallMediaSession {
        let servers = servers.value
        var configuration = PeerSessionConfiguration(
            role: plan.role == .offerer ? .offerer : .answerer, media: plan.media == .video ? .video : .audio,
            camera: sources.camera, microphone: sources.microphone, speaker: sources.speaker,
            frameEncryption: plan.frameKey.map(FrameEncryption.aes256GCM) ?? .none, iceServers: servers.servers,
            relayOnly: servers.isRelayOnly, allowsLoopback: allowsLoopback)
        configuration.soundProcessing = sources.soundProcessing
        return PeerMediaSession(try await PeerSession.open(configuration), screen: screen)
    }
}

/// One call's peer session, in the words of the calls.
final class PeerMediaSession: CallMediaSession {
    let events: AsyncStream<CallMediaEvent>

    private let session: PeerSession
    private let pump: Task<Void, Never>
    private let asides: AsideBoard
    private let sharing: SharingBoard
    private let screen: ScreenSource

    init(_ session: PeerSession, screen: ScreenSource = .portal) {
        self.session = session
        self.screen = screen
        let (events, continuation) = AsyncStream<CallMediaEvent>.makeStream()
        self.events = events
        let asides = AsideBoard()
        self.asides = asides
        let sharing = SharingBoard()
        self.sharing = sharing
        pump = Task {
            for await event in session.events {
                if case .screenSharing(let now) = event {
                    sharing.tell(now)
                } else if !asides.take(event), let event = CallMediaEvent(event) {
                    continuation.yield(event)
                }
            }
            continuation.finish()
        }
    }

    var remoteVideo: VideoFeed { session.remoteVideo }
    var remoteScreen: VideoFeed { session.remoteScreen }
    var localVideo: VideoFeed { session.localVideo }
    var cameraCount: Int { get async { await session.cameraCount } }
    var hasCamera: Bool { get async { await session.hasCamera } }

    /// Calls `handler` with all that only a person is told, now and whenever there is more.
    func onAsides(_ handler: @escaping @Sendable (MediaAsides) -> Void) { asides.handle(handler) }

    func select(_ device: MediaDevice?, as kind: DeviceKind) async { await session.select(device, as: kind) }

    func setSoundProcessing(_ processing: SoundProcessing) async { await session.setSoundProcessing(processing) }

    func microphoneLevels() -> AsyncStream<Double> { session.microphoneLevels() }

    /// Calls `handler` whenever the own screen is shared or no longer.
    func onSharing(_ handler: @escaping @Sendable (ScreenSharing) -> Void) { sharing.handle(handler) }

    /// Shares what the account says unless a source is named.
    func startScreen(_ source: ScreenSource?, withSound: Bool) async {
        let source = source ?? screen
        await session.startScreen(source, sound: withSound ? (source == .test ? .test : .system) : .none)
    }

    func stopScreen() async { await session.stopScreen() }

    /// The counters, complete once the session is closed.
    func statistics() async -> MediaStatistics { await session.statistics() }

    // MARK: CallMediaSession

    func makeOffer() async throws -> (SessionDescription, [ICECandidate]) {
        let offer = try await session.makeOffer()
        return (SessionDescription(kind: .offer, sdp: offer.sdp), offer.candidates.map(ICECandidate.init))
    }

    func makeAnswer(
        to offer: SessionDescription, candidates: [ICECandidate]
    ) async throws -> (SessionDescription, [ICECandidate]) {
        let answer = try await session.makeAnswer(to: offer.sdp, candidates: candidates.map(MediaCandidate.init))
        return (SessionDescription(kind: .answer, sdp: answer.sdp), answer.candidates.map(ICECandidate.init))
    }

    func apply(answer: SessionDescription, candidates: [ICECandidate]) async throws {
        try await session.apply(answer: answer.sdp, candidates: candidates.map(MediaCandidate.init))
    }

    func add(_ candidates: [ICECandidate]) async { await session.add(candidates.map(MediaCandidate.init)) }

    func renewOffer(_ number: Int) async throws -> (SessionDescription, [ICECandidate]) {
        let offer = try await session.renewOffer(number)
        return (SessionDescription(kind: .offer, sdp: offer.sdp), offer.candidates.map(ICECandidate.init))
    }

    func renewAnswer(
        _ number: Int, to offer: SessionDescription, candidates: [ICECandidate]
    ) async throws -> (SessionDescription, [ICECandidate]) {
        let answer = try await session.renewAnswer(
            number, to: offer.sdp, candidates: candidates.map(MediaCandidate.init))
        return (SessionDescription(kind: .answer, sdp: answer.sdp), answer.candidates.map(ICECandidate.init))
    }

    func applyRenewal(_ number: Int, answer: SessionDescription, candidates: [ICECandidate]) async throws {
        try await session.apply(
            renewedAnswer: answer.sdp, candidates: candidates.map(MediaCandidate.init), number: number)
    }

    func add(_ candidates: [ICECandidate], renewal number: Int) async {
        await session.add(candidates.map(MediaCandidate.init), number: number)
    }

    func abandonRenewal(_ number: Int) async { await session.abandon(number) }

    func setMicrophoneEnabled(_ enabled: Bool) async { await session.setMicrophoneEnabled(enabled) }

    func setCameraEnabled(_ enabled: Bool) async { await session.setCameraEnabled(enabled) }

    func flipCamera() async { await session.flipCamera() }

    func close() async {
        await session.close()
        pump.cancel()
    }
}

/// What a session tells a person, beside what the call machine needs.
struct MediaAsides: Sendable, Equatable {
    var notices: [String] = []
    var isMicrophoneSilent = false
    var devices = DevicesInUse()
    var cameraCount: Int?

    /// Takes an event over; false when it is none of these.
    mutating func take(_ event: PeerSessionEvent) -> Bool {
        switch event {
        case .notice(let sentence): notices.append(sentence)
        case .microphoneSilent(let isSilent): isMicrophoneSilent = isSilent
        case .devicesInUse(let devices): self.devices = devices
        case .cameraCount(let count): cameraCount = count
        default: return false
        }
        return true
    }
}

/// The asides of a session, kept for whoever asks later.
private final class AsideBoard: Sendable {
    private let state = Mutex<(asides: MediaAsides, handler: (@Sendable (MediaAsides) -> Void)?)>((MediaAsides(), nil))

    /// Takes an event over; false when it is none of these.
    func take(_ event: PeerSessionEvent) -> Bool {
        // Told under the lock, so that nobody is told what is old last.
        state.withLock { state in
            let isTaken = state.asides.take(event)
            if isTaken { state.handler?(state.asides) }
            return isTaken
        }
    }

    func handle(_ handler: @escaping @Sendable (MediaAsides) -> Void) {
        state.withLock { state in
            state.handler = handler
            if state.asides != MediaAsides() { handler(state.asides) }
        }
    }
}

/// Tells whoever shows it whether the own screen is shared.
private final class SharingBoard: Sendable {
    private let state = Mutex<(sharing: ScreenSharing, handler: (@Sendable (ScreenSharing) -> Void)?)>((.off, nil))

    func tell(_ sharing: ScreenSharing) {
        state.withLock { state in
            state.sharing = sharing
            return state.handler
        }?(sharing)
    }

    func handle(_ handler: @escaping @Sendable (ScreenSharing) -> Void) {
        let sharing = state.withLock { state in
            state.handler = handler
            return state.sharing
        }
        if sharing != .off { handler(sharing) }
    }
}

extension CallMediaEvent {
    /// The same event for the call machine; nil for what only a person is told.
    fileprivate init?(_ event: PeerSessionEvent) {
        switch event {
        case .candidates(let candidates): self = .candidates(candidates.map(ICECandidate.init))
        case .iceConnected: self = .iceConnected
        case .dtlsConnected: self = .dtlsConnected
        case .fingerprintVerified: self = .fingerprintVerified
        case .fingerprintMismatch: self = .fingerprintMismatch
        case .firstVideoFrame: self = .firstVideoFrame
        case .firstAudioFrame: self = .firstAudioFrame
        case .peerMedia(let media):
            self = .peerMedia(microphone: media.microphone, camera: media.camera, screen: media.screen)
        case .lost: self = .lost
        case .recovered: self = .recovered
        case .peerLeft: self = .peerLeft
        case .renewalCandidates(let number, let candidates):
            self = .renewalCandidates(number, candidates.map(ICECandidate.init))
        case .renewed(let number): self = .renewed(number)
        case .renewalFailed(let number, let error): self = .renewalFailed(number, error.description)
        case .failed(let error): self = .failed(error.description)
        case .notice, .microphoneSilent, .devicesInUse, .cameraCount, .screenSharing: return nil
        }
    }
}

extension ICECandidate {
    fileprivate init(_ candidate: MediaCandidate) {
        self.init(
            candidate: candidate.candidate, sdpMid: candidate.mid ?? String(candidate.mLineIndex),
            sdpMLineIndex: candidate.mLineIndex)
    }
}

extension MediaCandidate {
    fileprivate init(_ candidate: ICECandidate) {
        self.init(candidate: candidate.candidate, mid: candidate.sdpMid, mLineIndex: candidate.sdpMLineIndex)
    }
}
