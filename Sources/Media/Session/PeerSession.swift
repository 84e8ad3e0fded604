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
    let protection: FrameProtection
    let counters = MediaCounters()
    let certificate: CallCertificate?
    let signals = TransportSignals()
    let packets: PacketGuard
    let pipeline: Pipeline
    let transport: PeerTransport
    let chains: ReceiveChains
    let camera: CaptureController
    let microphone: CaptureController
    let cameraInlet = FrameInlet()
    let microphoneInlet = FrameInlet()
    let screen: ScreenController
    let screenInlet = FrameInlet()
    let screenSoundInlet = FrameInlet()
    /// The mids in use, read on GStreamer's threads too.
    let mids = Shared<[String]>(MediaSlot.allCases.map { String($0.rawValue) })

    let emit: AsyncStream<PeerSessionEvent>.Continuation
    var senders: [MediaSlot: SendChain] = [:]
    let speaker: SpeakerController
    let meter: MicrophoneMeter
    var devicesInUse = DevicesInUse()
    var isClosed = false
    var isMicrophoneOn = true
    var isCameraOn: Bool
    var sharing = ScreenSharing.off

    // Negotiation.
    var negotiation = NegotiationStage()
    var peerFingerprint: Fingerprint?
    var filter: CandidateFilter
    var waitingCandidates: [MediaCandidate] = []
    var remoteSetAt: Int64?
    var schedule: CandidateSchedule?
    var firstBatch: CheckedContinuation<[MediaCandidate], Never>?
    var isFirstBatchOut = false

    // What has been noticed.
    var watchedTransports: [DTLSTransport] = []
    var isICEConnected = false
    var isDTLSConnected = false
    var isVerified = false
    var detector = PeerMediaDetector()
    var watchdog = LossWatchdog()
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
        filter = CandidateFilter(allowsLoopback: configuration.allowsLoopback)
        protection = FrameProtection(configuration.frameEncryption)
        certificate = CallCertificate()
        let (signals, counters, mids) = (signals, counters, mids)
        pipeline = try Pipeline(name: nil) { signals.receive($0) }
        packets = PacketGuard(counters: counters)
        signals.prepare(pipeline.element, certificate: certificate, packets: packets)
        transport = try PeerTransport(configuration, pipeline: pipeline.element)
        chains = ReceiveChains(
            protection: protection, counters: counters,
            outlets: Self.outlets(
                configuration, feed: remoteVideo, screen: remoteScreen, camera: cameraInlet, microphone: microphoneInlet
            )
        ) { signals.send.yield(.firstFrame($0)) }
        signals.connect(transport, chains: chains) { mids.value }
        let parts = Self.deviceParts(
            configuration, signals: signals, pipeline: pipeline, chains: chains, camera: cameraInlet,
            microphone: microphoneInlet, preview: localVideo)
        (camera, microphone, speaker, meter) = (parts.camera, parts.microphone, parts.speaker, parts.meter)
        let notice: @Sendable (String) -> Void = { signals.send.yield(.notice($0)) }
        screen = ScreenController(
            choosing: configuration.screens, onChange: { signals.send.yield(.screen($0)) }, onNotice: notice)
        Self.count.add(1, ordering: .relaxed)
    }

    deinit { Self.count.subtract(1, ordering: .relaxed) }

    private static func outlets(
        _ configuration: PeerSessionConfiguration, feed: VideoFeed, screen: VideoFeed, camera: FrameInlet,
        microphone: FrameInlet
    ) -> ReceiveChains.Outlets {
        var outlets = ReceiveChains.Outlets()
        outlets.screen = screen
        if configuration.camera == .echo { outlets.videoTap = camera } else { outlets.video = feed }
        if configuration.microphone == .echo { outlets.audioTap = microphone }
        return outlets
    }

    private func start() {
        pipeline.element.setState(GST_STATE_PLAYING)
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
            Task { [microphone, camera, isCameraOn] in
                await microphone.setEnabled(true)
                if isCameraOn { await camera.setEnabled(true) }
            })
        tasks.append(Task { [speaker] in await speaker.follow() })
        tasks.append(followDevices())
    }

    /// Ends the session: camera, microphone and speaker are closed, all threads and sockets released. Further calls do
    /// nothing.
    public func close() async {
        guard !isClosed else { return }
        isClosed = true
        protection.close()
        signals.disconnect()
        for task in tasks { task.cancel() }
        for sender in senders.values { sender.control?.close() }
        firstBatch?.resume(returning: [])
        firstBatch = nil
        cameraInlet.connect(to: nil)
        microphoneInlet.connect(to: nil)
        screenInlet.connect(to: nil)
        screenSoundInlet.connect(to: nil)
        meter.finish()
        await camera.close()
        await microphone.close()
        await screen.close()
        await speaker.close()
        await MediaQueue.run { [pipeline] in pipeline.close() }
        senders = [:]
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
        statistics.candidatesRejected = filter.rejected
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

/// One value behind a lock.
final class Shared<Value: Sendable>: Sendable {
    private let content: Mutex<Value>

    init(_ value: Value) { content = Mutex(value) }

    var value: Value {
        get { content.withLock { $0 } }
        set { content.withLock { $0 = newValue } }
    }
}
