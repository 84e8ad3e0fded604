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

    @Test func aQueueThatWasSubscribedTwiceMayDeliverTheSameMessageTwice() {
        var ledger = DeliveryLedger()
        ledger.asked(.subscribe, queue)
        #expect(ledger.happened(message(first), queue) == .take)
        ledger.asked(.subscribe, queue)
        #expect(ledger.happened(message(first), queue) == .take)
        #expect(ledger.happened(message(second), queue) == .refuse(.unacknowledgedMessage))
    }

    @Test func theSameMessageOnceMoreIsDropped() {
        var ledger = DeliveryLedger()
        ledger.asked(.subscribe, queue)
        #expect(ledger.happened(message(first), queue) == .take)
        #expect(ledger.happened(message(first), queue) == .drop)
        ledger.asked(.acknowledge(first), queue)
        #expect(ledger.happened(message(second), queue) == .take)
        #expect(ledger.happened(message(first), queue) == .refuse(.unacknowledgedMessage))
    }

    @Test func aNewQueueIsSubscribed() {
        var ledger = DeliveryLedger()
        let ids = QueueIDs(recipientID: queue, senderID: .random(), serverKey: X25519.PrivateKey().publicKey, mode: nil)
        #expect(ledger.answered(.queue(ids), .none) == .take)
        #expect(ledger.happened(message(first), queue) == .take)
        #expect(ledger.happened(message(second), queue) == .refuse(.unacknowledgedMessage))
    }

    @Test func aFetchedMessageIsOne() {
        var ledger = DeliveryLedger()
        ledger.asked(.get, queue)
        #expect(ledger.answered(message(first), queue) == .take)
        #expect(ledger.answered(message(second), queue) == .refuse(.unacknowledgedMessage))
    }

    @Test func aQueueOfNobodyDeliversNothing() {
        var ledger = DeliveryLedger()
        ledger.asked(.subscribe, .random())
        #expect(ledger.happened(message(first), queue) == .drop)
    }

    @Test func oneSubscriptionEndsOnce() {
        var ledger = DeliveryLedger()
        #expect(ledger.happened(.ended, queue) == .drop)
        ledger.asked(.subscribe, queue)
        #expect(ledger.happened(.ended, queue) == .take)
        #expect(ledger.happened(.ended, queue) == .drop)
        #expect(ledger.happened(.deleted, queue) == .drop)
        ledger.asked(.subscribe, queue)
        #expect(ledger.happened(.deleted, queue) == .take)
    }

    @Test func notificationsComeToWhoSubscribedToThem() {
        var ledger = DeliveryLedger()
        let notification = BrokerMessage.notification(nonce: [], meta: [])
        #expect(ledger.happened(notification, queue) == .drop)
        ledger.asked(.subscribeNotifier, queue)
        for _ in 0...DeliveryLedger.tolerance + 10 { #expect(ledger.happened(notification, queue) == .take) }
    }

    @Test func whoAsksMuchMayBeAnsweredLateAsOften() {
        var ledger = DeliveryLedger()
        for _ in 0..<500 { ledger.asked(.ping, .none) }
        for _ in 0..<DeliveryLedger.tolerance + 500 { #expect(ledger.drop() == .drop) }
        #expect(ledger.drop() == .refuse(.unsolicitedEvents))
    }
}
