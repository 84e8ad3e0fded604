import MediaRules

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
            try next.beginOffer(formerRate: formerRate)
            return try await next.offer()
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
            let peer = try next.beginAnswer(
                to: sdp, expectedMids: transports.current.usedMids, formerRate: formerRate)
            return try await next.answer(peer, candidates: candidates)
        } catch {
            drop(next)
            throw error
        }
    }

    /// Takes the answer to our offer for a new transport.
    ///
    /// Throws ``MediaError``; the call goes on as it was.
    public func apply(renewedAnswer sdp: String, candidates: [MediaCandidate], number: Int) async throws {
        guard let next = transports.next, next.number == number else { throw MediaError.closed }
        do {
            try await next.apply(answer: sdp, candidates: candidates)
        } catch {
            drop(next)
            throw error
        }
    }

    /// Takes further candidates of the peer for a transport; those for one that is gone are counted.
    public func add(_ candidates: [MediaCandidate], number: Int) { transports.add(candidates, number: number) }

    /// Gives up a new transport that has not taken over, also one that is still to be made.
    public func abandon(_ number: Int) async {
        transports.giveUp(number)
        if let next = transports.next, next.number <= number { drop(next) }
    }

    /// Bits a second that were well on the transport before.
    private var formerRate: Int? { transports.current.control?.report.good }

    private func begin(_ number: Int) throws(MediaError) -> Transport {
        try requireOpen()
        try transports.admit(number)
        if let next = transports.next { drop(next) }
        let made = try Transport(
            number: number, configuration.transport, servers: servers.access,
            protection: .call(transports.current.protection.current.encryption), total: counters, outlets: outlets)
        made.set(link.setting)
        made.protection.setHeld(switches.isHeld)
        transports.prepare(made)
        made.start(onTimeOf: pipeline)
        read(made)
        return made
    }

    /// Ends a transport that has not taken over.
    private func drop(_ transport: Transport) {
        if transport === transports.next { release(transport) }
    }

    /// The new transport is connected and verified: from here on it carries what we send. The old one may still bring what
    /// the peer sent before it noticed the same.
    func takeOver(_ new: Transport) {
        guard new === transports.next else { return }
        if let former = transports.former { release(former) }
        transports.current.yield()
        transports.takeOver()
        new.carry()
        path = new.path ?? path
        devices.timeline.value = new.pipeline
        link.replaced()
        followWait(link.setting)
        connectInlets()
        updateValves()
        emit.yield(.renewed(new.number))
    }
}
