import BaseKit
import Calling
import Media
import MediaRules
import Signaling

/// Plugs the media engine into the calls: opens one peer session a call.
final class MediaAdapter: CallMediaPort {
    /// Gets a call's session when it has been opened, before the call goes on.
    typealias HandOver = @Sendable (PeerMediaSession, CallID) async -> Void

    private let sources: DeviceSources
    private let screen: ScreenSource
    private let allowsLoopback: Bool
    private let servers: CallServersBox
    private let receiver = Lock<HandOver?>(nil)

    /// - Parameters:
    ///   - allowsLoopback: Whether the relay is on this machine, so that the peer may be too.
    ///   - servers: The servers as they are when a call begins.
    init(sources: DeviceSources, screen: ScreenSource, allowsLoopback: Bool, servers: CallServersBox) {
        self.sources = sources
        self.screen = screen
        self.allowsLoopback = allowsLoopback
        self.servers = servers
    }

    /// Says who gets the sessions. Before the first call.
    func handOver(to body: @escaping HandOver) { receiver.withLock { $0 = body } }

    func open(_ plan: MediaPlan, for callID: CallID) async throws -> any CallMediaSession {
        let servers = servers.forCall
        var configuration = PeerSessionConfiguration(
            role: plan.role == .offerer ? .offerer : .answerer, media: plan.media == .video ? .video : .audio,
            camera: sources.camera, microphone: sources.microphone, speaker: sources.speaker,
            frameEncryption: plan.frameKey.map(FrameEncryption.aes256GCM) ?? .none, iceServers: servers.servers,
            relayOnly: servers.isRelayOnly, allowsLoopback: allowsLoopback)
        configuration.soundProcessing = sources.soundProcessing
        configuration.pictures = sources.pictures
        configuration.drawsPictures = sources.drawsPictures
        configuration.offersTones = plan.offersTones
        let session = PeerMediaSession(try await PeerSession.open(configuration), screen: screen)
        await receiver.withLock { $0 }?(session, callID)
        return session
    }
}

/// One call's peer session, in the words of the calls.
final class PeerMediaSession: CallMediaSession {
    let events: AsyncStream<CallMediaEvent>
    /// What only the person is told, in order; it is read once.
    let news: AsyncStream<MediaNews>

    private let session: PeerSession
    private let pump: Task<Void, Never>
    private let screen: ScreenSource

    init(_ session: PeerSession, screen: ScreenSource) {
        self.session = session
        self.screen = screen
        let (events, telling) = AsyncStream<CallMediaEvent>.makeStream()
        let (news, showing) = AsyncStream<MediaNews>.makeStream()
        self.events = events
        self.news = news
        pump = Task {
            for await event in session.events {
                switch event.addressee {
                case .call(let event): telling.yield(event)
                case .person(let item): showing.yield(item)
                }
            }
            telling.finish()
            showing.finish()
        }
    }

    var remoteVideo: VideoFeed { session.remoteVideo }
    var remoteScreen: VideoFeed { session.remoteScreen }
    var localVideo: VideoFeed { session.localVideo }
    var cameraCount: Int { get async { await session.cameraCount } }
    var hasCamera: Bool { get async { await session.hasCamera } }

    func select(_ device: MediaDevice?, as kind: DeviceKind) async { await session.select(device, as: kind) }

    func setSoundProcessing(_ processing: SoundProcessing) async { await session.setSoundProcessing(processing) }

    func setPictures(_ pictures: PictureChoices) async { await session.setPictures(pictures) }

    func setVolumes(_ volumes: SoundVolumes) async { await session.setVolumes(volumes) }

    func unmuteMicrophoneBySystem() async { await session.unmuteMicrophoneBySystem() }

    func microphoneLevels() -> AsyncStream<Double> { session.microphoneLevels() }

    func speakingSteps() -> AsyncStream<Int> { session.speakingSteps() }

    /// Shares what the account says unless a source is named.
    func startScreen(_ source: ScreenSource?, withSound: Bool, content: ScreenContent) async {
        let source = source ?? screen
        await session.startScreen(source, sound: ScreenSound(of: source, isWanted: withSound), content: content)
    }

    func stopScreen() async { await session.stopScreen() }

    func send(_ tones: ToneSequence) async throws(ToneError) { try await session.send(tones) }

    /// The counters, complete once the session is closed.
    func statistics() async -> MediaStatistics { await session.statistics() }

    func setMicrophoneEnabled(_ enabled: Bool) async { await session.setMicrophoneEnabled(enabled) }

    func setCameraEnabled(_ enabled: Bool) async { await session.setCameraEnabled(enabled) }

    func flipCamera() async { await session.flipCamera() }

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

    func setHeld(_ isHeld: Bool) async { await session.setHeld(isHeld) }

    func close() async {
        await session.close()
        pump.cancel()
    }
}

/// What a session tells the person, beside what the call machine needs.
enum MediaNews: Sendable, Equatable {
    /// Something is missing or went wrong without ending the call.
    case notice(MediaNotice)
    /// Whether the microphone, though on, gives no sound.
    case microphoneSilent(Bool)
    /// Whether the system has muted the microphone.
    case microphoneMutedBySystem(Bool)
    /// The devices in use.
    case devices(DevicesInUse)
    /// How many cameras one can flip between.
    case cameraCount(Int)
    /// Whether the own screen is shared.
    case sharing(ScreenSharing)
    /// The peer has sent a tone.
    case tone(Tone)
}

extension PeerSessionEvent {
    fileprivate enum Addressee {
        case call(CallMediaEvent)
        case person(MediaNews)
    }

    /// Who it is for: the call machine or the person.
    fileprivate var addressee: Addressee {
        switch self {
        case .candidates(let candidates): .call(.candidates(candidates.map(ICECandidate.init)))
        case .iceConnected: .call(.iceConnected)
        case .dtlsConnected: .call(.dtlsConnected)
        case .fingerprintVerified: .call(.fingerprintVerified)
        case .fingerprintMismatch: .call(.fingerprintMismatch)
        case .firstVideoFrame: .call(.firstVideoFrame)
        case .firstAudioFrame: .call(.firstAudioFrame)
        case .peerMedia(let media):
            .call(
                .peerMedia(
                    microphone: media.microphone, camera: media.camera, screen: media.screen,
                    isPicturePaused: media.isPicturePaused))
        case .peerHeld(let isHeld): .call(.peerHeld(isHeld))
        case .lost: .call(.lost)
        case .recovered: .call(.recovered)
        case .peerLeft: .call(.peerLeft)
        case .renewalCandidates(let number, let candidates):
            .call(.renewalCandidates(number, candidates.map(ICECandidate.init)))
        case .renewed(let number): .call(.renewed(number))
        case .renewalFailed(let number, let error): .call(.renewalFailed(number, Cause(error)))
        case .failed(let error): .call(.failed(Cause(error)))
        case .notice(let notice): .person(.notice(notice))
        case .microphoneSilent(let isSilent): .person(.microphoneSilent(isSilent))
        case .microphoneMutedBySystem(let isMuted): .person(.microphoneMutedBySystem(isMuted))
        case .devicesInUse(let devices): .person(.devices(devices))
        case .cameraCount(let count): .person(.cameraCount(count))
        case .screenSharing(let sharing): .person(.sharing(sharing))
        case .tone(let tone): .person(.tone(tone))
        }
    }
}

extension ICECandidate {
    init(_ candidate: MediaCandidate) {
        self.init(
            candidate: candidate.candidate, sdpMid: candidate.mid ?? String(candidate.mLineIndex),
            sdpMLineIndex: candidate.mLineIndex)
    }
}

extension MediaCandidate {
    init(_ candidate: ICECandidate) {
        self.init(candidate: candidate.candidate, mid: candidate.sdpMid, mLineIndex: candidate.sdpMLineIndex)
    }
}
