import Cryptography
import SMP

extension Agent {
    /// Takes up what the store holds, in the order in which an application can make sense of it.
    func restore() throws {
        let time = now
        let (records, waiting, requests) = try inStore { transaction in
            try transaction.forgetReceived(before: time - Self.relayExpiry)
            try transaction.forgetSent(before: time - Self.relayExpiry)
            return (try transaction.connections(), try transaction.waitingMessages(), try transaction.requests())
        }
        for record in records { try restore(record) }
        for request in requests { tell(.request(ContactRequest(request))) }
        for message in waiting {
            // Restored while the application had not acknowledged it: it may not know it.
            let actions = runtimes[message.connection]?.receptions[message.receiveQueue, default: ReceptionMachine()]
                .restored(message.id)
            perform(actions ?? [], of: message.connection, queue: message.receiveQueue)
        }
    }

    /// Relays forget messages after 21 days (SMP fact sheet §9.4); in milliseconds.
    private static let relayExpiry: Int64 = 21 * 86_400_000

    private func restore(_ record: ConnectionRecord) throws {
        let (receiveQueues, sendQueue, entries) = try inStore { transaction in
            (
                try transaction.receiveQueues(of: record.id), try transaction.sendQueue(of: record.id),
                try transaction.deliveryEntries(of: record.id)
            )
        }
        runtimes[record.id] = ConnectionRuntime()
        for queue in receiveQueues { try register(queue) }
        if let sendQueue { runtimes[record.id]?.sendRelay = try RelayAddress(text: sendQueue.relay) }
        guard !record.isDeleting else {
            resumeDeleting(record.id, entries: entries)
            return
        }
        var (_, effects) = try step(record.id) { step in
            try step.carryOut(step.handshake.resume())
            try step.carryOut(step.rotation.resume())
            step.effects.needsSynchronisation = step.synchronisation.state == .required
        }
        effects.entries += entries
        apply(effects, to: record.id)
    }

    /// Makes a receive queue known to the lines; it is subscribed when its relay is next up.
    func register(_ queue: ReceiveQueueRecord) throws {
        let relay = try RelayAddress(text: queue.relay)
        let key = try Ed25519.PrivateKey(rawRepresentation: queue.authenticationKey)
        let name = ReceiveQueueName(relay: relay, recipientID: EntityID(queue.recipientID))
        places[name] = ReceiveQueuePlace(connection: queue.connection, queue: queue.id, key: .ed25519(key))
        names[queue.id] = name
        _ = line(to: relay)
    }
}
