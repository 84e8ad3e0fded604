import BaseKit
import CGStreamer
import GLibKit
import MediaRules
import Synchronization

/// The media of one call: one peer, four m-lines, captured and shown frames.
///
/// The person has consented before a session is opened: opening it opens camera and microphone. No frame leaves and none is
/// decoded before the peer's DTLS certificate has been compared with the fingerprint in its description (``TransportMachine``).
///
/// Brings transports, devices and feeds together; each of them minds itself.
public actor PeerSession {
    /// What happens, in order, for one reader; ends when the session is closed.
    public nonisolated let events: AsyncStream<PeerSessionEvent>
    /// The peer's camera.
    public nonisolated let remoteVideo: VideoFeed
    /// The peer's shared screen.
    public nonisolated let remoteScreen: VideoFeed
    /// Our own camera, 320 pixels wide.
    public nonisolated let localVideo: VideoFeed
    nonisolated let voice = VoiceMeter()

    private static let count = Atomic(0)
    /// How many sessions live in this process.
    static var live: Int { count.load(ordering: .relaxed) }

    let configuration: PeerSessionConfiguration
    let counters = MediaCounters()
    let emit: AsyncStream<PeerSessionEvent>.Continuation
    /// Where every transport lets the peer's frames go.
    let outlets: ReceiveChains.Outlets
    let devices: CallDevices
    var devicesInUse = DevicesInUse()
    var servers: ServerUse
    var transports: Transports
    var peerMedia = PeerMediaWatch()
    var ownStatement = OwnStatement()
    var starvation = PictureStarvation()
    var link: LinkWatch
    /// The path that was seen last.
    var path: MediaPath?
    /// What the congestion control said when the session was stopped, as its transports are gone then.
    private var lastReport: SendControl.Report?
    /// What the person lets out.
    var switches: MediaSwitches
    /// How many wishes to send tones are under way, and the silence around the tones.
    var toneSends = 0
    var silence: Capture?
    private(set) var isClosed = false
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
        let isDrawn = configuration.drawsPictures
        (remoteVideo, remoteScreen) = (VideoFeed(isDrawn: isDrawn), VideoFeed(isDrawn: isDrawn))
        localVideo = VideoFeed(isDrawn: isDrawn)
        switches = MediaSwitches(isCameraOn: configuration.media == .video)
        switches.savesData = configuration.pictures.savesData
        link = LinkWatch(shortest: configuration.jitterLatency)
        servers = try ServerUse(configuration.iceServers, relayOnly: configuration.relayOnly)
        let (inlets, playout) = (CallDevices.Inlets(), Shared<AudioPlayout?>(nil))
        outlets = ReceiveChains.Outlets(
            configuration, feed: remoteVideo, screen: remoteScreen, inlets: inlets, voice: voice, speaker: playout)
        let first = try Transport(
            number: 0, configuration.transport, servers: servers.access,
            protection: .call(configuration.frameEncryption),
            total: counters, outlets: outlets)
        devices = CallDevices(
            configuration, inlets: inlets, playout: playout, pipeline: first.pipeline, preview: localVideo)
        transports = Transports(first)
        Self.count.add(1, ordering: .relaxed)
    }

    deinit { Self.count.subtract(1, ordering: .relaxed) }

    private func start() {
        for notice in servers.access.notices { emit.yield(.notice(notice)) }
        transports.current.start()
        read(transports.current)
        let (news, failures, speaker) = (devices.news, servers.failures, devices.speaker)
        tasks = [
            Task { [weak self] in for await one in news { await self?.handle(one) } },
            Task { [weak self] in for await failure in failures { await self?.relayFailed(failure) } },
            Task { [weak self] in
                while !Task.isCancelled {
                    try? await Task.sleep(for: .milliseconds(250))
                    await self?.tick()
                }
            },
            // Devices may take their time; the offer does not wait for them.
            Task { [weak self] in
                await self?.follow(.microphone)
                await self?.follow(.camera)
            },
            Task { await speaker.follow() },
            Task { [devices] in await devices.follow() },
        ]
    }

    /// Ends the session: camera, microphone and speaker are closed, all threads and sockets released. Further calls do
    /// nothing.
    public func close() async {
        if !isClosed { await finish(stop(saysGoodbye: true)) }
    }

    /// Ends it by itself, after `last` has been told. Without a goodbye the peer is told by a message only, which also says why.
    func end(_ last: PeerSessionEvent, saysGoodbye: Bool = false) {
        guard !isClosed else { return }
        emit.yield(last)
        let endings = stop(saysGoodbye: saysGoodbye)
        Task { await finish(endings) }
    }

    /// Stops all frames and news at once; gives what still has to be done where it may block.
    private func stop(saysGoodbye: Bool) -> [@Sendable () -> Void] {
        isClosed = true
        lastReport = transports.current.control?.report
        devices.silence()
        let endings = transports.all.map { $0.retire(isCallOver: saysGoodbye) }
        if let next = transports.next { transports.remove(next) }
        if let former = transports.former { transports.remove(former) }
        for task in tasks { task.cancel() }
        return endings
    }

    private func finish(_ endings: [@Sendable () -> Void]) async {
        async let devicesAreClosed: Void = devices.close()
        // The tunnels to relays last: the goodbye may go through them.
        await MediaQueue.run { [access = servers.access] in
            for end in endings { end() }
            access.close()
        }
        await devicesAreClosed
        remoteVideo.show(nil)
        remoteScreen.show(nil)
        voice.finish()
        emit.finish()
    }

    /// The longest time since the last question in which the peer's voice was not heard but for what the decoder makes up. For figures.
    package func takeVoicePause() -> Duration { counters.takeVoicePause() }

    /// Counts so far, and how the connection was lately; both stay after the end.
    public func statistics() -> MediaStatistics {
        var statistics = MediaStatistics()
        statistics.path = path
        statistics.codecs = transports.current.codecs
        statistics.sent = counters.sent
        statistics.received = counters.received
        statistics.isHeld = switches.isHeld
        statistics.frameEncryption = transports.current.protection.current.encryption.name
        statistics.fingerprintVerified = transports.current.wasVerified
        statistics.candidatesRejected = transports.rejectedCandidates
        statistics.longestSwitch = Int(
            max(cameraInlet.longestPauses.switching, microphoneInlet.longestPauses.switching).wholeMilliseconds)
        statistics.packetsRefused = counters.packetsRefused
        statistics.link.roundTrip = link.roundTrip
        statistics.link.jitterLatency = link.wait.pictures
        statistics.link.lossHere = link.loss
        let decoding = transports.current.decoding
        statistics.link.decodeLoad = decoding.part
        statistics.link.decodeTime = Int(decoding.mean * 1_000_000)
        if let report = isClosed ? lastReport : transports.current.control?.report {
            statistics.link.target = report.target
            statistics.link.loss = report.loss
            statistics.link.size = report.size
            statistics.link.limit = report.limit
            statistics.link.isPaused = report.isPaused
            statistics.link.isHardware = report.isHardware
            if case .on = sharing { statistics.link.screenSize = report.screenSize }
            statistics.link.encodeLoad = report.encodeLoad
            statistics.link.encodeTime = report.encodeTime
        }
        return statistics
    }
}

extension PeerSession {
    // What belongs to the transport that carries what we send.
    var pipeline: Pipeline { transports.current.pipeline }
    var bin: WebRTCBin { transports.current.bin }
    var senders: [MediaSlot: SendChain] { transports.current.senders }
    var isVerified: Bool { transports.current.isVerified }
    /// Whether the transport before the present one is still there.
    var isRetiring: Bool { transports.former != nil }

    var screen: ScreenController { devices.screen }
    var sharing: ScreenSharing { switches.sharing }
    var cameraInlet: FrameInlet { devices.inlets.camera }
    var microphoneInlet: FrameInlet { devices.inlets.microphone }
}
