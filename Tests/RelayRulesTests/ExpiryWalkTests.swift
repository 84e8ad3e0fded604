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

    @Test func `a slice looks at so many queues only`() throws {
        var store = QueueStore()
        for _ in 0..<10 {
            let ids = try make(&store)
            _ = store.send(ids.senderID, notify: false, body: [], limit: 10, time: 1)
        }
        var walk = ExpiryWalk(store)
        var dropped: [Int] = []
        while !walk.isOver { dropped.append(store.expire(before: 2, &walk, queues: 4)) }
        #expect(dropped == [4, 4, 2])
        #expect(store.messageCount == 0)
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
            _ = store.expire(before: 2, &walk, queues: 3)
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
