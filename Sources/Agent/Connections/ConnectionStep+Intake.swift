import SMP

/// What becomes of a message that a relay delivered, for the first time or again.
enum Intake: Sendable {
    /// Nothing: its connection is being deleted.
    case ignored
    /// It is on the queue that the connection moves to, and waits until the old one is empty.
    case held(ConnectionEffects)
    /// It is a request, and as many as this wait for an answer: it stays with the relay.
    case refused(waitingRequests: Int)
    /// It is stored, or was before.
    case taken(Reception)

    /// What the agent does, and keeps in memory, about a message that is stored.
    struct Reception: Sendable {
        /// The queue's machine as it is from now on.
        var machine: ReceptionMachine
        var actions: [ReceptionMachine.Action]
        /// The message that the actions offer.
        var message: ReceivedMessage?
        var worth = ReceptionPace.Worth.useless
        /// Nil for a message that was stored before.
        var effects: ConnectionEffects?
    }
}

extension ConnectionStep {
    /// Takes a delivered message as the reception rules say, in the one transaction of this step, which must not be used any more
    /// afterwards.
    ///
    /// - Parameters:
    ///   - id: the relay's.
    ///   - body: still in its outer box.
    ///   - queue: the receive queue's number in the store.
    ///   - machine: what happened on that queue before.
    /// - Throws: `StoreError` only; then nothing happened and the message stays with the relay.
    mutating func takeIn(
        _ id: MessageID, _ body: [UInt8], on queue: Int64, _ machine: ReceptionMachine, limits: RequestLimits
    ) throws -> Intake {
        guard !record.isDeleting, let queue = try transaction.receiveQueue(queue) else { return .ignored }
        if queue.isCandidate, rotation.state != .none {
            try carryOut(rotation.newQueueUsed())
            return .held(try finish())
        }
        let known = try transaction.receptionRecord(queue: queue.id, relayID: id.bytes)
        if record.isAddress, known == .unknown, let count = try waitingRequests(beyond: limits) {
            return .refused(waitingRequests: count)
        }
        var machine = machine
        var reception: Intake.Reception
        switch machine.delivered(id.bytes, known) {
        case .known(let actions):
            reception = Intake.Reception(machine: machine, actions: actions)
        case .process:
            let (outcome, worth) = try open(id, body, on: queue)
            let actions = machine.processed(id.bytes, outcome)
            reception = Intake.Reception(machine: machine, actions: actions, worth: worth, effects: try finish())
        }
        for case .offer(let number) in reception.actions {
            reception.message = try transaction.received(number).flatMap(ReceivedMessage.init)
        }
        return .taken(reception)
    }

    /// How many requests wait for an answer; nil if one more may.
    private func waitingRequests(beyond limits: RequestLimits) throws -> Int? {
        let (here, all) = (try transaction.requestCount(at: record.id), try transaction.requestCount())
        return here >= limits.waitingPerAddress || all >= limits.waiting ? all : nil
    }

    private mutating func open(
        _ id: MessageID, _ body: [UInt8], on queue: ReceiveQueueRecord
    ) throws -> (ReceptionMachine.Outcome, ReceptionPace.Worth) {
        var message = DeliveredMessage(relayID: id.bytes, time: 0, body: [])
        switch try? MessageBody(opening: body, secret: queue.deliverySecret, id: id) {
        case .message(let time, _, let body):
            message.time = time
            message.body = body
            let outcome = try receive(message, on: queue)
            return (outcome, outcome == .finished ? worth : .useful)
        case .quota(let time):
            message.time = time
            try receiveQuotaMarker(message, on: queue)
        case nil:
            try receiveUnreadable(message, on: queue)
        }
        return (.finished, .useless)
    }
}
