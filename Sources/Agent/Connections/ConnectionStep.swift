import Cryptography

/// One step of one connection inside a transaction: what was stored, the handshake that decides, and what has to happen
/// once all of it is on disk.
struct ConnectionStep {
    let transaction: StoreTransaction
    /// Milliseconds since 1970.
    let now: Int64
    var record: ConnectionRecord
    var handshake: HandshakeMachine
    var synchronisation: SynchronisationMachine
    var rotation: RotationMachine
    /// Whether the ratchet could send before it decrypted the message at hand.
    var couldSend = true
    /// Whether the message at hand came in before.
    var isRepeat = false
    var effects = ConnectionEffects()
    private let ratchetBefore: SecretBytes?

    /// Loads a connection.
    ///
    /// - Throws: `AgentError.unknownConnection`, `StoreError`.
    init(_ transaction: StoreTransaction, _ id: ConnectionID, now: Int64) throws {
        guard let record = try transaction.connection(id) else { throw AgentError.unknownConnection }
        self.transaction = transaction
        self.now = now
        self.record = record
        ratchetBefore = record.ratchet
        rotation = RotationMachine(state: record.rotation)
        synchronisation = SynchronisationMachine(state: record.synchronisation)
        handshake = HandshakeMachine(
            role: record.role, state: record.state,
            peerQueueIsFast: try transaction.sendQueue(of: id)?.isFast ?? true,
            ownQueueIsFast: try transaction.receiveQueues(of: id).first?.isFast ?? true,
            agentVersion: record.agentVersion)
    }

    /// Carries out what the handshake decided: inside the transaction where it concerns the store, as effects otherwise.
    mutating func carryOut(_ actions: [HandshakeMachine.Action]) throws {
        for action in actions {
            switch action {
            case .relay(let step):
                effects.relaySteps.append(step)
            case .sendConfirmation:
                try queue(.confirmation, body: record.ownInformation ?? [], notify: true)
                record.ownInformation = nil
            case .sendHello:
                try queue(.hello, body: [], notify: true)
            case .sendRequest:
                try queue(.request, body: record.ownInformation ?? [], notify: true)
                record.ownInformation = nil
            case .askApplication:
                effects.events.append(.confirmation(record.id, information: record.peerInformation ?? []))
            case .reportInformation:
                effects.events.append(.information(record.id, information: record.peerInformation ?? []))
                record.peerInformation = nil
            case .reportConnected:
                effects.events.append(.connected(record.id))
            case .reportFailed(let failure):
                effects.events.append(.failed(record.id, nil, AgentError(failure)))
                try dropOutgoing(AgentError(failure))
            }
        }
    }

    /// Puts a message into the queue of the connection; returns its number.
    @discardableResult
    mutating func queue(_ kind: OutgoingRecord.Kind, body: [UInt8], notify: Bool) throws -> Int64 {
        let row = try transaction.insert(
            OutgoingRecord(connection: record.id, kind: kind, notify: notify, createdAt: now, body: body))
        effects.entries.append(
            DeliveryMachine.Entry(id: row.id, kind: kind.deliveryKind, createdAt: row.createdAt))
        return row.id
    }

    /// Nothing will leave any more: the application learns which messages that concerns.
    mutating func dropOutgoing(_ error: AgentError) throws {
        for entry in try transaction.deliveryEntries(of: record.id) {
            if try transaction.outgoing(entry.id)?.kind == .application {
                effects.events.append(.failed(record.id, entry.id, error))
            }
            try transaction.deleteOutgoing(entry.id)
        }
        effects.endsDelivery = true
    }

    /// Writes the connection; the effects hold from the moment the transaction is committed.
    mutating func finish() throws -> ConnectionEffects {
        record.state = handshake.state
        if record.rotation != rotation.state { effects.events.append(.rotation(record.id, rotation.state)) }
        record.rotation = rotation.state
        record.synchronisation = synchronisation.state
        record.agentVersion = handshake.agentVersion
        try transaction.update(record)
        if record.ratchet != ratchetBefore {
            // Which ratchets a copy from before has to fear for.
            try transaction.setChanged(record.id)
            effects.hasMovedRatchet = true
        }
        effects.gate = handshake.gate == .open && !synchronisation.state.allowsSending ? .handshakeOnly : handshake.gate
        return effects
    }
}
