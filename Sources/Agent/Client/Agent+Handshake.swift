import AgentProtocol
import Cryptography
import SMP
import SMPSession

// The steps of a handshake that need relays, repeated until they succeed or are refused.
extension Agent {
    /// Begins a step; the one before it is over.
    func startRelayStep(_ relayStep: HandshakeMachine.RelayStep, of connection: ConnectionID) {
        runtimes[connection]?.step?.cancel()
        runtimes[connection]?.stepIsWaiting = false
        runtimes[connection]?.step = Task { await run(relayStep, of: connection) }
    }

    /// A relay is back: a step that waits need not wait longer.
    func retryRelayStep(of connection: ConnectionID) {
        guard runtimes[connection]?.stepIsWaiting == true else { return }
        insist(.relayStep(connection), "going on with a handshake", connection) {
            guard let record = try inStore({ try $0.connection(connection) }) else { return }
            if record.isDeleting { return continueDeleting(connection) }
            let (relayStep, _) = try step(connection) { $0.handshake.relayStep }
            if let relayStep { startRelayStep(relayStep, of: connection) }
        }
    }

    private func run(_ relayStep: HandshakeMachine.RelayStep, of connection: ConnectionID) async {
        var failures = 0
        while phase == .running, !Task.isCancelled {
            do {
                switch relayStep {
                case .secure(let own, let peer): try await secure(own: own, peer: peer, of: connection)
                case .createReplyQueue: try await createReplyQueue(connection)
                }
                return
            } catch DeliveryFailure.unreachable, DeliveryFailure.full {
                failures += 1
                guard await pause(failures, connection) else { return }
            } catch let failure as DeliveryFailure {
                return fail(connection, failure)
            } catch AgentError.unknownConnection {
                return
            } catch AgentError.store(let error) where error.isTemporary {
                return waitForStore(connection)
            } catch {
                report(error, "the handshake", connection)
                failures += 1
                guard await pause(failures, connection) else { return }
            }
        }
    }

    /// The step is taken up again when the store works, or before by a relay that comes back.
    private func waitForStore(_ connection: ConnectionID) {
        runtimes[connection]?.stepIsWaiting = true
        outage.postpone(.relayStep(connection))
    }

    /// Waits to try again; false when somebody else goes on or patience is over.
    private func pause(_ failures: Int, _ connection: ConnectionID) async -> Bool {
        guard phase == .running, !Task.isCancelled else { return false }
        let record: ConnectionRecord
        do {
            guard let found = try inStore({ try $0.connection(connection) }) else { return false }
            record = found
        } catch AgentError.store(let error) where error.isTemporary {
            waitForStore(connection)
            return false
        } catch {
            report(error, "waiting to try again", connection)
            return false
        }
        guard now - record.createdAt < RetrySchedule.unreachable.patience || record.role == .initiator else {
            fail(connection, .unreachable)
            return false
        }
        runtimes[connection]?.stepIsWaiting = true
        guard await sleep(afterFailures: failures) else { return false }
        runtimes[connection]?.stepIsWaiting = false
        return true
    }

    /// Stores that the handshake failed for good.
    func fail(_ connection: ConnectionID, _ failure: DeliveryFailure) {
        insist(.failHandshake(connection, failure), "recording a failed handshake", connection) {
            let (_, effects) = try step(connection) { try $0.carryOut($0.handshake.failed(failure)) }
            apply(effects, to: connection)
        }
    }

    /// Asks the application once more, whose answer could not be stored.
    func askApplication(_ connection: ConnectionID) {
        insist(.askApplication(connection), "asking the application", connection) {
            guard let record = try inStore({ try $0.connection(connection) }), record.state == .confirmed,
                !record.isDeleting
            else { return }
            tell(.confirmation(connection, information: record.peerInformation ?? []))
        }
    }

    // MARK: The steps

    private func secure(own: Bool, peer: Bool, of connection: ConnectionID) async throws {
        let (receiveQueue, sendQueue) = try inStore { transaction in
            (
                try transaction.receiveQueues(of: connection).first,
                try transaction.sendQueue(of: connection)
            )
        }
        if own, let queue = receiveQueue, let bytes = queue.peerAuthenticationKey {
            let key = try Ed25519.PrivateKey(rawRepresentation: queue.authenticationKey)
            let peerKey = try AuthenticationPublicKey(der: bytes)
            _ = try await request(
                RelayRequest(.setSenderKey(peerKey), entity: EntityID(queue.recipientID), key: .ed25519(key)),
                on: try RelayAddress(parsing: queue.relay))
        }
        if peer, let queue = sendQueue {
            let key = try Ed25519.PrivateKey(rawRepresentation: queue.authenticationKey)
            _ = try await request(
                RelayRequest(
                    .secure(.ed25519(key.publicKey)), entity: EntityID(queue.senderID), key: .ed25519(key)),
                ofPeer: try RelayAddress(parsing: queue.relay))
        }
        let (_, effects) = try step(connection) { try $0.carryOut($0.handshake.secured()) }
        apply(effects, to: connection)
    }

    private func createReplyQueue(_ connection: ConnectionID) async throws {
        guard let sendQueue = try inStore({ try $0.sendQueue(of: connection) }) else { return }
        let relay = try relayForNewQueue(besides: [try RelayAddress(parsing: sendQueue.relay)])
        let count = lines[relay]?.connectionCount
        // The initiator secures the queue itself when it knows how (Agent fact sheet §4.1 step 4).
        let isFast = sendQueue.clientVersion >= QueueVersions.withSenderKey
        let made = try await createQueue(connection, on: relay, isFast: isFast)
        let (queue, effects) = try keep(made) {
            try step(connection) { step in
                guard step.handshake.awaitsOwnQueue, !step.record.isDeleting else {
                    throw AgentError.unknownConnection
                }
                let queue = try step.transaction.insert(made)
                try step.carryOut(step.handshake.replyQueueCreated(isFast: queue.isFast))
                return queue
            }
        }
        try register(queue)
        apply(effects, to: connection)
        try adopt(queue, madeDuring: count)
    }
}
