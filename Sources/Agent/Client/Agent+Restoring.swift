import Cryptography
import SMP

extension Agent {
    /// Takes up what the store holds, in the order in which an application can make sense of it.
    func restore() {
        insist(.restoreAll, "restoring the connections") {
            let time = now
            let (records, requests) = try inStore { transaction in
                try transaction.forgetReceived(before: time - Self.relayExpiry)
                try transaction.forgetSent(before: time - Self.relayExpiry)
                return (try transaction.connections(), try transaction.requests())
            }
            let isFirst = !hasBegun
            hasBegun = true
            for record in records where isSettled || record.state == .connected || record.ratchet == nil {
                restore(record.id)
            }
            guard isFirst else { return }
            for request in requests { tell(.request(ContactRequest(request))) }
        }
    }

    /// Relays forget messages after 21 days (SMP fact sheet §9.4); in milliseconds.
    private static let relayExpiry: Int64 = 21 * 86_400_000

    /// What the store holds of one connection.
    private struct Restored {
        var isDeleting: Bool
        var receiveQueues: [ReceiveQueueRecord]
        var sendQueue: SendQueueRecord?
        var entries: [DeliveryMachine.Entry]
        var waiting: [ReceivedRecord]
    }

    /// Takes up one connection; nothing is received or sent on it before its store's step has succeeded.
    func restore(_ connection: ConnectionID) {
        guard runtimes[connection] == nil else { return }
        insist(.restore(connection), "restoring a connection", connection) {
            var (restored, effects) = try step(connection) { step in
                try step.dropWhatIsOutdated()
                let restored = Restored(
                    isDeleting: step.record.isDeleting,
                    receiveQueues: try step.transaction.receiveQueues(of: connection),
                    sendQueue: try step.transaction.sendQueue(of: connection),
                    entries: try step.transaction.deliveryEntries(of: connection),
                    waiting: try step.transaction.waitingMessages(of: connection))
                guard !restored.isDeleting else { return restored }
                try step.replaceOutdatedRatchet()
                try step.carryOut(step.handshake.resume())
                try step.carryOut(step.rotation.resume())
                step.effects.needsSynchronisation = step.synchronisation.state == .required
                return restored
            }
            // What the step itself has queued is behind what waited.
            effects.entries = restored.entries + effects.entries
            runtimes[connection] = ConnectionRuntime()
            for queue in restored.receiveQueues {
                try register(queue)
                subscribeIfUp(queue)
            }
            if let queue = restored.sendQueue {
                runtimes[connection]?.sendRelay = try RelayAddress(parsing: queue.relay)
            }
            apply(effects, to: connection)
            for message in restored.waiting {
                // Restored while the application had not acknowledged it: it may not know it.
                let actions = runtimes[connection]?.receptions[message.receiveQueue, default: ReceptionMachine()]
                    .restored(message.id)
                perform(
                    actions ?? [], of: connection, queue: message.receiveQueue,
                    offering: try ReceivedMessage(message))
            }
            if restored.isDeleting { continueDeleting(connection) }
        }
    }

    /// A line that came up before the queue was known has not subscribed it.
    private func subscribeIfUp(_ queue: ReceiveQueueRecord) {
        guard let name = names[queue.id], lines[name.relay]?.isUp == true else { return }
        subscribe([name])
    }

    /// Makes a receive queue known to the lines; it is subscribed when its relay is next up.
    func register(_ queue: ReceiveQueueRecord) throws {
        let relay = try RelayAddress(parsing: queue.relay)
        let key = try Ed25519.PrivateKey(rawRepresentation: queue.authenticationKey)
        let name = ReceiveQueueName(relay: relay, recipientID: EntityID(queue.recipientID))
        places[name] = ReceiveQueuePlace(connection: queue.connection, queue: queue.id, key: .ed25519(key))
        names[queue.id] = name
        _ = line(to: relay)
    }
}
