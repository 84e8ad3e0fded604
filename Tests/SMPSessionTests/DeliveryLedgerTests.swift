import Cryptography
import SMP
import Testing

@testable import SMPSession

/// What a relay may send without being asked, case by case.
@Suite(.timeLimit(.minutes(5))) struct DeliveryLedgerTests {
    private let queue = EntityID.random()
    private let first = MessageID.random()
    private let second = MessageID.random()

    private func message(_ id: MessageID) -> BrokerMessage { .message(id, body: []) }

    @Test func `a queue that was subscribed twice may deliver the same message twice`() {
        var ledger = DeliveryLedger()
        ledger.asked(.subscribe, queue)
        #expect(ledger.happened(message(first), queue) == .deliver)
        ledger.asked(.subscribe, queue)
        #expect(ledger.happened(message(first), queue) == .deliver)
        #expect(ledger.happened(message(second), queue) == .refuse(.unacknowledgedMessage))
    }

    @Test func `the same message once more is dropped`() {
        var ledger = DeliveryLedger()
        ledger.asked(.subscribe, queue)
        #expect(ledger.happened(message(first), queue) == .deliver)
        #expect(ledger.happened(message(first), queue) == .drop)
        ledger.asked(.acknowledge(first), queue)
        #expect(ledger.happened(message(second), queue) == .deliver)
        #expect(ledger.happened(message(first), queue) == .refuse(.unacknowledgedMessage))
    }

    @Test func `a new queue is subscribed`() {
        var ledger = DeliveryLedger()
        let ids = QueueIDs(recipientID: queue, senderID: .random(), serverKey: X25519.PrivateKey().publicKey, mode: nil)
        #expect(ledger.answered(.queue(ids), .none) == .deliver)
        #expect(ledger.happened(message(first), queue) == .deliver)
        #expect(ledger.happened(message(second), queue) == .refuse(.unacknowledgedMessage))
    }

    @Test func `a fetched message is one`() {
        var ledger = DeliveryLedger()
        ledger.asked(.get, queue)
        #expect(ledger.answered(message(first), queue) == .deliver)
        #expect(ledger.answered(message(second), queue) == .refuse(.unacknowledgedMessage))
    }

    @Test func `a queue of nobody delivers nothing`() {
        var ledger = DeliveryLedger()
        ledger.asked(.subscribe, .random())
        #expect(ledger.happened(message(first), queue) == .drop)
    }

    @Test func `one subscription ends once`() {
        var ledger = DeliveryLedger()
        #expect(ledger.happened(.ended, queue) == .drop)
        ledger.asked(.subscribe, queue)
        #expect(ledger.happened(.ended, queue) == .deliver)
        #expect(ledger.happened(.ended, queue) == .drop)
        #expect(ledger.happened(.deleted, queue) == .drop)
        ledger.asked(.subscribe, queue)
        #expect(ledger.happened(.deleted, queue) == .deliver)
    }

    @Test func `notifications come to who subscribed to them`() {
        var ledger = DeliveryLedger()
        let notification = BrokerMessage.notification(nonce: [], meta: [])
        #expect(ledger.happened(notification, queue) == .drop)
        ledger.asked(.subscribeNotifier, queue)
        for _ in 0...DeliveryLedger.tolerance + 10 { #expect(ledger.happened(notification, queue) == .deliver) }
    }

    @Test func `who asks much may be answered late as often`() {
        var ledger = DeliveryLedger()
        for _ in 0..<500 { ledger.asked(.ping, .none) }
        for _ in 0..<DeliveryLedger.tolerance + 500 { #expect(ledger.drop() == .drop) }
        #expect(ledger.drop() == .refuse(.unsolicitedEvents))
    }
}
