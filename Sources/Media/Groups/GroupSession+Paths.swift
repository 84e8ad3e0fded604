import BaseKit
import MediaRules

// Offers and answers between two members. The transport with the number 0 is the first; one with a higher number takes over from it, as
// in a call of two.
extension GroupSession {
    /// Makes an offer to a member: for the first way there, or with a `number` above 0 for another one in its place.
    ///
    /// Takes up to 750 ms, until the first candidates are there. Throws ``MediaError``; an earlier way is as it was then.
    public func makeOffer(to member: UInt8, number: Int = 0) async throws -> LocalDescription {
        let (path, transport, former) = try begin(number, to: member)
        do {
            try transport.beginOffer(formerRate: former)
            return try await transport.offer()
        } catch {
            await abandon(transport, of: path)
            throw error
        }
    }

    /// Answers a member's offer. Throws ``MediaError``; an earlier way is as it was then.
    public func makeAnswer(
        to sdp: String, candidates: [MediaCandidate], from member: UInt8, number: Int = 0
    ) async throws -> LocalDescription {
        let (path, transport, former) = try begin(number, to: member)
        do {
            let mids = number == 0 ? nil : path.transports.current.usedMids
            let peer = try transport.beginAnswer(to: sdp, expectedMids: mids, formerRate: former)
            return try await transport.answer(peer, candidates: candidates)
        } catch {
            await abandon(transport, of: path)
            throw error
        }
    }

    /// Takes the answer to our offer. Throws ``MediaError``.
    public func apply(
        answer sdp: String, candidates: [MediaCandidate], from member: UInt8, number: Int = 0
    ) async throws {
        guard !isClosed, let path = paths[member], let transport = path.transports[number] else {
            throw MediaError.closed
        }
        do {
            try await transport.apply(answer: sdp, candidates: candidates)
        } catch {
            await abandon(transport, of: path)
            throw error
        }
    }

    /// Takes further candidates of a member; those for a transport that is gone are counted.
    public func add(_ candidates: [MediaCandidate], from member: UInt8, number: Int = 0) {
        paths[member]?.transports.add(candidates, number: number)
    }

    private func begin(_ number: Int, to member: UInt8) throws -> (MeshPath, Transport, former: Int?) {
        guard !isClosed else { throw MediaError.closed }
        guard member > 0, member != configuration.member else { throw GroupFrameError.foreignMember }
        guard number > 0 else {
            guard paths[member] == nil else { throw MediaError.negotiation(.pathExists) }
            let path = try MeshPath(to: member, feeds: feeds(of: member), surroundings)
            paths[member] = path
            return (path, path.transports.current, nil)
        }
        guard let path = paths[member] else { throw MediaError.closed }
        return (path, try path.begin(number), path.formerRate)
    }

    /// Lets go of a transport that could not be negotiated, and of the way if it had no other.
    private func abandon(_ transport: Transport, of path: MeshPath) async {
        guard paths[path.member] === path else { return }
        if transport === path.transports.current {
            await end(path.member, saysGoodbye: false)
        } else if transport === path.transports.next {
            path.release(transport)
        }
    }

    // MARK: What transports tell

    func handle(_ signal: TransportSignal, of number: Int, from member: UInt8) async {
        guard !isClosed, let path = paths[member], let transport = path.transports[number] else { return }
        if case .statement(let statement) = signal {
            return await follow(path.media.hear(statement, now: .now), of: path)
        }
        await follow(transport, transport.receive(signal), of: path)
    }

    /// Looks at what can only be seen by looking, four times a second.
    func tick() async {
        keys.expire()
        encoders.poll(now: .now)
        for path in paths.values where !isClosed {
            for transport in [path.transports.current, path.transports.next].compactMap({ $0 }) {
                await follow(transport, transport.tick(), of: path)
            }
            if let former = path.transports.former {
                let isHeard = path.transports.current.isHeard
                await follow(former, former.tick(isSuccessorHeard: isHeard), of: path)
            }
            guard paths[path.member] === path, path.isVerified else { continue }
            path.tuneToLink()
            let (received, packets) = (path.counters.received, path.counters.packets)
            await follow(path.media.update(received, packets: packets, sendsScreenAsCamera: true, now: .now), of: path)
        }
        await tickRoom()
        if !isClosed { await followWaits() }
    }

    private func follow(_ transport: Transport, _ actions: Transport.Actions, of path: MeshPath) async {
        let (member, number) = (path.member, transport.number)
        let tell: (PeerSessionEvent) -> Void = { [emit] in emit.yield(.member(member, $0)) }
        for action in actions.pair where !isClosed && paths[member] === path {
            switch action {
            case .pathFound: tell(.iceConnected)
            case .channelSetUp: tell(.dtlsConnected)
            case .firstFrame(let kind): tell(kind == .video ? .firstVideoFrame : .firstAudioFrame)
            case .lost:
                path.setLost(true)
                tell(.lost)
            case .recovered:
                path.setLost(false)
                tell(.recovered)
            case .peerLeft: tell(.peerLeft)
            case .replaced: path.release(transport)
            }
        }
        for action in actions.session where !isClosed && paths[member] === path {
            switch action {
            case .candidates(let batch): tell(number == 0 ? .candidates(batch) : .renewalCandidates(number, batch))
            case .verified:
                let tookOver = path.verified(transport)
                updateValves()
                tell(tookOver ? .renewed(number) : .fingerprintVerified)
            case .mismatch:
                tell(.fingerprintMismatch)
                await end(member, saysGoodbye: true)
            case .noRelay: tell(.notice(.server(servers.reason)))
            case .failed(let error): await failed(transport, error, of: path)
            }
        }
    }

    /// A transport can't go on: the way's only one, or one that was to take over; then the way is as it was.
    private func failed(_ transport: Transport, _ error: MediaError, of path: MeshPath) async {
        if transport === path.transports.current {
            emit.yield(.member(path.member, .failed(error)))
            await end(path.member, saysGoodbye: false)
        } else if transport === path.transports.next {
            path.release(transport)
            emit.yield(.member(path.member, .renewalFailed(transport.number, error)))
        }
    }

    private func follow(_ change: PeerMediaWatch.Change?, of path: MeshPath) async {
        guard let change else { return }
        if let isHeld = change.held { emit.yield(.member(path.member, .peerHeld(isHeld))) }
        guard change.before != change.now else { return }
        if !change.now.microphone { path.voice.fallSilent() }
        if change.before.camera != change.now.camera { path.video.setOn(change.now.camera) }
        if change.before.screen != change.now.screen { path.screen.setOn(change.now.screen) }
        emit.yield(.member(path.member, .peerMedia(change.now)))
        if !change.now.screenSound { await devices.speaker.end(PlayedSound(member: path.member, slot: .screenSound)) }
    }

    /// A tunnel to a relay failed. In a relay-only call another relay may still do.
    func relayFailed(_ error: RelayServerError) {
        guard !isClosed else { return }
        if servers.failed(error) {
            for path in paths.values { path.transports.current.loseRelays() }
            room?.own?.transport.loseRelays()
        }
        emit.yield(.own(.notice(.server(error))))
    }
}
