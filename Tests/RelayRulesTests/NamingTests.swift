import Cryptography
import RelayFixtures
import SMP
import SMPSession
import Synchronization
import Testing

@testable import RelayRules

/// The ids of new queues (SMP fact sheet §7.1, §9.1).
@Suite(.timeLimit(.minutes(5))) struct NamingTests {
    /// Hands these ids out first, then random ones.
    private func entropy(_ ids: [EntityID]) -> RelayEntropy {
        let left = Shared(ids)
        var entropy = RelayEntropy.system
        entropy.entityID = { left.take() ?? .random() }
        return entropy
    }

    private final class Shared: Sendable {
        private let ids: Mutex<[EntityID]>
        init(_ ids: [EntityID]) { self.ids = Mutex(ids) }
        func take() -> EntityID? { ids.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
    }

    private func create(_ store: inout QueueStore, notifier: Bool = false) throws -> Reply {
        let key = AuthenticationPrivateKey.ed25519(.init())
        let agreement = try RelayEntropy.system.agreement(X25519.PrivateKey().publicKey)
        let keys = NotifierKeys(authenticationKey: key.publicKey, agreementKey: agreement.publicKey)
        let request = QueueRequest(
            recipientKey: key.publicKey, agreementKey: agreement.publicKey, link: .messaging(nil),
            notifier: notifier ? keys : nil)
        return store.create(
            request, correlationID: .random(), agreement: agreement, notifier: notifier ? agreement : nil, session: 1
        ).reply
    }

    @Test func `all IDs are of 24 bytes and differ`() throws {
        let fixture = CoreFixture()
        let session = fixture.session(1, version: 17)
        let queues = try (0..<20).map { _ in try session.makeQueue() }
        let ids = queues.flatMap { [$0.recipientID, $0.senderID] }
        #expect(ids.allSatisfy { $0.bytes.count == 24 })
        #expect(Set(ids).count == ids.count)
        for queue in queues { try queue.send(in: session, secured: false) }
        let messages = fixture.core.withStore { $0.queues.values.flatMap { $0.messages.map(\.id) } }
        #expect(messages.allSatisfy { $0.bytes.count == 24 })
        #expect(Set(messages).count == queues.count)
    }

    @Test func `an ID that exists is drawn again`() throws {
        let (first, second) = (EntityID.random(), EntityID.random())
        // Recipient and sender of one queue, then the same again for the next.
        var store = QueueStore(entropy: entropy([first, second, first, first, second, second]))
        guard case .plain(.queue) = try create(&store), case .plain(.queue(let ids)) = try create(&store) else {
            Issue.record("no queue")
            return
        }
        // A recipient id may be what another queue's sender id is: they are different names.
        #expect(ids.recipientID == second)
        #expect(![first, second].contains(ids.senderID))
        #expect(store.queues.count == 2)
    }

    @Test(arguments: [3, 4]) func `after three tries it is a fault`(collisions: Int) throws {
        let taken = EntityID.random()
        let ids = [taken, .random()] + Array(repeating: taken, count: collisions)
        var store = QueueStore(entropy: entropy(ids))
        _ = try create(&store)
        guard case .plain(.error(.internalError)) = try create(&store) else {
            Issue.record("the id was used twice")
            return
        }
        #expect(store.queues.count == 1)
        #expect(store.senders.count == 1)
    }

    @Test func `a chosen ID that is taken is not drawn again`() throws {
        let session = CoreFixture().session(1, version: 17)
        let id = CorrelationID.random()
        let key = AuthenticationPrivateKey.ed25519(.init())
        let data = LinkData(fixed: [1], user: [2])
        let request = QueueRequest(
            recipientKey: key.publicKey, agreementKey: X25519.PrivateKey().publicKey,
            link: .messaging(.init(senderID: .sender(for: id), data: data)))
        let transmission = try session.transmission(.new(request), .none, key, correlationID: id)
        guard case .queue(let ids) = try session.send([transmission]).answers.first?.message else {
            Issue.record("no queue")
            return
        }
        #expect(ids.senderID == .sender(for: id))
        #expect(ids.linkID?.bytes.count == 24)
        #expect(try session.send([transmission]).answers.map(\.message) == [.authenticationError])
    }
}
