import AgentProtocol
import Cryptography
import SMP

/// What a relay delivered on a receive queue, its outer box opened.
struct DeliveredMessage: Sendable {
    /// The relay's id.
    var relayID: [UInt8]
    /// Seconds since 1970, by the relay's clock.
    var time: Int64
    /// The body as sent.
    var body: [UInt8]
}

extension ConnectionStep {
    /// Takes one delivered message, in the order of the Agent fact sheet §11.2, and stores ratchet, message and mark
    /// together. What can't be used is reported and counts as finished: otherwise it would block the queue.
    ///
    /// - Throws: `StoreError` only; then nothing happened and the relay delivers again.
    mutating func receive(_ message: DeliveredMessage, on queue: ReceiveQueueRecord) throws
        -> ReceptionMachine.Outcome
    {
        var content: [UInt8]?
        var outcome = ReceptionMachine.Outcome.finished
        do {
            if let application = try open(message, on: queue, content: &content) {
                let stored = try store(application, message, queue, content: content)
                outcome = .waiting(stored)
            }
        } catch let error as AgentError {
            effects.events.append(.failed(record.id, nil, error))
        }
        if outcome == .finished {
            // A repeat is known by its content already.
            try mark(message, queue, content: isRepeat ? nil : content)
        }
        return outcome
    }

    /// The relay's note that the queue was full: the peer is told to go on (Agent fact sheet §9).
    mutating func receiveQuotaMarker(_ message: DeliveredMessage, on queue: ReceiveQueueRecord) throws {
        let answer = try AMessage.continueSending(try queue.address).stored()
        // One for each queue; while the queue moves there are two. What is encrypted does not say any more which one it names.
        if handshake.takesMessages, try !transaction.hasOutgoing(.quotaContinue, answer, of: record.id),
            try transaction.outgoingCount(.quotaContinue, of: record.id)
                < transaction.receiveQueues(of: record.id).count
        {
            try self.queue(.quotaContinue, body: answer, notify: false)
        }
        try mark(message, queue, content: nil)
    }

    /// Records that a message which can't even be opened was dealt with.
    mutating func receiveUnreadable(_ message: DeliveredMessage, on queue: ReceiveQueueRecord) throws {
        effects.events.append(.failed(record.id, nil, .undecryptable))
        try mark(message, queue, content: nil)
    }

    /// What the message at hand was good for that left nothing for the application.
    var worth: ReceptionPace.Worth {
        for event in effects.events {
            switch event {
            case .failed(_, nil, _): return .useless
            case .request: return .request
            default: break
            }
        }
        return isRepeat ? .useless : .useful
    }

    private func mark(_ message: DeliveredMessage, _ queue: ReceiveQueueRecord, content: [UInt8]?) throws {
        _ = try transaction.insert(
            ReceivedRecord(
                connection: record.id, receiveQueue: queue.id, receivedAt: now, brokerTime: message.time,
                isAcknowledged: true),
            relayID: message.relayID, content: content)
    }

    private func store(
        _ application: ApplicationMessage, _ message: DeliveredMessage, _ queue: ReceiveQueueRecord, content: [UInt8]?
    ) throws -> Int64 {
        let stored = try transaction.insert(
            ReceivedRecord(
                connection: record.id, receiveQueue: queue.id, receivedAt: now, brokerTime: message.time,
                isAcknowledged: false, integrity: application.integrity.encoded, body: application.body,
                receipt: try AMessage.receipts([application.receipt]).stored()),
            relayID: message.relayID, content: content)
        return stored.id
    }

    // MARK: The per-queue box

    private struct ApplicationMessage {
        var body: [UInt8]
        var integrity: MessageIntegrity
        /// What the peer is told if the application wants it.
        var receipt: AMessage.Receipt
    }

    /// - Parameter content: set to the agent envelope as soon as it is known, so that a repeat is recognised.
    /// - Throws: `AgentError` for what the message is to blame for, `StoreError`.
    private mutating func open(
        _ message: DeliveredMessage, on queue: ReceiveQueueRecord, content: inout [UInt8]?
    ) throws -> ApplicationMessage? {
        let envelope = try Self.queueEnvelope(message.body)
        var queue = queue
        switch EnvelopeRoute(queueHasSecret: queue.queueSecret != nil, envelopeHasKey: envelope.senderKey != nil) {
        case .prohibited:
            throw AgentError.unexpectedMessage
        case .first:
            guard let senderKey = envelope.senderKey else { throw AgentError.unexpectedMessage }
            let secret = try Self.secret(queue.queueKey, senderKey)
            let opened = try Self.open(envelope, secret)
            if record.isAddress {
                content = opened.body
                try receiveRequest(opened, at: message.time)
                return nil
            }
            queue.queueSecret = secret
            try receiveConfirmation(opened, on: queue)
            content = opened.body
            return nil
        case .repeatedFirst, .regular:
            guard let secret = queue.queueSecret else { throw AgentError.unexpectedMessage }
            let opened = try Self.open(envelope, secret)
            content = opened.body
            isRepeat = try transaction.hasContent(opened.body, connection: record.id)
            guard !isRepeat else { return nil }
            let agentEnvelope = try Self.agentEnvelope(opened.body)
            if envelope.senderKey != nil {
                // A repeated confirmation after a lost acknowledgement is accepted silently.
                guard case .confirmation = agentEnvelope.content else { throw AgentError.unexpectedMessage }
                isRepeat = true
                return nil
            }
            if case .ratchetKey(let parameters, let information) = agentEnvelope.content {
                try receiveRatchetKey(parameters, information: information)
                return nil
            }
            return try receiveMessage(agentEnvelope)
        }
    }

    // MARK: The ratchet

    /// - Returns: an application message, or nil when everything is done.
    private mutating func receiveMessage(_ envelope: AgentEnvelope) throws -> ApplicationMessage? {
        guard case .message(let encrypted) = envelope.content else { throw AgentError.unexpectedMessage }
        guard let plaintext = try decrypt(encrypted) else { return nil }
        handshake.raiseVersion(to: envelope.agentVersion)
        guard case .message(let id, let previousHash, let content) = try Self.agentMessage(plaintext) else {
            throw AgentError.unexpectedMessage
        }
        var chains = try record.chains.map { try Chains(decoding: $0) } ?? Chains()
        let integrity = chains.receive(id: id, previousHash: previousHash, plaintext: plaintext)
        record.chains = try chains.encoded()
        record.integrity = integrity.encoded
        if case .message(let body) = content {
            return ApplicationMessage(
                body: body, integrity: integrity,
                receipt: AMessage.Receipt(id: id, hash: Digest.sha256(plaintext)))
        }
        if integrity != .ok { effects.events.append(.integrityBroken(record.id, integrity)) }
        try dispatch(content)
        return nil
    }

    /// What agents say to each other.
    private mutating func dispatch(_ content: AMessage) throws {
        switch content {
        case .message:
            break
        case .hello:
            guard let actions = handshake.helloReceived() else { throw AgentError.unexpectedMessage }
            try carryOut(actions)
        case .continueSending:
            effects.isContinued = true
        case .receipts(let receipts):
            try receive(receipts)
        case .ratchetReady(let lastReceivedID):
            try peerRatchetIsReady(lastReceivedID: lastReceivedID)
        case .addQueues(let queues):
            try receiveOffer(of: queues)
        case .useQueues(let queues):
            try move(to: queues)
        case .queueKeys(let keys):
            try receiveKeys(keys)
        case .testQueues(let addresses):
            try receiveTest(of: addresses)
        }
    }

    /// - Returns: nil for a repeat of the last message.
    mutating func decrypt(_ encrypted: [UInt8]) throws -> [UInt8]? {
        guard let stored = record.ratchet else { throw AgentError.unexpectedMessage }
        var ratchet = try stored.withWipedCopy { try Ratchet(decoding: $0) }
        // The ratchet may have moved even when the body does not open; that is kept (Agent fact sheet §6).
        defer { record.ratchet = SecretBytes(wiping: ratchet.encoded) }
        couldSend = ratchet.canSend
        do {
            let plaintext = try ratchet.decrypt(encrypted)
            if let state = synchronisation.decrypted() {
                record.synchronisationKeys = nil
                report(state)
            }
            return plaintext
        } catch .duplicateMessage {
            isRepeat = true
            return nil
        } catch {
            // Perhaps a word for a ratchet that was replaced before it was used: told as unreadable, and not as missing, too.
            if synchronisation.state.isUnderWay { try countUnread(nil) }
            report(synchronisation.failed(error))
            throw AgentError.undecryptable
        }
    }
}

// Reading what came from outside: every failure is the message's fault, not the store's.
extension ConnectionStep {
    static func queueEnvelope(_ bytes: [UInt8]) throws -> QueueEnvelope {
        do {
            return try QueueEnvelope(decoding: bytes)
        } catch .unsupportedVersion {
            throw AgentError.incompatibleVersion
        } catch {
            throw AgentError.unexpectedMessage
        }
    }

    static func open(_ envelope: QueueEnvelope, _ secret: SecretBytes) throws -> ClientMessage {
        try attempt(or: .undecryptable) { try envelope.open(secret: secret) }
    }

    static func secret(_ key: SecretBytes, _ peer: X25519.PublicKey) throws -> SecretBytes {
        try attempt(or: .undecryptable) {
            try X25519.PrivateKey(rawRepresentation: key).sharedSecret(with: peer)
        }
    }

    static func agentEnvelope(_ bytes: [UInt8]) throws -> AgentEnvelope {
        try attempt(or: .unexpectedMessage) { try AgentEnvelope(decoding: bytes) }
    }

    static func agentMessage(_ bytes: [UInt8]) throws -> AgentMessage {
        try attempt(or: .unexpectedMessage) { try AgentMessage(decoding: bytes) }
    }

    static func attempt<Value>(or blame: AgentError, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch {
            throw blame
        }
    }
}
