import AgentProtocol
import Cryptography
import SMP
import SMPSession

/// What goes to a relay for one attempt.
struct OutgoingTransmission: Sendable {
    var relay: RelayAddress
    var request: RelayRequest
    /// The same for a queue that the peer has secured meanwhile; nil where that can't be.
    var securedRequest: RelayRequest?
}

extension ConnectionStep {
    /// The next attempt for a queued message: the ratchet encrypts it once, every attempt puts the same bytes into a fresh
    /// per-queue box (Agent fact sheet §4.4 and §11.3). Nil when the message is no longer queued.
    ///
    /// - Throws: `DeliveryFailure.rejected` when it can't be encrypted, `StoreError`.
    mutating func transmission(_ id: Int64) throws -> OutgoingTransmission? {
        guard let row = try transaction.outgoing(id) else { return nil }
        guard let queue = try transaction.sendQueue(of: record.id) else {
            throw DeliveryFailure.rejected("no send queue")
        }
        let envelope: [UInt8]
        if let kept = row.envelope {
            envelope = kept
        } else {
            guard synchronisation.state.allowsSending || row.kind.isSentWhileSynchronising else {
                throw DeliveryFailure.postponed
            }
            envelope = try makeEnvelope(row, queue)
            try transaction.setEnvelope(envelope, outgoing: id)
        }
        let signingKey = try Ed25519.PrivateKey(rawRepresentation: queue.authenticationKey)
        let isConfirmation = row.kind == .confirmation
        // Whoever reads a request at a contact address knows no key of the sender's yet, and nothing is secured.
        let isRequest = row.kind == .request
        // A classic queue is not secured yet: its recipient learns the key from the confirmation.
        let bringsKey = isConfirmation && !queue.isFast
        let message = ClientMessage(
            authenticationKey: bringsKey ? .ed25519(signingKey.publicKey) : nil, body: envelope)
        let boxKey = try X25519.PrivateKey(rawRepresentation: queue.queueKey)
        let sealed = try QueueEnvelope(
            sealing: message, version: queue.clientVersion,
            senderKey: isConfirmation || isRequest ? boxKey.publicKey : nil,
            secret: queue.queueSecret)
        let command = Command.send(notify: row.notify, body: try sealed.encoded())
        let signed = RelayRequest(command, entity: EntityID(queue.senderID), key: .ed25519(signingKey))
        let unsigned = RelayRequest(command, entity: EntityID(queue.senderID))
        return OutgoingTransmission(
            relay: try RelayAddress(parsing: queue.relay), request: bringsKey || isRequest ? unsigned : signed,
            securedRequest: bringsKey ? signed : nil)
    }

    private mutating func makeEnvelope(_ row: OutgoingRecord, _ queue: SendQueueRecord) throws -> [UInt8] {
        var chains = try record.chains.map { try Chains(decoding: $0) } ?? Chains()
        if row.kind == .ratchetKey { return try ratchetKeyEnvelope(row, &chains) }
        if row.kind == .request { return try requestEnvelope(row) }
        guard let stored = record.ratchet else { throw DeliveryFailure.rejected("no ratchet") }
        var ratchet = try stored.withWipedCopy { try Ratchet(decoding: $0) }
        let content: AgentEnvelope.Content
        switch row.kind {
        case .confirmation:
            let message = try confirmation(row, queue)
            let plaintext = try message.encoded()
            chains.sent.record(plaintext)
            let encrypted = try ratchet.encrypt(plaintext, paddedTo: message.paddedCount)
            content = .confirmation(parameters: try ownParameters(ratchet), encrypted: encrypted)
            record.agreementKeys = nil
        case .hello, .application, .quotaContinue, .queueRotation, .receipt, .ratchetReady, .ratchetKey, .request:
            let (number, plaintext) = try chains.sent.send(agentMessage(row))
            if row.kind == .application {
                try transaction.insert(
                    SentRecord(
                        id: row.id, connection: record.id, chainNumber: number, sentAt: now,
                        hash: Digest.sha256(plaintext)))
            }
            content = .message(encrypted: try ratchet.encrypt(plaintext, paddedTo: PaddedCounts.agentMessage))
        }
        record.ratchet = SecretBytes(wiping: ratchet.encoded)
        record.chains = try chains.encoded()
        let version = row.kind == .confirmation ? handshake.agentVersion : AgentVersions.supported.maximum
        return try AgentEnvelope(agentVersion: version, content: content).encoded()
    }

    private func agentMessage(_ row: OutgoingRecord) throws -> AMessage {
        switch row.kind {
        case .hello: return .hello
        case .application: return .message(row.body)
        case .confirmation, .request, .quotaContinue, .queueRotation, .receipt, .ratchetReady, .ratchetKey:
            return try AMessage(stored: row.body)
        }
    }

    private func confirmation(_ row: OutgoingRecord, _ queue: SendQueueRecord) throws -> AgentMessage {
        guard record.role == .joiner else { return .connectionInformation(row.body) }
        guard let own = try transaction.receiveQueues(of: record.id).first else {
            throw DeliveryFailure.rejected("no reply queue")
        }
        let key = try X25519.PrivateKey(rawRepresentation: own.queueKey).publicKey
        let info = QueueInfo(
            version: queue.clientVersion, address: try own.address, key: key, mode: own.isFast ? .messaging : nil)
        return .connectionInformationReply(queues: [info], information: row.body)
    }

    /// The joiner's keys, from which the initiator makes its ratchet.
    private func ownParameters(_ ratchet: Ratchet) throws -> RatchetParameters? {
        guard record.role == .joiner else { return nil }
        guard let keys = record.agreementKeys else { throw DeliveryFailure.rejected("no keys") }
        return try keys.withWipedCopy { try RatchetKeyPairs(decoding: $0) }.parameters(version: ratchet.version)
    }
}

extension ReceiveQueueRecord {
    /// Where senders reach this queue.
    var address: QueueAddress {
        get throws {
            QueueAddress(relay: try RelayAddress(parsing: relay).withoutPassword, senderID: EntityID(senderID))
        }
    }
}

extension AMessage {
    /// Reads what `stored()` wrote.
    init(stored bytes: [UInt8]) throws {
        var reader = ByteReader(bytes)
        try self.init(from: &reader)
        try reader.finish()
    }

    /// For a message that waits to be numbered.
    func stored() throws -> [UInt8] {
        try ByteWriter.build { try encode(to: &$0) }
    }
}
