import BaseKit
import CGStreamer
import GLibKit
import MediaRules
import Synchronization

/// One `webrtcbin` of a call with everything that ends with it: pipeline, certificate, gate, chains both ways, negotiation.
///
/// Does what its ``TransportMachine`` says, and gives its session what is the session's to do. A call has one, numbered 0, until its
/// path breaks; then another is made beside it and takes over. What outlives it, such as devices, feeds and counts, belongs to the
/// session. Belongs to the session's actor.
final class Transport {
    typealias Actions = TransportMachine.Actions

    /// 0 for the call's first; the later ones as the two sides number them.
    let number: Int
    /// Whether the peer is of the versions with one picture only; known once its description came.
    private(set) var isPeerOlder = false
    /// What sound and pictures are written in, as both have agreed.
    private(set) var codecs = MediaStatistics.Codecs()
    /// Hands what the elements tell to the session.
    var reader: Task<Void, Never>?

    private var machine: TransportMachine
    private let parts: TransportParts
    private var chains: any TransportSenders
    private let namesStop: StopFlag?
    private let allowsLoopback: Bool
    private let use: TransportUse
    private var watched: [DTLSTransport] = []
    /// Milliseconds between two rounds of reports, and between two reports of what comes.
    private var reportIntervals = (ReportInterval.bounds.lowerBound, ReportInterval.feedbackBounds.lowerBound)
    /// Milliseconds that the jitter buffers wait for packets that are missing.
    private var jitterLatency: Int
    private var firstBatch: CheckedContinuation<[MediaCandidate], Never>?
    /// What is left to be done once it has been stopped, where it may block.
    private var remains: (@Sendable () -> Void)?

    /// Makes it, with all of GStreamer's parts, and starts nothing. Throws ``MediaError``.
    init(
        number: Int, _ options: TransportOptions, servers: ServerAccess, protection: TransportProtection,
        total: MediaCounters, outlets: ReceiveChains.Outlets, senders: any TransportSenders = SendChains()
    ) throws(MediaError) {
        self.number = number
        (use, chains) = (options.use, senders)
        namesStop = options.relayOnly || options.use != .pair ? nil : try? StopFlag()
        allowsLoopback = options.allowsLoopback
        jitterLatency = options.jitterLatency
        // What is missing on the way to a server is told of our own media, and not of each feed.
        let isWatched = number == 0 && use != .feed
        let relays = RelayWatch(
            relayCount: isWatched ? servers.relays.count : 0, isRelayOnly: isWatched && options.relayOnly)
        machine = TransportMachine(
            isFirst: number == 0, isPair: use == .pair,
            local: LocalCandidates(isRelayOnly: options.relayOnly, relays: relays),
            remote: RemoteCandidates(
                allowsLoopback: allowsLoopback, resolvesNames: namesStop != nil, slots: options.use.slots))
        parts = try TransportParts(
            options, servers: servers.addresses, protection: protection, total: total, outlets: outlets,
            mids: machine.mids)
        Self.count.add(1, ordering: .relaxed)
    }

    private static let count = Atomic(0)
    /// How many transports live in this process.
    static var live: Int { count.load(ordering: .relaxed) }

    deinit {
        reader?.cancel()
        Self.count.subtract(1, ordering: .relaxed)
    }

    /// Lets the pipeline run, on the time of `other` if there is one.
    func start(onTimeOf other: Pipeline? = nil) { parts.start(onTimeOf: other) }

    // MARK: What it is

    var pipeline: Pipeline { parts.pipeline }
    var bin: WebRTCBin { parts.bin }
    var protection: FrameProtection { parts.protection }
    /// What its elements tell, for ``receive(_:)``.
    var signals: TransportSignals { parts.signals }
    /// The ways of what is captured for it alone, once there is an offer or answer.
    var senders: [MediaSlot: SendChain] { chains.chains }
    /// Whether the peer's certificate is the announced one, and media may flow.
    var isVerified: Bool { machine.isVerified }
    /// The same, also after the end.
    var wasVerified: Bool { machine.wasVerified }
    /// How many of the peer's candidates were not used.
    var rejectedCandidates: Int { machine.rejectedCandidates }
    /// Whether a relay gave a candidate.
    var hasRelay: Bool { machine.hasRelay }
    /// The m-lines' names, in order.
    var usedMids: [String] { machine.mids }
    /// What keeps the pictures within what the network carries.
    var control: SendControl? { senders[.camera]?.control }
    /// The path that it has found; nil before.
    var path: MediaPath? { bin.selectedPath }
    /// How long the pictures of the peer's camera take to decode.
    var decoding: DecodeLoad { parts.decoding }
    /// The tones both ways.
    var tones: ToneLine { parts.tones }
    /// How long what a server forwards waits in queues on its way here; nil while that is not known.
    var queue: Duration? { parts.wayDown.queue }
    /// Whether media of the peer have come on it.
    var isHeard: Bool { parts.counters.received.frames > 0 }

    /// Lets what is sent again, and the reports, keep within so many bits a second.
    func follow(rate: Int) {
        signals.retransmissions.setRate(rate)
        // Where nothing is received nothing is asked for.
        let reports = use == .publishing ? ReportInterval.bounds.upperBound : ReportInterval.milliseconds(at: rate)
        let intervals = (reports, ReportInterval.feedbackMilliseconds(at: rate))
        // Each time it is set, also to what it was, the time of the next report is drawn anew.
        if intervals.0 != reportIntervals.0 { bin.setReportInterval(intervals.0) }
        if intervals.1 != reportIntervals.1 { bin.setFeedbackInterval(intervals.1) }
        reportIntervals = intervals
    }

    /// Lets the reports keep to what is of use where this part of what a server forwards is lost lately.
    func follow(forwardedLoss loss: Double) {
        let interval = ReportInterval.milliseconds(forwardedLoss: loss)
        guard interval != reportIntervals.0 else { return }
        reportIntervals.0 = interval
        bin.setReportInterval(interval)
    }

    /// Lets the jitter buffers wait for packets that are missing, and what has come wait to be played, as `setting` says.
    func set(_ setting: JitterLatency.Setting) {
        // It sets all to it, those of sound, too, and has GStreamer ask for latencies.
        if setting.latency != jitterLatency { bin.setJitterLatency(setting.latency) }
        jitterLatency = setting.latency
        signals.jitterBuffers.set(retry: setting.retry, soundLatency: setting.soundLatency)
        parts.setPictureWait(setting.wait.pictures)
        parts.setRecoversSound(setting.recoversSound)
    }

    /// What is known of the way to the peer, and how packets came since the last time; nil before there is a session.
    func takeLinkReport() -> LinkReport? {
        guard var report = bin.linkReport else { return nil }
        report.arrivals = signals.jitterBuffers.takeArrivals(now: .now)
        return report
    }

    /// Whether packets of pictures that are missing are asked for.
    func setAsksAgain(_ asksAgain: Bool) { signals.jitterBuffers.setAsksAgain(asksAgain) }

    // MARK: Events

    /// Takes what the elements tell, and gives what is the session's to do.
    func receive(_ signal: TransportSignal) -> Actions {
        switch signal {
        case .candidate(let candidate): perform(machine.found(candidate, now: .now))
        case .gatheringComplete: perform(machine.gatheringCompleted(now: .now))
        case .stateChanged: perform(machine.saw(look(), now: .now))
        case .nameFound(let name, let address): perform(machine.resolved(name, address))
        case .firstFrame(let kind): perform(machine.firstFrame(kind))
        case .peerLeft: perform(machine.peerLeft())
        case .reception(let report): follow(report)
        case .woke: perform(machine.woke(now: .now))
        case .failed(let message): perform(machine.broke(message))
        case .latencyChanged: setLatency()
        // The session's alone.
        case .statement, .tone: Actions()
        }
    }

    private func follow(_ report: ReceptionReport) -> Actions {
        control?.receive(report)
        return Actions()
    }

    /// Lets the peer know at which sizes its camera and its screen are shown here, and follows what it says of ours.
    func follow(shown: PictureSize?, screen: PictureSize? = nil) {
        // Larger pictures than are decoded in time are not asked for, however large they are shown.
        let limit = parts.decoding.limit
        var shows: [PeerView.Subject: PictureSize] = [:]
        shows[.camera] = limit.map { limit in shown.map { $0.pixels < limit.pixels ? $0 : limit } ?? limit } ?? shown
        shows[.screen] = screen
        parts.views.show(shows)
        chains.setView(parts.views.peer(.camera))
        chains.setScreenView(parts.views.peer(.screen))
    }

    /// Tells the peer which of our sources are on.
    func say(_ statement: MediaStatement) { parts.statements.say(statement) }

    /// Looks at what can only be seen by looking; to be called four times a second.
    func tick() -> Actions {
        guard machine.stage != .yielding, !machine.isRetired else { return Actions() }
        // Before there is something to see it is looked when webrtcbin says so.
        let seen = machine.stage == .gathering ? Actions() : perform(machine.saw(look(), now: .now))
        return seen + perform(machine.ticked(packets: parts.counters.packets, now: .now))
    }

    /// Looks, for one that was replaced, whether its time is over.
    func tick(isSuccessorHeard: Bool) -> Actions {
        perform(machine.looked(isSuccessorHeard: isSuccessorHeard, now: .now))
    }

    /// Takes further candidates of the peer.
    func add(_ candidates: [MediaCandidate]) { perform(machine.received(candidates)) }

    /// All tunnels to relays are out of use.
    func loseRelays() { machine.relaysLost(now: .now) }

    /// Carries what the session sends from here on.
    func carry() { machine.carry() }

    /// Sends no longer, and takes for a while what still comes.
    func yield() {
        chains.shut()
        parts.tones.cancel()
        machine.yield(now: .now)
    }

    /// Stops all frames and signals at once, and gives what still has to be done where it may block. With `isCallOver` the peer
    /// is told so on the media path, if it is known to be the one there.
    func retire(isCallOver: Bool = false) -> @Sendable () -> Void {
        perform(machine.retire(isCallOver: isCallOver))
        defer { remains = nil }
        return remains ?? {}
    }

    // MARK: Actions

    /// Does what is the transport's, and gives the rest.
    private func perform(_ actions: Actions) -> Actions {
        perform(actions.transport)
        return Actions(pair: actions.pair, session: actions.session)
    }

    private func perform(_ actions: [TransportMachine.TransportAction]) {
        for action in actions {
            switch action {
            case .look: signals.send.yield(.stateChanged)
            case .contact(let candidates): for candidate in candidates { bin.add(candidate) }
            case .resolve(let names): resolve(names)
            case .handOver(let batch):
                firstBatch?.resume(returning: batch)
                firstBatch = nil
            case .wake(let time): wake(at: time)
            case .openGate: parts.open(voice: chains.voice, senders: chains)
            case .stop(let saysGoodbye): stop(saysGoodbye: saysGoodbye)
            }
        }
    }

    private func look() -> TransportSight {
        let channels = bin.dtls
        for dtls in channels where !watched.contains(dtls) {
            watched.append(dtls)
            signals.connect(dtls)
        }
        // Once verified, a certificate is not read again.
        let telling = isVerified ? channels.filter(\.isOver) : channels
        return TransportSight(path: bin.path, channels: telling.map(\.sight))
    }

    private func resolve(_ names: [LocalName]) {
        guard let namesStop else { return }
        MulticastResolver.look(for: names, isLocal: allowsLoopback, until: namesStop) { [send = signals.send] in
            send.yield(.nameFound($0, $1))
        }
    }

    private func wake(at time: Instant) {
        let (pause, send) = (time - .now, signals.send)
        guard pause > .zero else {
            _ = send.yield(.woke)
            return
        }
        Task {
            try? await Task.sleep(for: pause)
            send.yield(.woke)
        }
    }

    private func setLatency() -> Actions {
        parts.setLatency()
        return Actions()
    }

    private func stop(saysGoodbye: Bool) {
        reader?.cancel()
        namesStop?.raise()
        remains = parts.stop(leaving: saysGoodbye ? chains.sources : nil)
        chains.close()
        firstBatch?.resume(returning: [])
        firstBatch = nil
    }
}

// Offer and answer. What throws here leaves a transport that is of no use; that is for its session to end.
extension Transport {
    /// Begins an offer: every m-line gets its send chain. `formerRate` is what was well on the transport before, in bits a second.
    func beginOffer(formerRate: Int?) throws(MediaError) {
        try machine.beginOffer()
        try negotiating { () throws(MediaError) in
            try chains.add(
                use.slots.map(MediaLabel.init(offering:)), to: parts, formerRate: formerRate)
        }
    }

    /// Makes the offer that has begun.
    ///
    /// Takes up to 750 ms, until the first candidates are there. Throws ``MediaError``.
    func offer(on isolation: isolated (any Actor)? = #isolation) async throws(MediaError) -> LocalDescription {
        do {
            let offer = try await bin.createOffer()
            return try await publish(offer, on: isolation) { machine.offered() }
        } catch {
            machine.negotiationFailed()
            throw error
        }
    }

    /// Begins the answer to the peer's offer; `expectedMids` are those that a later offer of the same call has to have.
    func beginAnswer(
        to sdp: String, expectedMids: [String]? = nil, formerRate: Int?
    ) throws(MediaError) -> PeerDescription {
        let peer = try Self.check { () throws(DescriptionError) in try PeerDescription(offer: sdp) }
        if let expectedMids, peer.mids != expectedMids { throw .description(.midsDiffer) }
        try machine.beginAnswer(peer.fingerprint, mids: peer.mids)
        parts.use(mids: peer.mids)
        isPeerOlder = peer.isOlder
        codecs = peer.codecs
        let slots = MediaSlot.allCases.prefix(peer.mids.count)
        try negotiating { () throws(MediaError) in
            let labels = slots.compactMap { MediaLabel(answering: $0, of: peer) }
            try chains.add(labels, to: parts, formerRate: formerRate)
        }
        parts.tones.prepare(answering: peer.tonePayloadType)
        return peer
    }

    /// Makes the answer that has begun. Throws ``MediaError``.
    func answer(
        _ peer: PeerDescription, candidates: [MediaCandidate], on isolation: isolated (any Actor)? = #isolation
    ) async throws(MediaError) -> LocalDescription {
        do {
            try await bin.setRemote(GST_WEBRTC_SDP_TYPE_OFFER, text: peer.text)
            let answer = try await bin.createAnswer()
            // The peer has no answer yet, but ICE may begin: its candidates are known.
            return try await publish(answer, on: isolation) {
                agree(with: peer)
                return machine.agreed(peer.candidates + candidates, now: .now)
            }
        } catch {
            machine.negotiationFailed()
            throw error
        }
    }

    /// Takes the answer to our offer. Throws ``MediaError``.
    func apply(
        answer sdp: String, candidates: [MediaCandidate], on isolation: isolated (any Actor)? = #isolation
    ) async throws(MediaError) {
        try machine.expectAnswer()
        let (offered, isPair) = (machine.mids, use == .pair)
        let peer = try Self.check { () throws(DescriptionError) in
            isPair
                ? try PeerDescription(answer: sdp, offeredMids: offered)
                : try PeerDescription(answerOfServer: sdp, offeredMids: offered)
        }
        try machine.beginApplying(peer.fingerprint)
        isPeerOlder = peer.isOlder
        codecs = peer.codecs
        agree(with: peer)
        do {
            try await bin.setRemote(GST_WEBRTC_SDP_TYPE_ANSWER, text: peer.text)
        } catch {
            machine.negotiationFailed()
            throw error
        }
        // webrtcbin goes by the answer, which does not say how reports may leave.
        bin.tuneFeedback()
        perform(machine.agreed(peer.candidates + candidates, now: .now))
    }

    private func agree(with peer: PeerDescription) {
        parts.agree(with: peer)
        if peer.givesFeedback { chains.expectFeedback() }
    }

    /// Sets our description, waits for the first candidates and gives both in the form for the peer.
    private func publish(
        _ description: NativeDescription, on isolation: isolated (any Actor)?,
        then done: () -> [TransportMachine.TransportAction]
    ) async throws(MediaError) -> LocalDescription {
        machine.gatheringBegan(now: .now)
        parts.promise(description)
        try await bin.setLocal(description)
        try requireLife()
        bin.tuneFeedback()
        perform(done())
        let candidates = await withCheckedContinuation(isolation: isolation) { continuation in
            firstBatch = continuation
            perform(machine.awaitFirstBatch(now: .now))
        }
        try requireLife()
        return LocalDescription(sdp: parts.text(of: description), candidates: candidates)
    }

    /// Begins the answer to a forwarding server's offer of a feed.
    func beginAnswer(toServer sdp: String) throws(MediaError) -> PeerDescription {
        let peer = try Self.check { () throws(DescriptionError) in try PeerDescription(offerOfServer: sdp) }
        try machine.beginAnswer(peer.fingerprint, mids: peer.mids)
        parts.use(mids: peer.mids)
        codecs = peer.codecs
        try negotiating { () throws(MediaError) in
            for label in use.slots.compactMap({ MediaLabel(receiving: $0, of: peer) }) { try parts.receive(label) }
        }
        return peer
    }

    private func requireLife() throws(MediaError) {
        if machine.isRetired { throw .closed }
    }

    /// After a step that failed none may follow.
    private func negotiating(_ step: () throws(MediaError) -> Void) throws(MediaError) {
        do {
            try step()
        } catch {
            machine.negotiationFailed()
            throw error
        }
    }

    private static func check(
        _ read: () throws(DescriptionError) -> PeerDescription
    ) throws(MediaError) -> PeerDescription {
        do {
            return try read()
        } catch {
            throw .description(error)
        }
    }
}
