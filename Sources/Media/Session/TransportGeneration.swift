import CGStreamer
import GLibKit
import Synchronization

/// One `webrtcbin` of a call with everything that ends with it: pipeline, certificate, gate, chains both ways, negotiation.
///
/// A call has one, numbered 0, until its path breaks; then another is made beside it and takes over. What outlives it, such
/// as devices, feeds and counts, belongs to the session. Belongs to the session's actor.
final class TransportGeneration {
    /// 0 for the call's first; the later ones as the two sides number them.
    let number: Int
    /// What passed this one; also counted in the session's.
    let counters: MediaCounters
    /// Closed until this one's certificate is verified.
    let protection: FrameProtection
    let certificate: CallCertificate?
    let signals = TransportSignals()
    let packets: PacketGuard
    let pipeline: Pipeline
    let transport: PeerTransport
    let chains: ReceiveChains
    /// The mids in use, read on GStreamer's threads too.
    let mids = Shared<[String]>(MediaSlot.allCases.map { String($0.rawValue) })
    var senders: [MediaSlot: SendChain] = [:]
    let announcement = SourceAnnouncement()
    /// The sources in our description.
    var ownSources: Set<UInt32> = []
    var isClosed = false

    // Negotiation.
    var negotiation = NegotiationStage()
    var peerFingerprint: Fingerprint?
    var filter: CandidateFilter
    var waitingCandidates: [MediaCandidate] = []
    var hidden = HiddenCandidates()
    var remoteSetAt: Int64?
    var schedule: CandidateSchedule?
    var firstBatch: CheckedContinuation<[MediaCandidate], Never>?
    var isFirstBatchOut = false

    // What has been noticed.
    var watchedTransports: [DTLSTransport] = []
    var isICEConnected = false
    var isDTLSConnected = false
    var isVerified: Bool { verifiedAt != nil }
    /// When the peer's certificate was found to be the announced one, in milliseconds of the monotonic clock.
    var verifiedAt: Int64?
    /// Whether the peer has said on this one that the call is over.
    var hasPeerLeft = false
    /// Hands this one's signals to the session.
    var reader: Task<Void, Never>?

    /// Makes it, with all of GStreamer's parts, and starts nothing. Throws ``MediaError``.
    init(
        number: Int, _ configuration: PeerSessionConfiguration, servers: [ICEServerAddress],
        encryption: FrameEncryption, total: MediaCounters, outlets: ReceiveChains.Outlets
    ) throws(MediaError) {
        self.number = number
        let (signals, mids) = (signals, mids)
        counters = MediaCounters(addingTo: total)
        filter = CandidateFilter(allowsLoopback: configuration.allowsLoopback)
        protection = FrameProtection(encryption)
        certificate = CallCertificate()
        pipeline = try Pipeline(name: nil) { signals.receive($0) }
        packets = PacketGuard(counters: counters) { [gate = signals.retransmissions] in
            gate.refuse($0)
        } onDeparture: {
            signals.send.yield(.peerLeft)
        }
        signals.prepare(pipeline.element, certificate: certificate, packets: packets)
        transport = try PeerTransport(configuration, servers: servers, pipeline: pipeline.element)
        chains = ReceiveChains(protection: protection, counters: counters, outlets: outlets) {
            signals.send.yield(.firstFrame($0))
        }
        signals.connect(transport, chains: chains) { mids.value }
        Self.count.add(1, ordering: .relaxed)
    }

    private static let count = Atomic(0)
    /// How many transports live in this process.
    static var live: Int { count.load(ordering: .relaxed) }

    deinit {
        reader?.cancel()
        Self.count.subtract(1, ordering: .relaxed)
    }

    /// Lets the pipeline run, on the time of `other` if there is one: captured and played buffers then fit both.
    func start(onTimeOf other: Pipeline? = nil) {
        if let other { pipeline.shareTime(with: other) }
        pipeline.element.setState(GST_STATE_PLAYING)
    }

    /// Stops all frames and signals at once, and gives what still has to be done where it may block. With `isCallOver` the peer
    /// is told so on the media path, if it is known to be the one there.
    func end(isCallOver: Bool = false) -> @Sendable () -> Void {
        isClosed = true
        protection.close()
        signals.disconnect()
        reader?.cancel()
        firstBatch?.resume(returning: [])
        firstBatch = nil
        for sender in senders.values { sender.control?.close() }
        senders = [:]
        let (pipeline, transport, waitForOperations) = (pipeline, transport, transport.close())
        let leaving = isCallOver && isVerified && !hasPeerLeft ? ownSources.union(announcement.sources).sorted() : []
        return {
            waitForOperations()
            if !leaving.isEmpty {
                transport.sayGoodbye(of: leaving)
                transport.closeChannel()
            }
            pipeline.close()
        }
    }
}
