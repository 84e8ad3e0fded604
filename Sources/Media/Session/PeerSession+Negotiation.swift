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
    public func makeOffer() async throws -> LocalDescription {
        try requireOpen()
        try negotiation.beginOffer()
        return try await failing {
            try addMedia(MediaSlot.allCases.map(MediaLabel.init(offering:)))
            let offer = try await transport.createOffer()
            return try await publish(offer) { self.negotiation.offered() }
        }
    }

    /// Answers an offer.
    ///
    /// Throws ``MediaError/description(_:)`` for an offer that no call may be built on; nothing was contacted then.
    public func makeAnswer(to sdp: String, candidates: [MediaCandidate]) async throws -> LocalDescription {
        try requireOpen()
        let peer = try check { () throws(DescriptionError) in try PeerDescription(offer: sdp) }
        try negotiation.beginAnswer()
        return try await failing {
            let slots = MediaSlot.allCases.prefix(peer.mids.count)
            mids.value = peer.mids
            try addMedia(slots.compactMap { MediaLabel(answering: $0, in: peer.description) })
            peerFingerprint = peer.fingerprint
            detector.isPeerOlder = peer.isOlder
            try await transport.setRemote(GST_WEBRTC_SDP_TYPE_OFFER, text: peer.text)
            let answer = try await transport.createAnswer()
            return try await publish(answer) {
                // The peer has no answer yet, but ICE may begin: its candidates are known.
                self.negotiation.agreed()
                self.remoteSetAt = Self.now
                self.add(peer.candidates + candidates)
            }
        }
    }

    /// Takes the answer to our offer.
    ///
    /// Throws ``MediaError/description(_:)`` for an answer that no call may be built on; the session is of no use then.
    public func apply(answer sdp: String, candidates: [MediaCandidate]) async throws {
        try requireOpen()
        try negotiation.expectAnswer()
        let offered = mids.value
        let peer = try check { () throws(DescriptionError) in try PeerDescription(answer: sdp, offeredMids: offered) }
        try negotiation.beginApplying()
        peerFingerprint = peer.fingerprint
        detector.isPeerOlder = peer.isOlder
        try await failing { try await transport.setRemote(GST_WEBRTC_SDP_TYPE_ANSWER, text: peer.text) }
        negotiation.agreed()
        remoteSetAt = Self.now
        add(peer.candidates + candidates)
        checkTransport()
    }

    /// Whether the peer is of the versions with one picture only, in which its screen takes the camera's place; known once
    /// its description has been applied.
    public var isPeerOlder: Bool { detector.isPeerOlder }

    /// Takes further candidates of the peer. Names among them are never resolved; at most 100 are used in all.
    public func add(_ candidates: [MediaCandidate]) {
        guard !isClosed else { return }
        guard remoteSetAt != nil else {
            // Bounded here too: the filter sees them only later.
            waitingCandidates += candidates.prefix(max(0, CandidateFilter.maximumCount - waitingCandidates.count))
                .filter { $0.candidate.utf8.count <= CandidateLine.maximumLength }
            return
        }
        let usable = filter.accept(waitingCandidates + candidates, mids: mids.value)
        waitingCandidates = []
        for candidate in usable { transport.add(candidate) }
    }

    /// Decides how frames are protected: with a 32-byte key, or with nil not at all. No frame leaves before.
    public func setFrameKey(_ key: SecretBytes?) {
        protection.set(key.map { .aes256GCM($0) } ?? .none)
    }

    /// Decides how frames are protected. No frame leaves while it is `.undecided`.
    public func setFrameEncryption(_ encryption: FrameEncryption) {
        protection.set(encryption)
    }

    /// Runs a step of the negotiation; when it fails, none may follow.
    private func failing<Result: Sendable>(_ step: () async throws -> Result) async throws -> Result {
        do {
            return try await step()
        } catch {
            negotiation.failed()
            throw error
        }
    }

    func requireOpen() throws(MediaError) {
        if isClosed { throw .closed }
    }

    private func check(_ read: () throws(DescriptionError) -> PeerDescription) throws(MediaError) -> PeerDescription {
        do {
            return try read()
        } catch {
            throw .description(error)
        }
    }

    /// Every m-line gets its send chain, also the screen's, whose valves stay closed until it is shared.
    private func addMedia(_ labels: [MediaLabel]) throws(MediaError) {
        for label in labels {
            switch label.slot {
            case .microphone: try addSender(label, inlet: microphoneInlet)
            case .camera: try addSender(label, inlet: cameraInlet)
            case .screenSound: try addSender(label, inlet: screenSoundInlet)
            case .screen: try addSender(label, inlet: screenInlet)
            }
        }
    }

    private func addSender(_ label: MediaLabel, inlet: FrameInlet) throws(MediaError) {
        let chain = try SendChain(label: label, inlet: inlet, protection: protection, counters: counters)
        try transport.addSender(chain)
        senders[label.slot] = chain
        guard let control = senders[.camera]?.control else { return }
        senders[.microphone]?.follow(control)
        if label.slot == .screen { try chain.share(with: control) }
    }

    /// Sets our description, waits for the first candidates and gives both in the form for the peer.
    private func publish(
        _ description: NativeDescription, then begin: () -> Void = {}
    ) async throws(MediaError) -> LocalDescription {
        schedule = CandidateSchedule(now: Self.now)
        if let own = try? SessionDescription(parsing: description.text) {
            packets.admit(payloadTypes: own.payloadTypes)
        }
        try await transport.setLocal(description)
        try requireOpen()
        transport.tuneFeedback()
        begin()
        checkTransport()
        let candidates = await withCheckedContinuation { continuation in
            firstBatch = continuation
            pumpCandidates()
        }
        try requireOpen()
        var text = DescriptionText.withoutCandidates(description.text)
        if let certificate { text = DescriptionText.with(fingerprint: certificate.fingerprint, in: text) }
        return LocalDescription(sdp: text, candidates: candidates)
    }
}
