import CGStreamer
import GLibKit

extension PeerSession {
    /// Milliseconds of the monotonic clock.
    static var now: Int64 { Int64(g_get_monotonic_time() / 1_000) }

    /// What devices tell.
    func handle(_ signal: TransportSignal) async {
        guard !isClosed else { return }
        switch signal {
        case .screen(let sharing): await handle(sharing)
        case .notice(let text): emit.yield(.notice(text))
        case .relayFailed(let error): relayFailed(error)
        case .microphoneSilent(let isSilent): emit.yield(.microphoneSilent(isSilent))
        case .using(let kind, let device): use(device, as: kind)
        case .candidate, .gatheringComplete, .stateChanged, .latencyChanged, .firstFrame, .nameFound, .peerLeft,
            .failed:
            break
        }
    }

    /// What the elements of the transport with this number tell.
    func handle(_ signal: TransportSignal, of number: Int) async {
        guard !isClosed, let generation = generations.first(where: { $0.number == number }) else { return }
        switch signal {
        case .candidate(let candidate): found(candidate, for: generation)
        case .gatheringComplete:
            generation.schedule?.gatheringCompleted(now: Self.now)
            if number == 0 { relayWatch.completed(now: Self.now) }
            pumpCandidates(of: generation)
        case .stateChanged: checkTransport(generation)
        case .latencyChanged:
            let element = generation.pipeline.element
            MediaQueue.start { gst_bin_recalculate_latency(element.pointer()) }
        case .firstFrame(let kind):
            // Of a later transport it is not the call's first.
            if number == 0 { emit.yield(kind == .video ? .firstVideoFrame : .firstAudioFrame) }
        case .nameFound(let name, let address): nameFound(name, address, for: generation)
        case .peerLeft: peerLeft(generation)
        case .notice, .screen, .relayFailed, .microphoneSilent, .using: await handle(signal)
        case .failed(let message): await failed(generation, .pipeline(message))
        }
    }

    /// A transport can't go on: the call's, one that was to take over, or one that is over anyway.
    private func failed(_ generation: TransportGeneration, _ error: MediaError) async {
        if generation === self.generation { await fail(error) } else { failRenewal(generation, error) }
    }

    /// Looks at what can only be seen by looking, four times a second.
    func tick() {
        guard !isClosed else { return }
        for generation in generations where generation !== retired {
            checkTransport(generation)
            pumpCandidates(of: generation)
        }
        retireIfDone()
        checkRelays()
        guard isVerified else { return endWhenOverdue() }
        tuneToLink()
        let (received, before) = (counters.received, detector.state)
        if let media = detector.update(
            audioFrames: received.audioFrames, videoFrames: received.videoFrames, screenFrames: received.screenFrames,
            screenSoundFrames: received.screenSoundFrames,
            now: arrivalClock.update(packets: counters.packets, now: Self.now))
        {
            emit.yield(.peerMedia(media))
            if before.camera != media.camera { remoteVideo.setOn(media.camera) }
            if before.screen != media.screen { remoteScreen.setOn(media.screen) }
            if !media.screenSound { Task { [speaker] in await speaker.endScreenSound() } }
        }
        tell(watchdog.update(packets: generation.counters.packets, now: Self.now))
    }

    private func tell(_ change: LossWatchdog.Change?) {
        switch change {
        case .lost: emit.yield(.lost)
        case .recovered:
            // What was lost while the path was broken says nothing of it now; the next report comes after all of that.
            receiveLoss = ReceiveLoss()
            linkReadAt = Self.now + 500
            emit.yield(.recovered)
        case nil: break
        }
    }

    /// A peer that answers and then never sets up the channel must not keep camera and microphone open.
    private func endWhenOverdue() {
        guard let remoteSetAt = generation.remoteSetAt,
            let error = NegotiationStage.overdue(
                since: remoteSetAt, now: Self.now, isICEConnected: generation.isICEConnected)
        else { return }
        Task { await fail(error) }
    }

    /// Lets the jitter buffers wait for retransmissions, and the loudspeaker with them.
    private func tuneToLink() {
        if let control = senders[.camera]?.control {
            control.poll(now: Self.now)
            generation.signals.retransmissions.setRate(control.report.target)
        }
        guard Self.now - linkReadAt >= 500, let report = transport.linkReport else { return }
        linkReadAt = Self.now
        link = report
        receiveLoss.update(received: report.received, lost: report.lost, now: Self.now)
        guard let roundTrip = report.roundTrip,
            let setting = jitterLatency.update(
                roundTrip: roundTrip, jitter: report.jitter, loss: receiveLoss.loss, now: Self.now)
        else { return }
        transport.setJitterLatency(setting.latency)
        generation.signals.jitterBuffers.setRetry(setting.retry)
        Task { [speaker] in await speaker.setLatency(setting.latency) }
    }

    // MARK: Candidates

    private func found(_ candidate: MediaCandidate, for generation: TransportGeneration) {
        guard let line = try? CandidateLine(parsing: candidate.candidate), line.transport == .udp,
            line.kind == .relay || !configuration.relayOnly
        else { return }
        generation.filter.add(own: line)
        var candidate = candidate
        if line.kind == .relay {
            candidate.candidate = CandidateLine.withoutRelatedAddress(candidate.candidate)
            if generation.number == 0 { relayWatch.found() }
        }
        generation.schedule?.add(candidate)
        pumpCandidates(of: generation)
    }

    /// Hands out the candidates that are due.
    func pumpCandidates(of generation: TransportGeneration) {
        // The first batch has to meet the one who waits for it.
        guard generation.firstBatch != nil || generation.isFirstBatchOut else { return }
        while true {
            switch generation.schedule?.poll(now: Self.now) {
            case .first(let batch):
                generation.firstBatch?.resume(returning: batch)
                generation.firstBatch = nil
                generation.isFirstBatchOut = true
            case .further(let batch):
                emit.yield(generation.number == 0 ? .candidates(batch) : .renewalCandidates(generation.number, batch))
            case .wait(let time): return wake(generation, at: time)
            case .done, nil: return
            }
        }
    }

    /// The first batch is waited for; ticks are enough for the others.
    private func wake(_ generation: TransportGeneration, at time: Int64) {
        guard generation.firstBatch != nil else { return }
        let (pause, number) = (max(1, time - Self.now), generation.number)
        Task { [weak self] in
            try? await Task.sleep(for: .milliseconds(pause))
            await self?.pumpCandidates(ofNumber: number)
        }
    }

    private func pumpCandidates(ofNumber number: Int) {
        if let generation = generations.first(where: { $0.number == number }) { pumpCandidates(of: generation) }
    }

    // MARK: Transport

    /// Reports ICE and DTLS, and opens the gates once the peer's certificate is the announced one.
    func checkTransport(_ generation: TransportGeneration) {
        guard !isClosed, !generation.isClosed else { return }
        let transports = generation.transport.dtls
        for dtls in transports where !generation.watchedTransports.contains(dtls) {
            generation.watchedTransports.append(dtls)
            generation.signals.connect(dtls)
        }
        switch generation.transport.iceState {
        case .connected, .completed:
            if !generation.isICEConnected, generation.number == 0 { emit.yield(.iceConnected) }
            generation.isICEConnected = true
        case .failed where isHopeless(generation):
            if generation.isVerified {
                // The path has gone, which is no reason to end the call: another may be found.
                if generation === self.generation { tell(watchdog.lose()) }
            } else {
                Task { await failed(generation, .unreachable) }
            }
        default: break
        }
        // Browsers end a call so. A transport that another one replaces is left without a word.
        if generation === self.generation, transports.contains(where: \.isOver) { peerLeft(generation) }
        verify(generation, transports)
    }

    /// The peer says that the call is over. Before its certificate is known to be the announced one it is nobody.
    private func peerLeft(_ generation: TransportGeneration) {
        guard generation.isVerified, !generation.hasPeerLeft else { return }
        generation.hasPeerLeft = true
        emit.yield(.peerLeft)
    }

    /// Without candidates ICE fails after five seconds, but takes up its work with the next that come: until the peer has
    /// had its time to send them (12 s, Calls fact sheet §5) that is no failure.
    private func isHopeless(_ generation: TransportGeneration) -> Bool {
        guard let remoteSetAt = generation.remoteSetAt else { return false }
        return generation.isICEConnected || Self.now - remoteSetAt > CandidateSchedule.end + 3_000
    }

    private func verify(_ generation: TransportGeneration, _ transports: [DTLSTransport]) {
        guard !generation.isVerified, let peerFingerprint = generation.peerFingerprint else { return }
        if transports.contains(where: \.hasFailed) {
            Task { await failed(generation, .negotiation("DTLS")) }
            return
        }
        let connected = transports.filter(\.isConnected)
        guard !connected.isEmpty else { return }
        // The certificate is stored before the state changes; if it is not there the next look will see it.
        let shown = connected.map(\.peerFingerprint)
        guard !shown.contains(nil) else { return }
        if !generation.isDTLSConnected, generation.number == 0 { emit.yield(.dtlsConnected) }
        generation.isDTLSConnected = true
        guard transports.count == 1, shown.allSatisfy({ $0 == peerFingerprint }) else {
            for generation in generations { generation.protection.close() }
            emit.yield(.fingerprintMismatch)
            Task { await close() }
            return
        }
        // Nothing of ours has been sent yet.
        generation.transport.announce(generation.announcement)
        generation.verifiedAt = Self.now
        if generation.number == 0 { emit.yield(.fingerprintVerified) }
        generation.protection.open()
        guard generation === self.generation else { return takeOver(generation) }
        updateValves()
        cameraInlet.begin()
    }

    /// Tells the failure and stops everything.
    func fail(_ error: MediaError) async {
        guard !isClosed else { return }
        emit.yield(.failed(error))
        await close(sayingGoodbye: false)
    }
}
