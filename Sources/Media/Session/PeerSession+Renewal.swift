/// The replacement of a broken path: a second `webrtcbin` beside the first one (make before break).
///
/// webrtcbin 1.22 has no ICE restart. A new one brings its own ICE, DTLS and certificate; frame key, m-lines, devices and
/// feeds stay. The old one carries the call until the new one is connected and the peer's new certificate is verified.
extension PeerSession {
    /// Makes an offer for a new transport. `number` is higher than those of all before.
    ///
    /// Throws ``MediaError``; the call goes on as it was.
    public func renewOffer(_ number: Int) async throws -> LocalDescription {
        let next = try begin(number)
        do {
            return try await offer(on: next)
        } catch {
            drop(next)
            throw error
        }
    }

    /// Answers the peer's offer for a new transport.
    ///
    /// Throws ``MediaError``; the call goes on as it was.
    public func renewAnswer(
        _ number: Int, to sdp: String, candidates: [MediaCandidate]
    ) async throws -> LocalDescription {
        let next = try begin(number)
        do {
            return try await answer(sdp, candidates: candidates, on: next, expectedMids: generation.mids.value)
        } catch {
            drop(next)
            throw error
        }
    }

    /// Takes the answer to our offer for a new transport.
    ///
    /// Throws ``MediaError``; the call goes on as it was.
    public func apply(renewedAnswer sdp: String, candidates: [MediaCandidate], number: Int) async throws {
        guard let next, next.number == number else { throw MediaError.closed }
        do {
            try await apply(answer: sdp, candidates: candidates, on: next)
        } catch {
            drop(next)
            throw error
        }
    }

    /// Takes further candidates of the peer for a transport; those for one that is gone are counted.
    public func add(_ candidates: [MediaCandidate], number: Int) {
        guard let target = generations.first(where: { $0.number == number }), target !== retired else {
            lateCandidates += candidates.count
            return
        }
        add(candidates, to: target)
    }

    /// Gives up a new transport that has not taken over, also one that is still to be made.
    public func abandon(_ number: Int) async {
        newestNumber = max(newestNumber, number)
        if let next, next.number <= number { drop(next) }
    }

    /// All transports there are: the one that sends, the one that shall and the one that did.
    var generations: [TransportGeneration] { [generation] + [next, retired].compactMap { $0 } }

    /// Whether the transport before the present one is still there.
    var isRetiring: Bool { retired != nil }

    private func begin(_ number: Int) throws(MediaError) -> TransportGeneration {
        try requireOpen()
        guard isVerified, number > newestNumber, !isPeerOlder else { throw .closed }
        newestNumber = number
        if let next { drop(next) }
        let outlets = Self.outlets(
            configuration, feed: remoteVideo, screen: remoteScreen, camera: cameraInlet, microphone: microphoneInlet,
            speaker: playout)
        let made = try TransportGeneration(
            number: number, configuration, servers: servers.addresses, encryption: protection.current.encryption,
            total: counters, outlets: outlets)
        made.transport.setJitterLatency(jitterLatency.latency)
        next = made
        made.start(onTimeOf: pipeline)
        read(made)
        return made
    }

    /// Ends a transport that has not taken over.
    func drop(_ generation: TransportGeneration) {
        guard generation === next else { return }
        next = nil
        end(generation)
    }

    func end(_ generation: TransportGeneration) {
        guard !generation.isClosed else { return }
        rejectedCandidates += generation.filter.rejected
        MediaQueue.start(generation.end())
    }

    /// The new transport is connected and verified: from here on it carries what we send. The old one may still bring what
    /// the peer sent before it noticed the same.
    func takeOver(_ new: TransportGeneration) {
        guard new === next else { return }
        if let retired { end(retired) }
        for sender in generation.senders.values { sender.setOpen(false) }
        retired = generation
        generation = new
        timeline.value = new.pipeline
        next = nil
        watchdog = LossWatchdog()
        // The counts of another RTP session.
        receiveLoss = ReceiveLoss()
        linkReadAt = .min / 2
        connectInlets()
        updateValves()
        emit.yield(.renewed(new.number))
    }

    /// Ends the old transport once the peer sends on the new one, or has had its time to.
    func retireIfDone() {
        guard let retired, let since = generation.verifiedAt else { return }
        let received = generation.counters.received
        let isInUse = received.videoFrames + received.audioFrames + received.screenFrames > 0
        guard isInUse && Self.now - since >= 500 || Self.now - since >= 3_000 else { return }
        self.retired = nil
        end(retired)
    }

    /// Says that a new transport came to nothing.
    func failRenewal(_ generation: TransportGeneration, _ error: MediaError) {
        guard generation === next else { return }
        drop(generation)
        emit.yield(.renewalFailed(generation.number, error))
    }

    /// Hands everything that a transport's elements say to the session.
    func read(_ generation: TransportGeneration) {
        let (stream, number) = (generation.signals.stream, generation.number)
        generation.reader = Task { [weak self] in
            for await signal in stream { await self?.handle(signal, of: number) }
        }
    }
}
