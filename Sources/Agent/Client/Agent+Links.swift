import AgentProtocol
import Cryptography
import SMP

// Making, joining and allowing connections.
extension Agent {
    /// The most information a confirmation carries, in bytes: what fits beside the reply queue's address.
    static let maximumInformation = 14_000

    /// Makes a queue and the one-time link that leads to it.
    ///
    /// - Returns: the new connection and its link, in full form.
    /// - Throws: `AgentError.noRelay`, `.relayUnreachable`, `.relayRefused`, `.notReady`, `.stopped`, `.store`.
    public func makeInvitation() async throws -> (connection: ConnectionID, link: String) {
        try await makeInvitation(isFast: true)
    }

    /// - Parameter isFast: false for a queue as older peers make it (Agent fact sheet §4.2).
    func makeInvitation(isFast: Bool) async throws -> (connection: ConnectionID, link: String) {
        let keys = RatchetKeyPairs()
        let queue = try await makeQueueForLink(isFast: isFast) { connection, now in
            ConnectionRecord(
                id: connection, role: .initiator, state: .invited, agentVersion: AgentVersions.supported.maximum,
                createdAt: now, agreementKeys: SecretBytes(wiping: keys.encoded))
        }
        return (queue.connection, try queue.invitation(keys).text())
    }

    /// Makes a queue on the relay for new ones, and the connection that `record` describes, whose number and time it gets.
    func makeQueueForLink(
        isFast: Bool, record: (ConnectionID, Int64) -> ConnectionRecord
    ) async throws -> ReceiveQueueRecord {
        try ensureRunning()
        let relay = try relayForNewQueue()
        let connection = ConnectionID.random()
        let count = lines[relay]?.connectionCount
        let made: ReceiveQueueRecord
        do {
            made = try await createQueueNow(connection, on: relay, isFast: isFast)
        } catch let failure as DeliveryFailure {
            throw error(failure, on: relay)
        }
        try ensureRunning()
        let connectionRecord = record(connection, now)
        let queue = try keep(made) {
            try inStore { transaction in
                try transaction.insert(connectionRecord)
                return try transaction.insert(made)
            }
        }
        runtimes[connection] = ConnectionRuntime()
        try adopt(queue, madeDuring: count)
        return queue
    }

    /// Somebody waits for the link: a relay that was out of reach is dialled again at once instead of after its delay.
    func createQueueNow(_ connection: ConnectionID, on relay: RelayAddress, isFast: Bool) async throws
        -> ReceiveQueueRecord
    {
        let start = now
        while (start..<start + 1_000).contains(now) {
            do {
                return try await createQueue(connection, on: relay, isFast: isFast)
            } catch DeliveryFailure.unreachable {
                await line(to: relay).reconnectNow()
                _ = await pause(milliseconds: 200)
            }
        }
        return try await createQueue(connection, on: relay, isFast: isFast)
    }

    /// Opens a link: checks it, stores the new connection and begins the handshake. Relays are asked in the background;
    /// what they refuse is told by `AgentEvent.failed`.
    ///
    /// - Parameters:
    ///   - link: an invitation link or a contact address, in full or short form. Relays are asked for what is
    ///     behind a short one before this returns. With an address, its owner is asked; when it
    ///     accepts, `AgentEvent.confirmation` follows and `allow` is due, as with an own link.
    ///   - info: what the other side gets to see, at most 14,000 bytes.
    ///   - connection: the new connection; events may name it before this returns.
    /// - Throws: `AgentError.invalidLink`, `.unsupportedLink`, `.incompatibleVersion`, `.messageTooLong`, `.noRelay`,
    ///   `.notReady`, `.stopped`, `.store`.
    public func join(
        link: String, info: [UInt8], as connection: ConnectionID = .random()
    ) async throws -> ConnectionID {
        try ensureRunning()
        guard !configuration.relays.isEmpty else { throw AgentError.noRelay }
        try Self.checkInformation(info)
        switch try? AnyLink(parsing: link) {
        case .full(let full): try join(full, info: info, as: connection)
        case .short(let short): try await join(short, info: info, as: connection)
        case nil: throw AgentError.invalidLink
        }
        return connection
    }

    /// - Parameter joining: runs in the transaction that stores the new connection.
    func join(
        _ link: ConnectionLink, info: [UInt8], as connection: ConnectionID, securedWith key: SecretBytes? = nil,
        joining: (StoreTransaction) throws -> Void = { _ in }
    ) throws {
        let joined = try JoinedLink(link, info: info, as: connection, securedWith: key, now: now)
        let relay = try RelayAddress(parsing: joined.sendQueue.relay)
        let effects = try inStore { transaction in
            try joining(transaction)
            try transaction.insert(joined.record)
            _ = try transaction.insert(joined.sendQueue)
            var step = try ConnectionStep(transaction, connection, now: now)
            try step.carryOut(step.handshake.resume())
            return try step.finish()
        }
        runtimes[connection] = ConnectionRuntime(sendRelay: relay)
        apply(effects, to: connection)
    }

    /// Accepts the peer that answered an own link. Saying it twice does nothing. When the store fails,
    /// `AgentEvent.confirmation` comes again as soon as it works.
    ///
    /// - Parameters:
    ///   - connection: as told by `AgentEvent.confirmation`.
    ///   - info: what the joiner gets to see, at most 14,000 bytes.
    /// - Throws: `AgentError.unknownConnection`, `.notReady`, `.messageTooLong`, `.stopped`, `.store`.
    public func allow(_ connection: ConnectionID, info: [UInt8]) async throws {
        try ensureRunning()
        try Self.checkInformation(info)
        do {
            let (_, effects) = try step(connection) { step in
                guard !step.record.isDeleting else { throw AgentError.unknownConnection }
                let isFirst = step.handshake.state == .confirmed
                if isFirst { step.record.ownInformation = info }
                guard let actions = step.handshake.allow() else { throw AgentError.notReady }
                if isFirst { step.record.peerInformation = nil }
                try step.carryOut(actions)
            }
            apply(effects, to: connection)
        } catch AgentError.store(let error) where error.isTemporary {
            outage.postpone(.askApplication(connection))
            throw AgentError.store(error)
        }
    }

    // MARK: Links

    static func checkInformation(_ info: [UInt8]) throws {
        guard info.count <= maximumInformation else {
            throw AgentError.messageTooLong(limit: maximumInformation)
        }
    }
}

extension AgentError {
    /// A failure with an own relay: there is no peer to be gone.
    init(_ failure: DeliveryFailure, ofOwnRelay: Bool) {
        self = failure == .refused ? .relayRefused("AUTH") : AgentError(failure)
    }
}
