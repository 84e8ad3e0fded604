import CGStreamer
import Cryptography

/// Our half of the negotiation: what goes to the peer in signaling.
public struct LocalDescription: Sendable, Equatable, Codable {
    /// Offer or answer, without candidates.
    public var sdp: String
    /// The first candidates; more may follow as ``PeerSessionEvent/candidates(_:)``.
    public var candidates: [MediaCandidate]
}

extension PeerSession {
    /// Makes the offer: four m-lines with the mids 0 to 3.
    ///
    /// Takes up to 750 ms, until the first candidates are there. Throws ``MediaError``.
    public func makeOffer() async throws -> LocalDescription { try await offer(on: generation) }

    /// Answers an offer.
    ///
    /// Throws ``MediaError/description(_:)`` for an offer that no call may be built on; nothing was contacted then.
    public func makeAnswer(to sdp: String, candidates: [MediaCandidate]) async throws -> LocalDescription {
        try await answer(sdp, candidates: candidates, on: generation)
    }

    /// Takes the answer to our offer.
    ///
    /// Throws ``MediaError/description(_:)`` for an answer that no call may be built on; the session is of no use then.
    public func apply(answer sdp: String, candidates: [MediaCandidate]) async throws {
        try await apply(answer: sdp, candidates: candidates, on: generation)
    }

    /// Whether the peer is of the versions with one picture only, in which its screen takes the camera's place; known once
    /// its description has been applied.
    public var isPeerOlder: Bool { detector.isPeerOlder }

    /// Takes further candidates of the peer. At most 100 are used in all. Names are never resolved but those under which browsers
    /// hide addresses (``LocalName``), by multicast.
    public func add(_ candidates: [MediaCandidate]) { add(candidates, to: generation) }

    /// Decides how frames are protected: with a 32-byte key, or with nil not at all. No frame leaves before.
    public func setFrameKey(_ key: SecretBytes?) {
        setFrameEncryption(key.map { .aes256GCM($0) } ?? .none)
    }

    /// Decides how frames are protected. No frame leaves while it is `.undecided`.
    public func setFrameEncryption(_ encryption: FrameEncryption) {
        for generation in generations { generation.protection.set(encryption) }
    }

    func requireOpen() throws(MediaError) {
        if isClosed { throw .closed }
    }

    // MARK: On one transport

    func offer(on generation: TransportGeneration) async throws -> LocalDescription {
        try requireOpen()
        try generation.negotiation.beginOffer()
        do {
            try addMedia(MediaSlot.allCases.map(MediaLabel.init(offering:)), to: generation)
            let offer = try await generation.transport.createOffer()
            return try await publish(offer, on: generation) { generation.negotiation.offered() }
        } catch {
            // None may follow.
            generation.negotiation.failed()
            throw error
        }
    }

    /// `expectedMids` are those that a later offer of the same call has to have.
    func answer(
        _ sdp: String, candidates: [MediaCandidate], on generation: TransportGeneration, expectedMids: [String]? = nil
    ) async throws -> LocalDescription {
        try requireOpen()
        let peer = try check { () throws(DescriptionError) in try PeerDescription(offer: sdp) }
        if let expectedMids, peer.mids != expectedMids { throw MediaError.description(.midsDiffer) }
        try generation.negotiation.beginAnswer()
        do {
            let slots = MediaSlot.allCases.prefix(peer.mids.count)
            generation.mids.value = peer.mids
            try addMedia(slots.compactMap { MediaLabel(answering: $0, in: peer.description) }, to: generation)
            generation.peerFingerprint = peer.fingerprint
            detector.isPeerOlder = peer.isOlder
            try await generation.transport.setRemote(GST_WEBRTC_SDP_TYPE_OFFER, text: peer.text)
            let answer = try await generation.transport.createAnswer()
            return try await publish(answer, on: generation) {
                // The peer has no answer yet, but ICE may begin: its candidates are known.
                generation.negotiation.agreed()
                generation.remoteSetAt = Self.now
                self.add(peer.candidates + candidates, to: generation)
            }
        } catch {
            generation.negotiation.failed()
            throw error
        }
    }

    func apply(
        answer sdp: String, candidates: [MediaCandidate], on generation: TransportGeneration
    ) async throws {
        try requireOpen()
        try generation.negotiation.expectAnswer()
        let offered = generation.mids.value
        let peer = try check { () throws(DescriptionError) in try PeerDescription(answer: sdp, offeredMids: offered) }
        try generation.negotiation.beginApplying()
        generation.peerFingerprint = peer.fingerprint
        detector.isPeerOlder = peer.isOlder
        do {
            try await generation.transport.setRemote(GST_WEBRTC_SDP_TYPE_ANSWER, text: peer.text)
        } catch {
            generation.negotiation.failed()
            throw error
        }
        generation.negotiation.agreed()
        generation.remoteSetAt = Self.now
        add(peer.candidates + candidates, to: generation)
        checkTransport(generation)
    }

    func add(_ candidates: [MediaCandidate], to generation: TransportGeneration) {
        guard !isClosed, !generation.isClosed else { return }
        guard generation.remoteSetAt != nil else {
            // Bounded here too: the filter sees them only later.
            let room = CandidateFilter.maximumCount - generation.waitingCandidates.count
            generation.waitingCandidates += candidates.prefix(max(0, room))
                .filter { $0.candidate.utf8.count <= CandidateLine.maximumLength }
            return
        }
        let known = lookUpNames(in: generation.waitingCandidates + candidates, for: generation)
        let usable = generation.filter.accept(known, mids: generation.mids.value)
        generation.waitingCandidates = []
        for candidate in usable { generation.transport.add(candidate) }
    }

    private func check(_ read: () throws(DescriptionError) -> PeerDescription) throws(MediaError) -> PeerDescription {
        do {
            return try read()
        } catch {
            throw .description(error)
        }
    }

    /// Every m-line gets its send chain, also the screen's, whose valves stay closed until it is shared.
    private func addMedia(_ labels: [MediaLabel], to generation: TransportGeneration) throws(MediaError) {
        for label in labels { try addSender(label, to: generation) }
        if generation === self.generation { connectInlets() }
    }

    private func addSender(_ label: MediaLabel, to generation: TransportGeneration) throws(MediaError) {
        let chain = try SendChain(
            label: label, protection: generation.protection, counters: generation.counters,
            formerRate: senders[.camera]?.control?.report.good)
        try generation.transport.addSender(chain)
        generation.senders[label.slot] = chain
        generation.ownSources.insert(label.ssrc)
        guard let control = generation.senders[.camera]?.control else { return }
        generation.senders[.microphone]?.follow(control)
        if label.slot == .screen { try chain.share(with: control) }
        guard label.slot.kind == .video else { return }
        generation.signals.retransmissions.onRefusal(of: label.ssrc) { [weak control, slot = label.slot] in
            control?.needKeyFrame(ofScreen: slot == .screen)
        }
    }

    /// Lets what is captured go to the transport that sends.
    func connectInlets() {
        cameraInlet.connect(to: senders[.camera]?.source)
        microphoneInlet.connect(to: senders[.microphone]?.source)
        screenInlet.connect(to: senders[.screen]?.source)
        screenSoundInlet.connect(to: senders[.screenSound]?.source)
    }

    /// Sets our description, waits for the first candidates and gives both in the form for the peer.
    private func publish(
        _ description: NativeDescription, on generation: TransportGeneration, then begin: () -> Void = {}
    ) async throws(MediaError) -> LocalDescription {
        generation.schedule = CandidateSchedule(now: Self.now)
        if generation.number == 0 { relayWatch.began(now: Self.now) }
        if let own = try? SessionDescription(parsing: description.text) {
            generation.packets.admit(payloadTypes: own.payloadTypes)
            generation.announcement.admit(clockRates: own.clockRates)
        }
        try await generation.transport.setLocal(description)
        try requireOpen(generation)
        generation.transport.tuneFeedback()
        begin()
        checkTransport(generation)
        let candidates = await withCheckedContinuation { continuation in
            generation.firstBatch = continuation
            pumpCandidates(of: generation)
        }
        try requireOpen(generation)
        var text = DescriptionText.withoutAddresses(DescriptionText.withoutCandidates(description.text))
        if let certificate = generation.certificate {
            text = DescriptionText.with(fingerprint: certificate.fingerprint, in: text)
        }
        return LocalDescription(sdp: text, candidates: candidates)
    }

    private func requireOpen(_ generation: TransportGeneration) throws(MediaError) {
        if isClosed || generation.isClosed { throw .closed }
    }
}
