import CGStreamer
import GLibKit
import MediaRules

/// One `webrtcbin`, with what has to be set on it, and its verbs as async functions.
///
/// Everything is bundled, so there is one ICE and one DTLS transport.
final class WebRTCBin: Sendable {
    let element: Element
    private let pipeline: Element
    private let operations = OperationGate()

    /// Makes the bin inside `pipeline`. Throws ``MediaError``.
    init(
        _ options: TransportOptions, servers: [ICEServerAddress], pipeline: Element
    ) throws(MediaError) {
        self.pipeline = pipeline
        element = try Element.make("webrtcbin", name: "peer")
        element.set("bundle-policy", "max-bundle")
        element.set("latency", options.jitterLatency)
        // Sender reports say when a frame was captured. When it left is the default: encoding and pacing pictures would count as time in
        // which their sound is to wait, or not, as the pacer had it in that moment.
        (try? element.child("rtpbin"))?.set("rtcp-sync-send-time", false)
        if options.relayOnly { element.set("ice-transport-policy", "relay") }
        // UPnP announces us to the network and delays gathering; TCP host candidates help nobody here.
        let ice = element.borrow("ice-agent")
        if let agent = ice?.borrow("agent") {
            agent.set("upnp", false)
            agent.set("ice-tcp", false)
            // RFC 8445 §14.2: Ta between checks may be as short as 5 ms; libnice takes 20.
            agent.set("stun-pacing-timer", 5)
            // libnice gives up an unanswered question after 500 + 1,000 + 500 ms. With five the pauses are 500, 1,000, 2,000, 4,000 and
            // 2,000 ms: longer than a relay is waited for (RelayWatch).
            agent.set("stun-max-retransmissions", 5)
            agent.set("stun-reliable-timeout", 9_500)
        }
        // libnice leaves loopback out by itself, also where there is nothing else.
        if options.allowsLoopback, LocalNetwork.hasOnlyLoopback {
            _ = try? ice?.emit("add-local-ip-address", "127.0.0.1")
        }
        for server in servers { add(server) }
        pipeline.add(element)
    }

    private func add(_ server: ICEServerAddress) {
        switch server {
        case .stun(let url): element.set("stun-server", url)
        case .turn(let url): _ = try? element.emit("add-turn-server", url)
        }
    }

    // MARK: Negotiation

    /// Adds an m-line that sends what `chain` brings. The peer's offer must not have been applied yet.
    func addSender(_ chain: Element, slot: MediaSlot) throws(MediaError) {
        pipeline.add(chain)
        let name = "sink_\(slot.rawValue)"
        guard gst_element_link_pads(chain.pointer(), "src", element.pointer(), name) != 0,
            let transceiver = element.pad(name)?.borrow("transceiver")
        else { throw .negotiation(.mediaLine(slot.rawValue)) }
        if slot.kind == .video { transceiver.set("do-nack", true) }
        gst_element_sync_state_with_parent(chain.pointer())
    }

    /// Adds an m-line on which the peer alone sends. Its offer must not have been applied yet.
    func addReceiver(_ label: MediaLabel) throws(MediaError) {
        guard let caps = Caps(label.receivingCaps),
            let made = try? element.emit("add-transceiver", Self.receiveOnly, caps.boxed),
            let transceiver = Object(borrowing: made)
        else { throw .negotiation(.mediaLine(label.slot.rawValue)) }
        if label.slot.kind == .video { transceiver.set("do-nack", true) }
    }

    /// `GST_WEBRTC_RTP_TRANSCEIVER_DIRECTION_RECVONLY`.
    private static let receiveOnly = 3

    /// Makes an offer. Throws ``MediaError/negotiation(_:)``.
    func createOffer() async throws(MediaError) -> NativeDescription { try await create(.offer) }

    /// Makes an answer to the offer that has been set. Throws ``MediaError/negotiation(_:)``.
    func createAnswer() async throws(MediaError) -> NativeDescription { try await create(.answer) }

    private func create(_ kind: NegotiationFault.Description) async throws(MediaError) -> NativeDescription {
        let reply = await run("create-\(kind.rawValue)", nil)
        guard let description = reply.descriptions[kind.rawValue] else {
            throw .negotiation(.notMade(kind, gstreamer: reply.error))
        }
        return description
    }

    /// Sets our own description; gathering of candidates begins.
    func setLocal(_ description: NativeDescription) async throws(MediaError) {
        try await set(description, side: .local)
    }

    /// Sets the peer's description, which has been checked.
    func setRemote(_ type: GstWebRTCSDPType, text: String) async throws(MediaError) {
        guard let description = NativeDescription(type, text: text) else {
            throw .negotiation(.unreadable)
        }
        try await set(description, side: .remote)
    }

    private func set(_ description: NativeDescription, side: NegotiationFault.Side) async throws(MediaError) {
        let reply = await run("set-\(side.rawValue)-description", UnsafeMutableRawPointer(description.raw))
        if let error = reply.error { throw .negotiation(.notSet(side, gstreamer: error)) }
    }

    private func run(_ signal: String, _ argument: UnsafeMutableRawPointer?) async -> PromiseReply {
        guard operations.enter() else { return PromiseReply(error: "closed") }
        defer { operations.leave() }
        return await Promise.reply { try element.emit(signal, argument, $0) }
    }

    /// Begins no further operation. What this gives waits until none runs; only then may the pipeline be stopped: parts that
    /// webrtcbin adds while it is being stopped are never stopped themselves, and keep their sockets.
    func close() -> @Sendable () -> Void {
        operations.close()
        return operations.wait
    }

    /// Contacts a candidate of the peer.
    func add(_ candidate: MediaCandidate) {
        _ = try? element.emit("add-ice-candidate", candidate.mLineIndex, candidate.candidate)
    }

    // MARK: State

    /// What ICE has come to, by `GstWebRTCICEConnectionState`.
    var path: TransportSight.Path {
        switch element[property: "ice-connection-state"] as Int32? {
        case 2, 3: .found
        case 4: .failed
        default: .searching
        }
    }

    /// The path that ICE has chosen; nil before.
    var selectedPath: MediaPath? {
        guard let ice = element.borrow("ice-agent"),
            let stream = dtls.first?.borrow("transport")?.borrow("stream")
        else { return nil }
        var (local, remote):
            (UnsafeMutablePointer<GstWebRTCICECandidateStats>?, UnsafeMutablePointer<GstWebRTCICECandidateStats>?)
        defer {
            for one in [local, remote] { if let one { gst_webrtc_ice_candidate_stats_free(one) } }
        }
        guard gst_webrtc_ice_get_selected_pair(ice.pointer(), stream.pointer(), &local, &remote) != 0,
            let local = local?.pointee, let remote = remote?.pointee, let kind = local.type, let other = remote.type,
            let name = local.proto
        else { return nil }
        return MediaPath(
            local: String(cString: kind), remote: String(cString: other), protocol: String(cString: name),
            relay: local.relay_proto.map { String(cString: $0) }, address: local.ipaddr.map { String(cString: $0) })
    }

    /// The DTLS transports in use: one, or the bundle has been broken.
    var dtls: [DTLSTransport] {
        var found: [DTLSTransport] = []
        for index in MediaSlot.allCases.indices {
            guard let transceiver = (try? element.emit("get-transceiver", index)).flatMap(Object.init(borrowing:)),
                let transport = transceiver.borrow("sender")?.borrow("transport")
            else { continue }
            let dtls = DTLSTransport(retaining: transport.pointer() as UnsafeMutableRawPointer)
            if !found.contains(dtls) { found.append(dtls) }
        }
        return found
    }

    /// Sets what makes retransmission quick, once the RTP session exists: the standard's five seconds between RTCP reports
    /// (RFC 3550 §6.2) suit large groups; RFC 4585 §3.4 allows less.
    func tuneFeedback() {
        guard let session else { return }
        session.set("bandwidth", 2_000_000.0)
        setReportInterval(ReportInterval.bounds.lowerBound)
        // A report of each source with each feedback would take a third of a narrow link; every program takes feedback alone
        // (RFC 8834 §4.6).
        session.set("rtcp-reduced-size", true)
        // Otherwise with each picture's last packet: where most packets are lost, hardly ever.
        setFeedbackInterval(ReportInterval.feedbackBounds.lowerBound)
    }

    /// Lets so many milliseconds pass between two rounds of reports.
    func setReportInterval(_ milliseconds: Int) { session?.set("rtcp-min-interval", milliseconds * 1_000_000) }

    /// Lets so many milliseconds pass between two reports of what comes.
    func setFeedbackInterval(_ milliseconds: Int) { session?.set("twcc-feedback-interval", milliseconds * 1_000_000) }

    /// Tells the RTP session the clock rate of each source of ours, by payload type.
    func announce(_ sources: SourceAnnouncement) { sessionElement?.pad("send_rtp_sink").map(sources.begin(at:)) }

    /// Takes what the peer tells of packets, each once and whatever they carry. Further up GStreamer tells it to each line that has sent,
    /// and where no pictures are sent to the sound's alone.
    func onFeedback(_ body: @escaping @Sendable ([PacketReport]) -> Void) {
        sessionElement?.pad("send_rtp_sink")?.filterUpstreamEvents { event in
            guard let reports = PacketFeedback.reports(of: event) else { return true }
            body(reports)
            return false
        }
    }

    /// Where packets leave the RTP session, all they need already in them but their encryption.
    var departures: Pad? { sessionElement?.pad("send_rtp_src") }

    /// Where reports leave the RTP session, before their encryption.
    var reports: Pad? { sessionElement?.pad("send_rtcp_src") }

    /// Tells the peer that `sources` leave because the call is over. Three times: nobody sends it again if it is lost. Takes
    /// 40 ms; to be called before the pipeline is stopped, where it may block.
    func sayGoodbye(of sources: [UInt32]) {
        guard let pad = sessionElement?.pad("send_rtcp_src") else { return }
        // In a call of a moment no report has gone this way.
        pad.beginStream(ofType: "application/x-rtcp")
        let goodbye = RTCPGoodbye(of: sources, reason: RTCPGoodbye.callEnded)
        let packet = goodbye.compound(canonicalName: canonicalName ?? "")
        for turn in 0..<3 {
            if turn > 0 { g_usleep(20_000) }
            guard pad.push(packet) else { return }
        }
    }

    /// Tells the peer that the encrypted channel is over (the alert close_notify, RFC 5246 §7.2.1), which browsers see at once. The
    /// channel's element does so at the end of what it is given to send; media never go that way.
    func closeChannel() {
        for encoder in pipeline.all(madeBy: "dtlssrtpenc") {
            // Where data channels would come in; webrtcbin has it made for every transport.
            guard let pad = encoder.pad("data_sink") else { continue }
            gst_pad_send_event(pad.pointer(), gst_event_new_stream_start("end"))
            gst_pad_send_event(pad.pointer(), gst_event_new_eos())
        }
        // It leaves by a thread of the element's own.
        g_usleep(20_000)
    }

    /// The name by which our sources are known to be of one end (RFC 3550 §6.5.1).
    private var canonicalName: String? {
        guard let value = session?.value(of: "sdes"), let structure = gst_value_get_structure(value.storage) else {
            return nil
        }
        return gst_structure_get_string(structure, "cname").map { String(cString: $0) }
    }

    /// The element around the one RTP session.
    private var sessionElement: Element? {
        let value = try? element.child("rtpbin").emit("get-session", 0)
        return value.flatMap(Object.init(borrowing:)).map {
            Element(retaining: $0.pointer() as UnsafeMutableRawPointer)
        }
    }

    /// What RTCP says of the way to the peer; nil before there is a session.
    var linkReport: LinkReport? { session.map(LinkReport.init(session:)) }

    /// Lets the jitter buffers wait this long, in milliseconds, for packets that are missing.
    func setJitterLatency(_ latency: Int) { (try? element.child("rtpbin"))?.set("latency", latency) }

    /// The one RTP session: all media are bundled.
    private var session: Object? {
        guard let rtpbin = try? element.child("rtpbin") else { return nil }
        return (try? rtpbin.emit("get-internal-session", 0)).flatMap(Object.init(borrowing:))
    }
}

/// The encrypted channel to the peer.
///
/// Unchecked: like ``Element``.
final class DTLSTransport: Object, @unchecked Sendable {
    /// Whether one side has ended it with close_notify.
    var isOver: Bool { sight == .over }

    /// What it has come to, by `GstWebRTCDTLSTransportState`.
    var sight: TransportSight.Channel {
        switch self[property: "state"] as Int32? {
        case 1: .over
        case 2: .failed
        case 4: .connected(peerFingerprint)
        default: .settingUp
        }
    }

    /// The fingerprint of the certificate that the peer showed.
    private var peerFingerprint: Fingerprint? {
        (self[property: "remote-certificate"] as String?).flatMap { Fingerprint(certificatePEM: $0) }
    }
}
