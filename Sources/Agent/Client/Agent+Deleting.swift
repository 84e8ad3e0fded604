import Cryptography
import SMP
import SMPSession

// Ending connections (Agent fact sheet §11.4).
extension Agent {
    /// Ends a connection: what is queued still goes out (for at most two days), then its queues are deleted from their
    /// relays. Nothing more is received. The peer learns of it when its next message is refused.
    ///
    /// - Throws: `AgentError.unknownConnection`, `.stopped`, `.store`.
    public func delete(_ connection: ConnectionID) async throws {
        try ensureRunning()
        try step(connection) { step in
            guard !step.record.isDeleting else { throw AgentError.unknownConnection }
            step.record.isDeleting = true
        }
        runtimes[connection]?.step?.cancel()
        runtimes[connection]?.rotation?.cancel()
        runtimes[connection]?.stepIsWaiting = false
        continueDeleting(connection)
        // The requests of an address that goes wait no longer.
        fetchHeldRequests()
    }

    /// Waits until the relays have no queue any more of a connection that was deleted. Ends early when the agent stops, the store
    /// fails, or the task is cancelled.
    public func finishDeleting() async {
        await deletions.wait { !isDeleting }
    }

    private var isDeleting: Bool {
        phase != .stopped && (try? look { try $0.connections().contains(where: \.isDeleting) }) == true
    }

    /// Deletes the queues of a connection that is to go, as soon as nothing waits to be sent.
    func continueDeleting(_ connection: ConnectionID) {
        insist(.delete(connection), "going on with a deletion", connection) {
            guard phase == .running, let record = try inStore({ try $0.connection(connection) }), record.isDeleting
            else { return }
            startDeleting(connection)
        }
    }

    /// The same of a connection that is known to be going.
    func startDeleting(_ connection: ConnectionID) {
        guard let runtime = runtimes[connection] else { return }
        // Behind a closed gate nothing will ever leave.
        guard runtime.delivery.pendingCount == 0 || runtime.delivery.gate != .open else { return }
        guard runtime.step == nil || runtime.step?.isCancelled == true || runtime.stepIsWaiting else { return }
        runtimes[connection]?.step?.cancel()
        runtimes[connection]?.stepIsWaiting = false
        runtimes[connection]?.delivery.close()
        runtimes[connection]?.step = Task { await deleteQueues(of: connection) }
    }

    private func deleteQueues(of connection: ConnectionID) async {
        var failures = 0
        while phase == .running, !Task.isCancelled {
            do {
                for queue in try inStore({ try $0.receiveQueues(of: connection) }) {
                    try await delete(queue)
                }
                try inStore { try $0.deleteConnection(connection) }
                runtimes[connection]?.wake?.cancel()
                runtimes[connection] = nil
                return deletions.send(())
            } catch AgentError.store(let error) where error.isTemporary {
                runtimes[connection]?.stepIsWaiting = true
                return outage.postpone(.delete(connection))
            } catch {
                failures += 1
                runtimes[connection]?.stepIsWaiting = true
                guard await sleep(afterFailures: failures) else { return }
                runtimes[connection]?.stepIsWaiting = false
            }
        }
    }

    func delete(_ queue: ReceiveQueueRecord) async throws {
        let relay = try RelayAddress(parsing: queue.relay)
        let key = try Ed25519.PrivateKey(rawRepresentation: queue.authenticationKey)
        let recipientID = EntityID(queue.recipientID)
        do {
            _ = try await request(RelayRequest(.delete, entity: recipientID, key: .ed25519(key)), on: relay)
        } catch let failure as DeliveryFailure {
            // Refused: it is gone already.
            if failure.isTemporary { throw failure }
        }
        try inStore { try $0.deleteReceiveQueue(queue.id) }
        let name = ReceiveQueueName(relay: relay, recipientID: recipientID)
        places[name] = nil
        reading.forget(name)
        names[queue.id] = nil
    }
}
