import SMP

/// What a relay may still send on one connection without having been asked in a request: keeps count of what the requests
/// of this side allow (SMP fact sheet §9.2). It does no I/O.
///
/// - SUB, GET, NEW and ACK each allow one message of the queue: relays deliver the next one only after an ACK, and the same
///   one again after a SUB.
/// - SUB and NEW each allow one end of the subscription (END or DELD).
/// - What nobody can have asked for is dropped and counted. A few such events are a matter of timing; more than
///   `tolerance` beyond the number of requests are not.
struct DeliveryLedger: Sendable {
    /// What becomes of an event.
    enum Verdict: Equatable, Sendable {
        /// It is as it should be.
        case deliver
        /// Nobody asked for it.
        case drop
        /// The relay breaks the protocol.
        case refuse(ProtocolViolation)
    }

    private struct Queue {
        var messages = 0
        var endings = 0
        /// The last message that came and has no ACK yet.
        var delivered: MessageID?
        /// The last message that this side has acknowledged.
        var acknowledged: MessageID?
    }

    /// How many events without cause are borne beyond the number of requests.
    static let tolerance = 1_000

    private var queues: [EntityID: Queue] = [:]
    private var notifiers: Set<EntityID> = []
    private var requests = 0
    private var unsolicited = 0

    /// A request leaves.
    mutating func asked(_ command: Command, _ entity: EntityID) {
        requests += 1
        switch command {
        case .subscribe:
            queues[entity, default: Queue()].messages += 1
            queues[entity, default: Queue()].endings += 1
        case .get: queues[entity, default: Queue()].messages += 1
        case .acknowledge(let id):
            queues[entity, default: Queue()].messages += 1
            if queues[entity]?.delivered == id { queues[entity]?.delivered = nil }
            queues[entity]?.acknowledged = id
        case .subscribeNotifier: notifiers.insert(entity)
        default: break
        }
    }

    /// A relay has answered a request, in time or late.
    mutating func answered(_ message: BrokerMessage, _ entity: EntityID) -> Verdict {
        switch message {
        case .queue(let ids):
            queues[ids.recipientID, default: Queue()].messages += 1
            queues[ids.recipientID, default: Queue()].endings += 1
            return .deliver
        case .message(let id, _): return delivered(id, entity)
        default: return .deliver
        }
    }

    /// An event came.
    mutating func happened(_ message: BrokerMessage, _ entity: EntityID) -> Verdict {
        switch message {
        case .message(let id, _): return delivered(id, entity)
        case .ended, .deleted:
            guard let endings = queues[entity]?.endings, endings > 0 else { return drop() }
            queues[entity]?.endings -= 1
            return .deliver
        case .notification where notifiers.contains(entity): return .deliver
        default: return drop()
        }
    }

    /// Something came that belongs to nothing.
    mutating func drop() -> Verdict {
        unsolicited += 1
        return unsolicited > Self.tolerance + requests ? .refuse(.unsolicitedEvents) : .drop
    }

    private mutating func delivered(_ id: MessageID, _ entity: EntityID) -> Verdict {
        guard var queue = queues[entity] else { return drop() }
        // The push of a new message and the answer to a SUB may cross at the relay, with the same message in both; the second may come
        // after the ACK of the first, and what that ACK allows is for the next message.
        if queue.acknowledged == id, queue.delivered == nil {
            return drop() == .drop ? .deliver : .refuse(.unsolicitedEvents)
        }
        defer { queues[entity] = queue }
        guard queue.messages > 0 else {
            return queue.delivered == id ? drop() : .refuse(.unacknowledgedMessage)
        }
        queue.messages -= 1
        queue.delivered = id
        return .deliver
    }
}
