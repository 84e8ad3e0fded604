import Cryptography
import FoundationEssentials
import SMP
import SMPSession

// Moving the own queue of a connection to another relay (Agent fact sheet §11).
extension Agent {
    /// Begins to move the queue on which this side receives to another relay, if there is one. Messages keep flowing;
    /// `AgentEvent.rotation` tells how far it is, `none` that it is over.
    ///
    /// - Throws: `AgentError.unknownConnection`, `.notReady` when it is not connected or a move is under way, `.noRelay`,
    ///   `.stopped`, `.store`.
    public func moveQueue(of connection: ConnectionID) async throws {
        try ensureRunning()
        guard !configuration.relays.isEmpty else { throw AgentError.noRelay }
        let (_, effects) = try step(connection) { step in
            guard !step.record.isDeleting else { throw AgentError.unknownConnection }
            guard step.handshake.state == .connected, let actions = step.rotation.start() else {
                throw AgentError.notReady
            }
            try step.carryOut(actions)
        }
        apply(effects, to: connection)
    }

    /// Begins a step; the one before it is over.
    func startRotationStep(_ relayStep: RotationMachine.RelayStep, of connection: ConnectionID) {
        runtimes[connection]?.rotation = Task { await run(relayStep, of: connection) }
    }

    private func run(_ relayStep: RotationMachine.RelayStep, of connection: ConnectionID) async {
        var failures = 0
        while phase == .running, !Task.isCancelled {
            do {
                switch relayStep {
                case .createQueue: try await createCandidate(connection)
                case .secure: try await secureCandidate(connection)
                case .drain: try await drain(connection)
                }
                return
            } catch AgentError.unknownConnection {
                return
            } catch AgentError.store(let error) where error.isTemporary {
                return outage.postpone(.rotationStep(connection))
            } catch {
                if relayStep == .createQueue, let failure = error as? DeliveryFailure, !failure.isTemporary {
                    return giveUpMove(connection, failure)
                }
                logger.info("A queue can't move yet", metadata: ["connection": "\(connection)", "reason": "\(error)"])
                failures += 1
                guard await sleep(afterFailures: failures) else { return }
            }
        }
    }

    /// The store works again: goes on where the move stands.
    func retryRotationStep(of connection: ConnectionID) {
        insist(.rotationStep(connection), "going on with a move", connection) {
            guard let record = try inStore({ try $0.connection(connection) }), !record.isDeleting else { return }
            guard let relayStep = RotationMachine(state: record.rotation).relayStep else { return }
            startRotationStep(relayStep, of: connection)
        }
    }

    /// Stores that no relay makes the new queue.
    func giveUpMove(_ connection: ConnectionID, _ failure: DeliveryFailure) {
        insist(.giveUpMove(connection, failure), "giving up a move", connection) {
            let (_, effects) = try step(connection) { step in
                step.rotation.failed()
                step.effects.events.append(.failed(connection, nil, AgentError(failure, ofOwnRelay: true)))
            }
            apply(effects, to: connection)
        }
    }

    private func createCandidate(_ connection: ConnectionID) async throws {
        let used = try inStore { transaction in
            try transaction.receiveQueues(of: connection).map(\.relay)
                + transaction.sendQueues(of: connection).map(\.relay)
        }
        let relay = try relayForNewQueue(besides: try used.map { try RelayAddress(parsing: $0) })
        let count = lines[relay]?.connectionCount
        var made = try await createQueue(connection, on: relay, isFast: true)
        made.isCandidate = true
        let (queue, effects) = try keep(made) {
            try step(connection) { step in
                guard step.rotation.state == .creating, !step.record.isDeleting else {
                    throw AgentError.unknownConnection
                }
                let queue = try step.transaction.insert(made)
                try step.carryOut(step.rotation.queueCreated())
                return queue
            }
        }
        try register(queue)
        apply(effects, to: connection)
        try adopt(queue, madeDuring: count)
    }

    private func secureCandidate(_ connection: ConnectionID) async throws {
        let (candidate, _) = try step(connection) { try $0.candidate() }
        guard let queue = candidate, let bytes = queue.peerAuthenticationKey else { return }
        let key = try Ed25519.PrivateKey(rawRepresentation: queue.authenticationKey)
        _ = try await request(
            RelayRequest(
                .setSenderKey(try AuthenticationPublicKey(der: bytes)), entity: EntityID(queue.recipientID),
                key: .ed25519(key)),
            on: try RelayAddress(parsing: queue.relay))
        let (_, effects) = try step(connection) { try $0.carryOut($0.rotation.secured()) }
        apply(effects, to: connection)
    }

    /// Throws until the old queue is empty, its last message acknowledged, and it is deleted.
    private func drain(_ connection: ConnectionID) async throws {
        let (old, _) = try step(connection) { step in
            // Over already: what is left is the new queue.
            guard step.rotation.state == .draining else { throw AgentError.unknownConnection }
            return try step.candidate() == nil ? nil : try step.replacedQueue()
        }
        if let old {
            while try await !isEmpty(old) {
                guard await pause(milliseconds: 100) else { throw CancellationError() }
            }
            try await delete(old)
            runtimes[connection]?.receptions[old.id] = nil
        }
        let (_, effects) = try step(connection) { try $0.carryOut($0.rotation.drained()) }
        apply(effects, to: connection)
        if let held = runtimes[connection]?.held {
            runtimes[connection]?.held = nil
            received(held.id, held.body, held.queue)
        }
    }

    private func isEmpty(_ queue: ReceiveQueueRecord) async throws -> Bool {
        let isTaken = try inStore { try !$0.waitingMessages().contains { $0.receiveQueue == queue.id } }
        guard isTaken else { return false }
        let key = try Ed25519.PrivateKey(rawRepresentation: queue.authenticationKey)
        let answer: BrokerMessage
        do {
            answer = try await request(
                RelayRequest(.queueInfo, entity: EntityID(queue.recipientID), key: .ed25519(key)),
                on: try RelayAddress(parsing: queue.relay))
        } catch DeliveryFailure.refused {
            // It is gone already.
            return true
        }
        guard case .queueInfo(let json) = answer else { throw DeliveryFailure.rejected("UNEXPECTED") }
        struct Information: Decodable {
            var qiSize: Int
        }
        return try JSONDecoder().decode(Information.self, from: Data(json)).qiSize == 0
    }
}
