import MediaRules

/// The servers of one call, and which of its relays have failed so far.
struct ServerUse: Sendable {
    let access: ServerAccess
    /// Tunnels that failed, each once.
    let failures: AsyncStream<RelayServerError>
    /// What the first one to fail said.
    private(set) var failure: RelayServerError?
    private var lost = 0

    /// Prepares the servers. Throws ``MediaError/relay(_:)`` when the call may go only through relays and there is none.
    init(_ servers: [ICEServer], relayOnly: Bool) throws(MediaError) {
        let (failures, send) = AsyncStream.makeStream(of: RelayServerError.self)
        self.failures = failures
        access = try ServerAccess(ofCall: servers, relayOnly: relayOnly) { send.yield($0) }
    }

    /// Why no relay gave a candidate.
    var reason: RelayServerError { failure ?? .noCandidates(access.relays) }

    /// Takes a failure; true when no relay is left.
    mutating func failed(_ error: RelayServerError) -> Bool {
        failure = failure ?? error
        lost += 1
        return lost == access.relays.count
    }
}
