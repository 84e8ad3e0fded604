import AgentProtocol
import Cryptography
import SMP
import SMPSession

// Short links: the relay keeps what is behind them (Agent fact sheet §2.3). Relays from SMP version 15 on can.
extension Agent {
    /// Makes a queue and a short one-time link that leads to it.
    ///
    /// - Parameter data: what whoever opens the link may see before joining.
    /// - Throws: `AgentError.shortLinksUnsupported` when no relay knows them, `.messageTooLong`, `.noRelay`,
    ///   `.relayUnreachable`, `.relayRefused`, `.notReady`, `.stopped`, `.store`.
    public func makeShortInvitation(data: [UInt8] = []) async throws -> (connection: ConnectionID, link: String) {
        let keys = RatchetKeyPairs()
        let record = ConnectionRecord(
            id: .random(), role: .initiator, state: .invited, agentVersion: AgentVersions.supported.maximum,
            createdAt: now, agreementKeys: SecretBytes(wiping: keys.encoded))
        return (record.id, try await make(record, keys: keys, data: data))
    }

    /// Makes a contact address with a short link.
    ///
    /// - Throws: as `makeShortInvitation`.
    public func makeShortAddress(data: [UInt8] = []) async throws -> ContactAddress {
        let record = ConnectionRecord(
            id: .random(), role: .initiator, state: .invited, agentVersion: AgentVersions.supported.maximum,
            isAddress: true, createdAt: now)
        return ContactAddress(id: record.id, link: try await make(record, keys: nil, data: data))
    }

    private func make(_ record: ConnectionRecord, keys: RatchetKeyPairs?, data: [UInt8]) async throws -> String {
        try ensureRunning()
        let relay = try relayForNewQueue(
            besides: lines.filter { $1.version.map { $0 < .shortLinks } ?? false }.map(\.key))
        guard let draft = try? ShortLinkDraft(on: relay, keys: keys, data: data) else {
            throw AgentError.messageTooLong(limit: Self.maximumInformation - 1_000)
        }
        try await ensureShortLinks(on: relay)
        let count = lines[relay]?.connectionCount
        let made: ReceiveQueueRecord
        do {
            made = try await createQueue(record.id, on: relay, isFast: keys != nil, link: draft)
        } catch let failure as DeliveryFailure {
            throw error(failure, on: relay)
        }
        try ensureRunning()
        guard let link = made.shortLink else { throw AgentError.relayRefused("UNEXPECTED") }
        let queue = try keep(made) {
            try inStore { transaction in
                try transaction.insert(record)
                return try transaction.insert(made)
            }
        }
        runtimes[record.id] = ConnectionRuntime()
        try adopt(queue, madeDuring: count)
        return link
    }

    /// Opens a short link and joins what is behind it.
    func join(_ link: ShortLink, info: [UInt8], as connection: ConnectionID) async throws {
        switch link.kind {
        case .invitation, .contact: break
        case .channel, .group, .relay: throw AgentError.unsupportedLink
        }
        guard let relay = link.relay ?? knownRelay(link.hosts) else { throw AgentError.unsupportedLink }
        if !hides(from: relay) { try await ensureShortLinks(on: relay) }
        guard case .invitation(let linkID) = link.kind else {
            let full = try await open(link, on: relay, RelayRequest(.getLink, entity: EntityID(link.linkID)))
            return try join(full, info: info, as: connection)
        }
        // Kept before it is sent: the relay accepts no other key afterwards.
        let seed = try inStore { try $0.keyOfOpenedLink(linkID) }
        let key = try Ed25519.PrivateKey(rawRepresentation: seed)
        let full = try await open(
            link, on: relay,
            RelayRequest(.secureAndGetLink(.ed25519(key.publicKey)), entity: EntityID(linkID), key: .ed25519(key)))
        try join(full, info: info, as: connection, securedWith: seed) { try $0.forgetOpenedLink(linkID) }
    }

    private func open(_ link: ShortLink, on relay: RelayAddress, _ request: RelayRequest) async throws
        -> ConnectionLink
    {
        let answer: BrokerMessage
        do {
            answer = try await self.request(request, ofPeer: relay)
        } catch DeliveryFailure.rejected("CMD UNKNOWN") {
            throw AgentError.shortLinksUnsupported
        } catch let failure as DeliveryFailure {
            throw AgentError(failure)
        }
        try ensureRunning()
        guard case .link(let senderID, let data) = answer else { throw AgentError.relayRefused("UNEXPECTED") }
        do {
            return try ShortLinkData(
                opening: data, link: link, at: QueueAddress(relay: relay, senderID: senderID)
            ).fixed.link
        } catch .unsupported {
            throw AgentError.unsupportedLink
        } catch {
            throw AgentError.invalidLink
        }
    }

    /// Waits for the connection that is being made, if any, and looks at its version.
    private func ensureShortLinks(on relay: RelayAddress) async throws {
        do {
            _ = try await request(RelayRequest(.ping), on: relay)
        } catch let failure as DeliveryFailure {
            throw error(failure, on: relay)
        }
        guard let version = await line(to: relay).version, version >= .shortLinks else {
            throw AgentError.shortLinksUnsupported
        }
    }

    /// A relay of the own settings by its host, for links that leave out the fingerprint.
    private func knownRelay(_ hosts: [String]) -> RelayAddress? {
        configuration.relays.first { !Set($0.hosts).isDisjoint(with: hosts) }?.withoutPassword
    }
}
