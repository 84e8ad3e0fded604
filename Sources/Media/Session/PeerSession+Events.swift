import CGStreamer
import GLibKit

extension PeerSession {
    /// Milliseconds of the monotonic clock.
    static var now: Int64 { Int64(g_get_monotonic_time() / 1_000) }

    func handle(_ signal: TransportSignal) async {
        guard !isClosed else { return }
        switch signal {
        case .candidate(let candidate): found(candidate)
        case .gatheringComplete:
            schedule?.gatheringCompleted(now: Self.now)
            pumpCandidates()
        case .stateChanged: checkTransport()
        case .latencyChanged:
            let element = pipeline.element
            MediaQueue.start { gst_bin_recalculate_latency(element.pointer()) }
        case .firstFrame(.video): emit.yield(.firstVideoFrame)
        case .firstFrame(.audio): emit.yield(.firstAudioFrame)
        case .screen(let sharing): await handle(sharing)
        case .notice(let text): emit.yield(.notice(text))
        case .microphoneSilent(let isSilent): emit.yield(.microphoneSilent(isSilent))
        case .using(let kind, let device): use(device, as: kind)
        case .failed(let message): await fail(.pipeline(message))
        }
    }

    /// Looks at what can only be seen by looking, four times a second.
    func tick() {
        guard !isClosed else { return }
        checkTransport()
        pumpCandidates()
        guard isVerified else { return endWhenOverdue() }
        tuneToLink()
        let received = counters.received
        if let media = detector.update(
            audioFrames: received.audioFrames, videoFrames: received.videoFrames, screenFrames: received.screenFrames,
            screenSoundFrames: received.screenSoundFrames, now: Self.now)
        {
            emit.yield(.peerMedia(media))
            if !media.camera { remoteVideo.show(nil) }
            if !media.screen { remoteScreen.show(nil) }
            if !media.screenSound { Task { [speaker] in await speaker.endScreenSound() } }
        }
        switch watchdog.update(packets: counters.packets, now: Self.now) {
        case .lost: emit.yield(.lost)
        case .recovered: emit.yield(.recovered)
        case nil: break
        }
    }

    /// A peer that answers and then never sets up the channel must not keep camera and microphone open.
    private func endWhenOverdue() {
        guard let remoteSetAt,
            let error = NegotiationStage.overdue(since: remoteSetAt, now: Self.now, isICEConnected: isICEConnected)
        else { return }
        Task { await fail(error) }
    }

    /// Lets the jitter buffers wait for retransmissions, and the loudspeaker with them.
    private func tuneToLink() {
        if let control = senders[.camera]?.control {
            control.poll(now: Self.now)
            signals.retransmissions.setRate(control.report.target)
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
        signals.jitterBuffers.setRetry(setting.retry)
        Task { [speaker] in await speaker.setLatency(setting.latency) }
    }

    // MARK: Candidates

    private func found(_ candidate: MediaCandidate) {
        guard let line = try? CandidateLine(parsing: candidate.candidate), line.transport == .udp,
            line.kind == .relay || !configuration.relayOnly
        else { return }
        filter.add(own: line)
        var candidate = candidate
        if line.kind == .relay { candidate.candidate = CandidateLine.withoutRelatedAddress(candidate.candidate) }
        schedule?.add(candidate)
        pumpCandidates()
    }

    /// Hands out the candidates that are due.
    func pumpCandidates() {
        // The first batch has to meet the one who waits for it.
        guard firstBatch != nil || isFirstBatchOut else { return }
        while true {
            switch schedule?.poll(now: Self.now) {
            case .first(let batch):
                firstBatch?.resume(returning: batch)
                firstBatch = nil
                isFirstBatchOut = true
            case .further(let batch): emit.yield(.candidates(batch))
            case .wait(let time): return wake(at: time)
            case .done, nil: return
            }
        }
    }

    /// The first batch is waited for; ticks are enough for the others.
    private func wake(at time: Int64) {
        guard firstBatch != nil else { return }
        let pause = max(1, time - Self.now)
        Task { [weak self] in
            try? await Task.sleep(for: .milliseconds(pause))
            await self?.pumpCandidates()
        }
    }

    // MARK: Transport

    /// Reports ICE and DTLS, and opens the gates once the peer's certificate is the announced one.
    func checkTransport() {
        guard !isClosed else { return }
        let transports = transport.dtls
        for dtls in transports where !watchedTransports.contains(dtls) {
            watchedTransports.append(dtls)
            signals.connect(dtls)
        }
        switch transport.iceState {
        case .connected, .completed:
            if !isICEConnected { emit.yield(.iceConnected) }
            isICEConnected = true
        case .failed where isHopeless: Task { await fail(.unreachable) }
        default: break
        }
        verify(transports)
    }

    /// Without candidates ICE fails after five seconds, but takes up its work with the next that come: until the peer has
    /// had its time to send them (12 s, calls fact sheet §5) that is no failure.
    private var isHopeless: Bool {
        guard let remoteSetAt else { return false }
        return isICEConnected || Self.now - remoteSetAt > CandidateSchedule.end + 3_000
    }

    private func verify(_ transports: [DTLSTransport]) {
        guard !isVerified, let peerFingerprint else { return }
        if transports.contains(where: \.hasFailed) {
            Task { await fail(.negotiation("DTLS")) }
            return
        }
        let connected = transports.filter(\.isConnected)
        guard !connected.isEmpty else { return }
        // The certificate is stored before the state changes; if it is not there the next look will see it.
        let shown = connected.map(\.peerFingerprint)
        guard !shown.contains(nil) else { return }
        if !isDTLSConnected { emit.yield(.dtlsConnected) }
        isDTLSConnected = true
        guard transports.count == 1, shown.allSatisfy({ $0 == peerFingerprint }) else {
            protection.close()
            emit.yield(.fingerprintMismatch)
            Task { await close() }
            return
        }
        isVerified = true
        emit.yield(.fingerprintVerified)
        protection.open()
        updateValves()
        cameraInlet.begin()
    }

    /// Tells the failure and stops everything.
    func fail(_ error: MediaError) async {
        guard !isClosed else { return }
        emit.yield(.failed(error))
        await close()
    }
}
