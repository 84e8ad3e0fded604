import BaseKit
import CGStreamer
import GLibKit
import MediaRules

/// How the frames of one transport are protected.
enum TransportProtection: Sendable {
    /// By the key of a call of two.
    case call(FrameEncryption)
    /// By keys that what opens them knows. What is sent comes sealed.
    case group(opening: @Sendable (MediaSlot) -> any FrameOpening)

    /// The gate, closed, with the key of a call of two.
    fileprivate var gate: FrameProtection {
        switch self {
        case .call(let encryption): FrameProtection(encryption)
        case .group: FrameProtection(.undecided)
        }
    }

    fileprivate var opening: (@Sendable (MediaSlot) -> any FrameOpening)? {
        if case .group(let opening) = self { opening } else { nil }
    }
}

/// What one transport is built of: a pipeline with one `webrtcbin`, the guards and the gate inside, and the chains of what arrives.
///
/// Decides nothing: ``Transport`` says what happens when.
final class TransportParts: Sendable {
    /// What passes; also counted in the session's.
    let counters: MediaCounters
    /// The gate. Closed until the certificate is verified.
    let protection: FrameProtection
    let pipeline: Pipeline
    let bin: WebRTCBin
    /// What the elements tell.
    let signals: TransportSignals
    private let chains: ReceiveChains
    private let certificate = CallCertificate()
    private let packets: PacketGuard
    /// The tones both ways.
    let tones: ToneLine
    /// The sizes at which the two ends show each other.
    let views = ViewLine()
    /// What they say of their sources.
    let statements: StatementLine
    /// How long packets of a feed wait in queues on their way.
    let wayDown = WayDownWatch()
    private let announcement = SourceAnnouncement()
    private let use: TransportUse
    private let feedback = ServerFeedback()
    private let peerEstimates = Shared(false)
    /// Milliseconds that pictures wait for their last step.
    private let pictureWait: Shared<Int>
    /// The m-lines' names in use, read on GStreamer's threads.
    private let mids: Shared<[String]>
    /// The sources of pictures in several sizes, and by which all sources' packets are sent again then.
    private let layers = Shared<SentLayers?>(nil)
    private let repeaters = Shared<[UInt32: UInt32]>([:])

    /// Makes all, and starts nothing. Throws ``MediaError``.
    init(
        _ options: TransportOptions, servers: [ICEServerAddress], protection kind: TransportProtection,
        total: MediaCounters, outlets: ReceiveChains.Outlets, mids: [String]
    ) throws(MediaError) {
        use = options.use
        pictureWait = Shared(options.jitterLatency)
        let (signals, views, mids) = (
            TransportSignals(jitterLatency: options.jitterLatency), views, Shared(mids)
        )
        self.signals = signals
        self.mids = mids
        let statements = StatementLine { signals.send.yield(.statement($0)) }
        self.statements = statements
        counters = MediaCounters(addingTo: total)
        protection = kind.gate
        pipeline = try Pipeline(name: nil) { signals.receive($0) }
        packets = PacketGuard(counters: counters) { [gate = signals.retransmissions] in
            gate.refuse($0)
        } onKeyFrameWish: { [gate = signals.retransmissions, layers] in
            // The session passes on wishes for sources that its pad's caps name, which is one of a line.
            if let layers = layers.value, layers.contains($0) { gate.refuse($0) }
        } onView: {
            views.receive($0)
        } onStatement: {
            statements.receive($0)
        } onReception: {
            signals.send.yield(.reception($0))
        } onDeparture: {
            signals.send.yield(.peerLeft)
        } onMedia: { [wayDown] in
            wayDown.receive($0)
        }
        tones = ToneLine(isOffered: options.offersTones, protection: protection, counters: counters) {
            signals.send.yield(.tone($0))
        }
        signals.prepare(pipeline.element, certificate: certificate, packets: packets, tones: tones)
        bin = try WebRTCBin(options, servers: servers, pipeline: pipeline.element)
        chains = ReceiveChains(
            protection: protection, opening: kind.opening, counters: counters, outlets: outlets
        ) {
            signals.send.yield(.firstFrame($0))
        }
        signals.connect(bin, chains: chains) { mids.value }
    }

    /// How long the pictures of the peer's camera take to decode.
    var decoding: DecodeLoad { chains.decoding.load }

    /// Lets the pipeline run, on the time of `other` if there is one: captured and played buffers then fit both.
    func start(onTimeOf other: Pipeline?) {
        if let other { pipeline.shareTime(with: other) }
        pipeline.element.setState(GST_STATE_PLAYING)
    }

    /// The m-lines have other names than those that we offer.
    func use(mids names: [String]) { mids.value = names }

    /// Takes what comes on an m-line on which nothing is sent. Throws ``MediaError``.
    func receive(_ label: MediaLabel) throws(MediaError) {
        if label.slot == .camera { wayDown.begin(with: label.sendTimeExtension) }
        try bin.addReceiver(label)
    }

    /// Sends pictures in several sizes, which our description says.
    func send(_ layers: SentLayers) { self.layers.value = layers }

    /// Takes what a description of ours promises, before it is set.
    func promise(_ description: NativeDescription) {
        guard let types = try? PayloadTypes(of: description.text) else { return }
        packets.admit(payloadTypes: types.listed)
        tones.promise(used: types.listed)
        announcement.admit(clockRates: types.clockRates)
        guard let layers = layers.value else { return }
        repeaters.value = LayerAnnouncement.repeaters(in: LayerAnnouncement.added(to: description.text, layers))
    }

    /// A description of ours in the form for the peer: without candidates, with the certificate of this transport.
    func text(of description: NativeDescription) -> String {
        let plain = DescriptionText.withoutAddresses(DescriptionText.withoutCandidates(description.text))
        var text = plain
        if use == .pair {
            text = ViewAnnouncement.added(to: tones.add(to: plain))
            if description.isOffer || peerEstimates.value { text = EstimateAnnouncement.added(to: text) }
        }
        if let layers = layers.value { text = LayerAnnouncement.added(to: text, layers) }
        guard let certificate else { return text }
        return DescriptionText.with(fingerprint: certificate.fingerprint, in: text)
    }

    /// Agrees on what the peer's description has beyond the call itself: tones, if we have them too, the size of what is shown,
    /// and what is said of sources.
    func agree(with peer: PeerDescription) {
        if let agreed = tones.agree(on: peer.tonePayloadType) { packets.admit(payloadType: agreed) }
        peerEstimates.value = peer.givesEstimates
        views.agree(peer.takesView)
        statements.agree(peer.takesStatements)
    }

    /// Opens the gate. Nothing of ours has been sent before. `voice` is the source whose packets tones take the place of; `senders` are
    /// told what arrives.
    func open(voice: UInt32?, senders: any TransportSenders) {
        bin.announce(announcement)
        bin.onFeedback { [use, feedback] reports in
            if use != .publishing || feedback.admits(count: reports.count) { senders.receive(reports) }
        }
        if layers.value != nil { signals.retransmissions.map(repeaters.value) }
        guard use == .pair else {
            bin.reports.map(feedback.split(at:))
            if use == .publishing { bin.departures.map(feedback.count(at:)) }
            return protection.open()
        }
        if let voice { bin.departures.map { tones.begin(at: $0, voice: voice) } }
        bin.reports.map(views.begin(at:))
        bin.reports.map(statements.begin(at:))
        protection.open()
    }

    /// Lets pictures wait so many milliseconds for their last step.
    func setPictureWait(_ wait: Int) {
        guard pictureWait.value != wait else { return }
        pictureWait.value = wait
        setLatency()
    }

    /// Whether a packet of sound is decoded only when the next has come, which may tell of one that is lost; else at once.
    func setRecoversSound(_ isOn: Bool) { chains.setRecoversSound(isOn) }

    /// GStreamer wants the latency set anew. It would ask all elements and take that of the jitter buffers, which is how long they wait for a packet
    /// that is missing. Only the sinks of pictures go by it.
    func setLatency() {
        MediaQueue.start { [pipeline, pictureWait] in
            // In one step, so that none sets what another has replaced.
            pictureWait.change { wait in
                let latency = GstClockTime(wait + PlayoutDelay.lastStep) * 1_000_000
                gst_element_send_event(pipeline.element.pointer(), gst_event_new_latency(latency))
            }
        }
    }

    /// Stops all frames and signals at once, and gives what is left to be done where it may block. With `leaving` the peer is told
    /// before that these sources leave because the call is over, and those of retransmission with them.
    func stop(leaving sources: Set<UInt32>?) -> @Sendable () -> Void {
        protection.close()
        tones.cancel()
        signals.disconnect()
        let waitForOperations = bin.close()
        let leaving = sources.map { $0.union(announcement.sources).sorted() } ?? []
        return { [bin, pipeline] in
            waitForOperations()
            if !leaving.isEmpty {
                bin.sayGoodbye(of: leaving)
                bin.closeChannel()
            }
            pipeline.close()
        }
    }
}
