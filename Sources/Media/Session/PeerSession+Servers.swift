// STUN and TURN servers of a call, and names that hide addresses.
extension PeerSession {
    /// Looks whether the relays gave what they are there for.
    func checkRelays() {
        guard relayWatch.poll(now: Self.now) else { return }
        let error = relayFailure ?? RelayServerError.noCandidates(servers.relays)
        if configuration.relayOnly {
            Task { await fail(.relay(error)) }
        } else if relayFailure == nil {
            emit.yield(.notice("\(error)"))
        }
    }

    /// A tunnel to a relay failed. In a relay-only call another relay may still do.
    func relayFailed(_ error: RelayServerError) {
        relayFailure = relayFailure ?? error
        relaysLost += 1
        if relaysLost == servers.relays.count { relayWatch.lost(now: Self.now) }
        if !configuration.relayOnly || relayWatch.hasRelay { emit.yield(.notice("\(error)")) }
    }

    /// Begins to look up hidden addresses among the peer's candidates, and gives back the other candidates. For a relay-only
    /// call nothing is asked: the question would tell the own network of the peer.
    func lookUpNames(in candidates: [MediaCandidate], for generation: TransportGeneration) -> [MediaCandidate] {
        guard !configuration.relayOnly, let namesStop else { return candidates }
        let (plain, questions) = generation.hidden.sort(candidates)
        MulticastResolver.look(for: questions, isLocal: configuration.allowsLoopback, until: namesStop) {
            [send = generation.signals.send] in send.yield(.nameFound($0, $1))
        }
        return plain
    }

    /// A hidden address is known now.
    func nameFound(_ name: LocalName, _ address: String, for generation: TransportGeneration) {
        let found = generation.hidden.answer(name, address)
        for candidate in generation.filter.accept(found, mids: generation.mids.value) {
            generation.transport.add(candidate)
        }
    }
}
