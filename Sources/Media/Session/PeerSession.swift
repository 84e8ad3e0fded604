import CGStreamer
import GLibKit
import Synchronization

/// The media of one call: one peer, four m-lines, captured and shown frames.
///
/// The person has consented before a session is opened: opening it opens camera and microphone. No frame leaves and none is
/// decoded before the peer's DTLS certificate has been compared with the fingerprint in its description.
public actor PeerSession {
    /// What happens, in order, for one reader; ends when the session is closed.
    public nonisolated let events: AsyncStream<PeerSessionEvent>
    /// The peer's camera.
    public nonisolated let remoteVideo = VideoFeed()
    /// The peer's shared screen.
    public nonisolated let remoteScreen = VideoFeed()
    /// Our own camera, 320 pixels wide.
    public nonisolated let localVideo = VideoFeed()

    private static let count = Atomic(0)
    /// How many sessions live in this process.
    static var live: Int { count.load(ordering: .relaxed) }

    let configuration: PeerSessionConfiguration
    let counters = MediaCounters()
    /// What devices tell; each transport has signals of its own.
    let signals = TransportSignals()
    let camera: CaptureController
    let microphone: CaptureController
    let cameraInlet = FrameInlet(keepsLatest: true)
    let microphoneInlet = FrameInlet()
    let screen: ScreenController
    let screenInlet = FrameInlet()
    let screenSoundInlet = FrameInlet()

    /// The transport that carries what we send.
    var generation: TransportGeneration
    /// One that is to take over.
    var next: TransportGeneration?
    /// The one before, while the peer may still send on it.
    var retired: TransportGeneration?
    /// The highest number of a transport so far.
    var newestNumber = 0
    var rejectedCandidates = 0
    /// Candidates that came for a transport which is gone.
    var lateCandidates = 0

    let emit: AsyncStream<PeerSessionEvent>.Continuation
    let speaker: SpeakerController
    /// Where the peer's sound is played, for every transport.
    let playout: Shared<AudioPlayout?>
    /// The pipeline whose time captured and played sound follows.
    let timeline: Shared<Pipeline>
    let meter: MicrophoneMeter
    var devicesInUse = DevicesInUse()
    var isClosed = false
    var isMicrophoneOn = true
    var isCameraOn: Bool
    var sharing = ScreenSharing.off

    // Servers, and names that hide addresses.
    let servers: ServerAccess
    /// Watches the first transport: a later one has its time limit in signaling.
    var relayWatch: RelayWatch
    var relayFailure: RelayServerError?
    var relaysLost = 0
    let namesStop = try? StopFlag()

    // What has been noticed.
    var detector = PeerMediaDetector()
    var watchdog = LossWatchdog()
    var arrivalClock = ArrivalClock()
    var link: LinkReport?
    var linkReadAt = Int64.min / 2
    var jitterLatency: JitterLatency
    var receiveLoss = ReceiveLoss()
    private var tasks: [Task<Void, Never>] = []

    /// Opens a session: camera and microphone, then nothing until an offer is made or answered. Contacts nobody.
    ///
    /// A missing or broken device is a notice among ``events``, not an error. Throws ``MediaError`` when GStreamer or one of
    /// its plugins is missing.
    public static func open(_ configuration: PeerSessionConfiguration) async throws -> PeerSession {
        try MediaRuntime.start()
        let session = try PeerSession(configuration)
        await session.start()
        return session
    }

    private init(_ configuration: PeerSessionConfiguration) throws(MediaError) {
        self.configuration = configuration
        (events, emit) = AsyncStream.makeStream()
        isCameraOn = configuration.media == .video
        jitterLatency = JitterLatency(shortest: configuration.jitterLatency)
        let signals = signals
        playout = Shared(nil)
        servers = try ServerAccess(configuration) { signals.send.yield(.relayFailed($0)) }
        relayWatch = RelayWatch(relayCount: servers.relays.count, isRelayOnly: configuration.relayOnly)
        generation = try TransportGeneration(
            number: 0, configuration, servers: servers.addresses, encryption: configuration.frameEncryption,
            total: counters,
            outlets: Self.outlets(
                configuration, feed: remoteVideo, screen: remoteScreen, camera: cameraInlet,
                microphone: microphoneInlet,
                speaker: playout))
        timeline = Shared(generation.pipeline)
        let parts = Self.deviceParts(
            configuration, signals: signals, timeline: timeline, playout: playout, camera: cameraInlet,
            microphone: microphoneInlet, preview: localVideo)
        (camera, microphone, speaker, meter) = (parts.camera, parts.microphone, parts.speaker, parts.meter)
        let notice: @Sendable (String) -> Void = { signals.send.yield(.notice($0)) }
        screen = ScreenController(
            choosing: configuration.screens, onChange: { signals.send.yield(.screen($0)) }, onNotice: notice)
        Self.count.add(1, ordering: .relaxed)
    }

    deinit { Self.count.subtract(1, ordering: .relaxed) }

    static func outlets(
        _ configuration: PeerSessionConfiguration, feed: VideoFeed, screen: VideoFeed, camera: FrameInlet,
        microphone: FrameInlet, speaker: Shared<AudioPlayout?>
    ) -> ReceiveChains.Outlets {
        var outlets = ReceiveChains.Outlets(speaker: speaker)
        outlets.screen = screen
        if configuration.camera == .echo { outlets.videoTap = camera } else { outlets.video = feed }
        if configuration.microphone == .echo { outlets.audioTap = microphone }
        return outlets
    }

    private func start() {
        for notice in servers.notices { emit.yield(.notice(notice)) }
        generation.start()
        read(generation)
        let stream = signals.stream
        tasks.append(
            Task { [weak self] in
                for await signal in stream { await self?.handle(signal) }
            })
        tasks.append(
            Task { [weak self] in
                while !Task.isCancelled {
                    try? await Task.sleep(for: .milliseconds(250))
                    await self?.tick()
                }
            })
        // Devices may take their time; the offer does not wait for them.
        tasks.append(
            Task { [weak self, microphone] in
                await microphone.setEnabled(true)
                await self?.openCamera()
            })
        tasks.append(Task { [speaker] in await speaker.follow() })
        tasks.append(followDevices())
    }

    /// Unless it was turned off meanwhile.
    private func openCamera() async {
        if isCameraOn, !isClosed { await camera.setEnabled(true) }
    }

    /// Ends the session: camera, microphone and speaker are closed, all threads and sockets released. Further calls do
    /// nothing.
    public func close() async { await close(sayingGoodbye: true) }

    /// The same; without a goodbye the peer is told by a message only, which also says why.
    func close(sayingGoodbye: Bool) async {
        guard !isClosed else { return }
        isClosed = true
        namesStop?.raise()
        cameraInlet.connect(to: nil)
        microphoneInlet.connect(to: nil)
        screenInlet.connect(to: nil)
        screenSoundInlet.connect(to: nil)
        let endings = generations.map { $0.end(isCallOver: sayingGoodbye) }
        (next, retired) = (nil, nil)
        signals.disconnect()
        for task in tasks { task.cancel() }
        meter.finish()
        // At the same time: one that hangs, or asks, must not keep the others open.
        async let cameraIsClosed: Void = camera.close()
        async let microphoneIsClosed: Void = microphone.close()
        async let screenIsClosed: Void = screen.close()
        async let speakerIsClosed: Void = speaker.close()
        // The tunnels to relays last: the goodbye may go through them.
        await MediaQueue.run { [servers] in
            for end in endings { end() }
            servers.close()
        }
        _ = await (cameraIsClosed, microphoneIsClosed, screenIsClosed, speakerIsClosed)
        remoteVideo.show(nil)
        remoteScreen.show(nil)
        emit.finish()
    }

    /// Counts so far.
    public func statistics() -> MediaStatistics {
        var statistics = MediaStatistics()
        statistics.sent = counters.sent
        statistics.received = counters.received
        statistics.frameEncryption = protection.current.encryption.name
        statistics.fingerprintVerified = isVerified
        statistics.candidatesRejected =
            rejectedCandidates + lateCandidates + generations.map(\.filter.rejected).reduce(0, +)
        statistics.longestSwitch = max(cameraInlet.longestPauses.switching, microphoneInlet.longestPauses.switching)
        statistics.packetsRefused = counters.packetsRefused
        statistics.link.roundTrip = link?.roundTrip
        statistics.link.jitterLatency = jitterLatency.latency
        statistics.link.lossHere = receiveLoss.loss
        if let report = senders[.camera]?.control?.report {
            statistics.link.target = report.target
            statistics.link.loss = report.loss
            statistics.link.divisor = report.divisor
        }
        return statistics
    }
}

// What belongs to the transport that carries what we send.
extension PeerSession {
    var pipeline: Pipeline { generation.pipeline }
    var transport: PeerTransport { generation.transport }
    var protection: FrameProtection { generation.protection }
    var senders: [MediaSlot: SendChain] { generation.senders }
    var isVerified: Bool { generation.isVerified }
}

/// One value behind a lock.
final class Shared<Value: Sendable>: Sendable {
    private let content: Mutex<Value>

    init(_ value: Value) { content = Mutex(value) }

    var value: Value {
        get { content.withLock { $0 } }
        set { content.withLock { $0 = newValue } }
    }
}
