import Cryptography
import SMP
import TestSupport
import Testing

@testable import RelayRules

/// Old messages are looked for in slices, while queues come and go.
@Suite(.timeLimit(.minutes(5))) struct ExpiryWalkTests {
    private func make(_ store: inout QueueStore) throws -> QueueIDs {
        let agreement = try RelayEntropy.system.agreement(X25519.PrivateKey().publicKey)
        let request = QueueRequest(
            recipientKey: AuthenticationPrivateKey.ed25519(.init()).publicKey, agreementKey: agreement.publicKey,
            subscribes: false, link: .messaging(nil))
        let made = store.create(
            request, correlationID: .random(), agreement: agreement, notifier: nil, session: 1)
        guard case .plain(.queue(let ids)) = made.reply else { throw SMPError.internalError }
        return ids
    }

    /// Many queues at once, all with one key, which has nothing to do here.
    private func restored(_ count: Int, messages: Int) throws -> QueueStore {
        let key = AuthenticationPrivateKey.ed25519(.init()).publicKey
        var persisted = PersistedQueues()
        persisted.queues = (0..<count).map { number in
            var queue = StoredQueue(
                number: Int64(number), recipientID: .random(), senderID: .random(), recipientKeys: [key],
                secret: SecretBytes([1]), mode: .messaging)
            queue.notifier = StoredQueue.Notifier(id: .random(), key: key, secret: SecretBytes([1]))
            for message in 0..<messages {
                queue.messages.append(
                    StoredMessage(
                        number: Int64(count + number * messages + message), id: .random(), time: 1, seen: 1,
                        content: .message(notify: true, count: 1)))
            }
            return queue
        }
        var store = QueueStore()
        store.restore(persisted)
        for queue in persisted.queues {
            guard let notifier = queue.notifier else { continue }
            store.desk.add(PendingNotification(message: .random(), time: 1, seen: 1), for: notifier.id)
        }
        return store
    }

    @Test(arguments: [(50_000, 1), (300, 120)])
    func `a slice does so much only, however much there is`(queues: Int, messages: Int) throws {
        var store = try restored(queues, messages: messages)
        var walk = ExpiryWalk(store)
        var slices = 0
        var (waiting, notified) = (store.messageCount, store.desk.pending.count)
        #expect((waiting, notified) == (queues * messages, queues))
        while !walk.isOver {
            let dropped = store.expire(before: 2, notificationsBefore: 2, &walk, steps: 500)
            slices += 1
            #expect(dropped == waiting - store.messageCount && dropped <= 500)
            #expect(notified - store.desk.pending.count <= 500)
            (waiting, notified) = (store.messageCount, store.desk.pending.count)
        }
        #expect((waiting, notified) == (0, 0))
        // A queue that is gone on with is looked at twice.
        #expect(slices <= (queues + queues * messages) / 499 + 1)
    }

    @Test(arguments: 0..<10 as Range<UInt64>) func `no queue that stays is missed`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var store = QueueStore()
        var queues: [QueueIDs] = []
        func add() throws {
            let ids = try make(&store)
            _ = store.send(ids.senderID, notify: false, body: [], limit: 10, time: 1)
            queues.append(ids)
        }
        for _ in 0..<40 { try add() }
        let first = Set(queues.map(\.recipientID))
        var walk = ExpiryWalk(store)
        while !walk.isOver {
            _ = store.expire(before: 2, notificationsBefore: 2, &walk, steps: 6)
            for _ in 0..<2 {
                guard let index = queues.indices.randomElement(using: &random) else { continue }
                _ = store.delete(queues.remove(at: index).recipientID, session: 1)
            }
            if Bool.random(using: &random) { try add() }
        }
        for (place, id) in store.order.enumerated() { #expect(store.queues[id]?.place == place) }
        #expect(store.order.count == store.queues.count)
        #expect(store.queues.values.allSatisfy { !first.contains($0.recipientID) || $0.messages.isEmpty })
    }
}
