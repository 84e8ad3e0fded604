import AgentProtocol
import SMP

// Contact addresses and the requests that come in there (Agent fact sheet §4.3).
extension Agent {
    /// Makes a contact address. `delete` ends it; who was accepted stays.
    ///
    /// - Throws: `AgentError.noRelay`, `.relayUnreachable`, `.relayRefused`, `.notReady`, `.stopped`, `.store`.
    public func makeAddress() async throws -> ContactAddress {
        let queue = try await makeQueueForLink(isFast: false) { connection, now in
            ConnectionRecord(
                id: connection, role: .initiator, state: .invited, agentVersion: AgentVersions.supported.maximum,
                isAddress: true, createdAt: now)
        }
        return ContactAddress(id: queue.connection, link: try queue.contactLink().text())
    }

    /// All contact addresses, oldest first.
    ///
    /// - Throws: `AgentError.stopped`, `.store`.
    public func addresses() async throws -> [ContactAddress] {
        try ensureOpen()
        return try inStore { transaction in
            try transaction.connections().filter { $0.isAddress && !$0.isDeleting }.compactMap { record in
                try transaction.receiveQueues(of: record.id).first.map { queue in
                    ContactAddress(id: record.id, link: try queue.shortLink ?? queue.contactLink().text())
                }
            }
        }
    }

    /// The requests that wait for an answer, oldest first.
    ///
    /// - Throws: `AgentError.stopped`, `.store`.
    public func requests() async throws -> [ContactRequest] {
        try ensureOpen()
        return try inStore { try $0.requests().map(ContactRequest.init) }
    }

    /// Accepts a request: its maker's invitation is joined.
    ///
    /// - Parameters:
    ///   - request: as told by `AgentEvent.request`.
    ///   - info: what the requester gets to see, at most 14,000 bytes.
    /// - Throws: `AgentError.unknownRequest`, `.incompatibleVersion`, `.invalidLink`, `.messageTooLong`, `.noRelay`,
    ///   `.notReady`, `.stopped`, `.store`.
    public func accept(_ request: ContactRequest.ID, info: [UInt8]) async throws -> ConnectionID {
        try ensureRunning()
        guard !configuration.relays.isEmpty else { throw AgentError.noRelay }
        try Self.checkInformation(info)
        guard let stored = try inStore({ try $0.request(request) }) else { throw AgentError.unknownRequest }
        guard let link = try? ConnectionLink(decoding: stored.link) else { throw AgentError.invalidLink }
        defer { fetchHeldRequests() }
        let connection = ConnectionID.random()
        try join(link, info: info, as: connection) { try $0.deleteRequest(request) }
        return connection
    }

    /// Forgets a request; its maker learns nothing.
    ///
    /// - Throws: `AgentError.unknownRequest`, `.stopped`, `.store`.
    public func reject(_ request: ContactRequest.ID) async throws {
        try ensureOpen()
        try inStore { transaction in
            guard try transaction.request(request) != nil else { throw AgentError.unknownRequest }
            try transaction.deleteRequest(request)
        }
        fetchHeldRequests()
    }
}
