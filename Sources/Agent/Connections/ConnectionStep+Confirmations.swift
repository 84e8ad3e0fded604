import AgentProtocol
import Cryptography
import SMP

// The peer's half of the handshake.
extension ConnectionStep {
    /// The first message on a queue: a confirmation whose per-queue box is open.
    ///
    /// - Throws: `AgentError`, then nothing of it is kept; `StoreError`.
    mutating func receiveConfirmation(_ message: ClientMessage, on queue: ReceiveQueueRecord) throws {
        let envelope = try Self.agentEnvelope(message.body)
        guard case .confirmation(let parameters, let encrypted) = envelope.content else {
            throw AgentError.unexpectedMessage
        }
        guard AgentVersions.supported.contains(envelope.agentVersion) else { throw AgentError.incompatibleVersion }
        let bringsKey = message.authenticationKey != nil
        // Asked of a copy first: what has no place here must leave nothing behind.
        var trial = handshake
        guard case .accepted = trial.confirmationReceived(senderKey: bringsKey) else {
            throw AgentError.unexpectedMessage
        }
        // Only a copy moves until the whole confirmation is understood: a forged one must not spoil the true one.
        var step = self
        let information: [UInt8]
        switch record.role {
        case .initiator:
            guard let parameters else { throw AgentError.unexpectedMessage }
            information = try step.openJoiner(parameters, encrypted, version: envelope.agentVersion)
        case .joiner:
            guard parameters == nil else { throw AgentError.unexpectedMessage }
            information = try step.openInitiator(encrypted)
        }
        guard case .accepted(let actions) = step.handshake.confirmationReceived(senderKey: bringsKey) else {
            throw AgentError.unexpectedMessage
        }
        step.record.peerInformation = information
        var queue = queue
        queue.peerAuthenticationKey = message.authenticationKey?.derRepresentation
        try transaction.update(queue)
        try step.carryOut(actions)
        self = step
    }

    /// The joiner's confirmation: makes the ratchet and the send queue. Returns the joiner's information.
    private mutating func openJoiner(
        _ parameters: RatchetParameters, _ encrypted: [UInt8], version: UInt16
    ) throws -> [UInt8] {
        guard handshake.state == .invited || handshake.state == .requesting, let stored = record.agreementKeys else {
            throw AgentError.unexpectedMessage
        }
        let keys = try stored.withWipedCopy { try RatchetKeyPairs(decoding: $0) }
        var ratchet = try Self.attempt(or: .undecryptable) { try Ratchet(initiator: keys, peer: parameters) }
        let plaintext = try Self.attempt(or: .undecryptable) { try ratchet.decrypt(encrypted) }
        guard case .connectionInformationReply(let queues, let information) = try Self.agentMessage(plaintext) else {
            throw AgentError.unexpectedMessage
        }
        guard let reply = queues.first(where: { QueueVersions.supported.contains($0.version) }) else {
            throw AgentError.incompatibleVersion
        }
        var chains = Chains()
        chains.received.record(plaintext)
        try forgetRequest()
        let queue = try SendQueueRecord(connection: record.id, to: reply)
        _ = try transaction.insert(queue)
        effects.newSendRelay = reply.address.relay
        handshake.peerQueueIsFast = queue.isFast
        handshake.agentVersion = version
        record.agreementKeys = nil
        record.ratchet = SecretBytes(wiping: ratchet.encoded)
        record.chains = try chains.encoded()
        return information
    }

    /// The initiator's confirmation. Returns the initiator's information.
    private mutating func openInitiator(_ encrypted: [UInt8]) throws -> [UInt8] {
        guard let plaintext = try decrypt(encrypted),
            case .connectionInformation(let information) = try Self.agentMessage(plaintext)
        else { throw AgentError.unexpectedMessage }
        var chains = try record.chains.map { try Chains(decoding: $0) } ?? Chains()
        chains.received.record(plaintext)
        record.chains = try chains.encoded()
        return information
    }
}
