import AgentProtocol
import Cryptography
import SMP

/// What is stored first when a link is opened: the new connection and the queue its maker receives on.
struct JoinedLink {
    let record: ConnectionRecord
    let sendQueue: SendQueueRecord

    /// Checks a link and makes keys.
    ///
    /// - Parameter securedWith: the sender's key when the queue has it already, as after `LKEY`.
    ///
    /// - Throws: `AgentError.incompatibleVersion`, `.invalidLink`.
    init(
        _ link: ConnectionLink, info: [UInt8], as connection: ConnectionID, securedWith key: SecretBytes? = nil,
        now: Int64
    ) throws {
        guard let version = link.agreedAgentVersion, let queue = link.queues.lazy.compactMap({ $0.info() }).first
        else { throw AgentError.incompatibleVersion }
        var sendQueue = try SendQueueRecord(connection: connection, to: queue)
        if let key { sendQueue.authenticationKey = key }
        self.sendQueue = sendQueue
        let keys = RatchetKeyPairs()
        switch link.kind {
        case .invitation(let offer):
            let handshake = HandshakeMachine.joiner(
                peerQueueIsFast: sendQueue.isFast, isSecured: key != nil, agentVersion: version)
            record = ConnectionRecord(
                id: connection, role: .joiner, state: handshake.state, agentVersion: version, createdAt: now,
                agreementKeys: SecretBytes(wiping: keys.encoded),
                ratchet: SecretBytes(wiping: try Self.ratchet(keys, offer).encoded), ownInformation: info)
        case .contact:
            let handshake = HandshakeMachine.requester(agentVersion: version)
            record = ConnectionRecord(
                id: connection, role: .initiator, state: handshake.state, agentVersion: version, createdAt: now,
                agreementKeys: SecretBytes(wiping: keys.encoded), ownInformation: info)
        }
    }

    private static func ratchet(_ keys: RatchetKeyPairs, _ offer: RatchetOffer) throws -> Ratchet {
        do {
            return try Ratchet(joiner: keys, peer: try offer.parameters())
        } catch RatchetError.incompatibleVersion {
            throw AgentError.incompatibleVersion
        } catch {
            throw AgentError.invalidLink
        }
    }
}

extension ReceiveQueueRecord {
    /// This queue as links name it.
    ///
    /// - Parameter mode: nil for a queue as older peers make it.
    func uri(mode: QueueMode?) throws -> QueueURI {
        let key = try X25519.PrivateKey(rawRepresentation: queueKey).publicKey
        return QueueURI(versions: QueueVersions.supported, address: try address, key: key, mode: mode)
    }

    /// The one-time link that leads here.
    func invitation(_ keys: RatchetKeyPairs) throws -> ConnectionLink {
        ConnectionLink(kind: .invitation(keys.offer()), queue: try uri(mode: isFast ? .messaging : nil))
    }

    /// The permanent link that leads here.
    func contactLink() throws -> ConnectionLink {
        ConnectionLink(kind: .contact, queue: try uri(mode: .contact))
    }
}
