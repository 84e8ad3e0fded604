import BaseKit
import MediaRules

// What the session does for its transports.
extension PeerSession {
    /// Hands everything that a transport's elements say to it.
    func read(_ transport: Transport) {
        let (stream, number) = (transport.signals.stream, transport.number)
        transport.reader = Task { [weak self] in
            for await signal in stream { await self?.handle(signal, of: number) }
        }
    }

    /// What the elements of the transport with this number tell.
    func handle(_ signal: TransportSignal, of number: Int) {
        guard !isClosed, let transport = transports[number] else { return }
        switch signal {
        case .statement(let statement): hear(statement)
        // Before the peer's certificate is known none gets so far.
        case .tone(let tone): if transport.isVerified { emit.yield(.tone(tone)) }
        default: follow(transport, transport.receive(signal))
        }
    }

    /// Looks at what can only be seen by looking, four times a second.
    func tick() {
        guard !isClosed else { return }
        for transport in [transports.current, transports.next].compactMap({ $0 }) {
            follow(transport, transport.tick())
        }
        if let former = transports.former {
            follow(former, former.tick(isSuccessorHeard: transports.current.isHeard))
        }
        guard !isClosed, isVerified else { return }
        transports.current.follow(shown: remoteVideo.shownSize, screen: remoteScreen.shownSize)
        tuneToLink()
        if switches.isHeld { peerMedia.pause() } else { watchPeerMedia() }
    }

    /// Does what a transport leaves to its session.
    private func follow(_ transport: Transport, _ actions: Transport.Actions) {
        for action in actions.pair where !isClosed {
            switch action {
            case .pathFound: emit.yield(.iceConnected)
            case .channelSetUp: emit.yield(.dtlsConnected)
            case .firstFrame(let kind): emit.yield(kind == .video ? .firstVideoFrame : .firstAudioFrame)
            case .lost: emit.yield(.lost)
            case .recovered:
                link.recovered(now: .now)
                emit.yield(.recovered)
            case .peerLeft: emit.yield(.peerLeft)
            case .replaced: release(transport)
            }
        }
        for action in actions.session where !isClosed {
            switch action {
            case .candidates(let batch):
                emit.yield(transport.number == 0 ? .candidates(batch) : .renewalCandidates(transport.number, batch))
            case .verified: verified(transport)
            case .mismatch: end(.fingerprintMismatch, saysGoodbye: true)
            case .noRelay: relaysAreUnusable()
            case .failed(let error): failed(transport, error)
            }
        }
    }

    private func verified(_ transport: Transport) {
        guard transport === transports.current else { return takeOver(transport) }
        emit.yield(.fingerprintVerified)
        transport.carry()
        path = transport.path
        updateValves()
        cameraInlet.begin()
    }

    /// A transport can't go on: the call's, or one that was to take over; then the call is as it was.
    private func failed(_ transport: Transport, _ error: MediaError) {
        if transport === transports.current { return end(.failed(error)) }
        guard transport === transports.next else { return }
        release(transport)
        emit.yield(.renewalFailed(transport.number, error))
    }

    /// Lets go of a transport that does not carry.
    func release(_ transport: Transport) {
        transports.remove(transport)
        MediaQueue.start(transport.retire())
    }

    // MARK: The way to the peer

    /// Lets the jitter buffers wait for retransmissions, and the loudspeaker with them.
    private func tuneToLink() {
        let transport = transports.current
        if let control = transport.control {
            control.poll(now: .now)
            starvation.update(target: control.report.target, now: .now)
            say()
            transport.follow(rate: control.report.target)
        }
        guard link.isDue(now: .now) else { return }
        // It may change without a word: ICE goes on looking for a better one.
        path = transport.path ?? path
        guard let report = transport.takeLinkReport(),
            let setting = link.update(report, own: outlets.speaker.value?.own, now: .now)
        else { return }
        followWait(setting)
    }

    /// Lets the transport that carries, and the loudspeaker, wait for packets as `setting` says.
    func followWait(_ setting: JitterLatency.Setting) {
        transports.current.set(setting)
        Task { [speaker = devices.speaker] in await speaker.setWait(setting.wait) }
    }

    private func watchPeerMedia() {
        follow(
            peerMedia.update(counters.received, packets: counters.packets, sendsScreenAsCamera: isPeerOlder, now: .now))
    }

    /// Whether the network carries too little for the camera's pictures.
    private var isLinkSlow: Bool { starvation.isStarved || transports.current.control?.report.isPaused == true }

    /// Tells the peer which of our sources are on, where that is another word than before.
    func say() {
        let content = switches.statement(screenLine: screenLine, isLinkSlow: isLinkSlow)
        transports.current.say(ownStatement.update(content))
    }

    private func hear(_ statement: MediaStatement) { follow(peerMedia.hear(statement, now: .now)) }

    private func follow(_ change: PeerMediaWatch.Change?) {
        guard let change else { return }
        if let isHeld = change.held { emit.yield(.peerHeld(isHeld)) }
        guard change.before != change.now else { return }
        if !change.now.microphone { voice.fallSilent() }
        if change.before.camera != change.now.camera { remoteVideo.setOn(change.now.camera) }
        if change.before.screen != change.now.screen { remoteScreen.setOn(change.now.screen) }
        if !change.now.screenSound {
            Task { [speaker = devices.speaker] in await speaker.end(PlayedSound(slot: .screenSound)) }
        }
        emit.yield(.peerMedia(change.now))
    }

    // MARK: Relays

    /// No relay gave what it is there for.
    private func relaysAreUnusable() {
        if configuration.relayOnly {
            end(.failed(.relay(servers.reason)))
        } else if servers.failure == nil {
            emit.yield(.notice(.server(servers.reason)))
        }
    }

    /// A tunnel to a relay failed. In a relay-only call another relay may still do.
    func relayFailed(_ error: RelayServerError) {
        guard !isClosed else { return }
        if servers.failed(error) { transports.current.loseRelays() }
        if !configuration.relayOnly || transports.current.hasRelay { emit.yield(.notice(.server(error))) }
    }
}
