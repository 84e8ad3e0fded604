import Testing

@testable import Agent
@testable import AgentProtocol

/// What a relay or a peer sends without end leaves little behind.
@Suite(.timeLimit(.minutes(5))) struct UselessMessageTests {
    private func queue(of party: StepParty) throws -> ReceiveQueueRecord {
        try #require(try party.store.read { try $0.receiveQueues(of: party.id).first })
    }

    /// One message, and what it was good for.
    private func receive(_ body: [UInt8], id: [UInt8], _ party: StepParty) throws -> ReceptionPace.Worth {
        let queue = try queue(of: party)
        return try party.step { step in
            _ = try step.receive(DeliveredMessage(relayID: id, time: 1, body: body), on: queue)
            return step.worth
        }
    }

    /// How many answers to a full queue wait to be sent.
    private func answers(of party: StepParty) throws -> Int {
        try party.store.read { try $0.outgoingCount(.quotaContinue, of: party.id) }
    }

    @Test func `full queues that are told of again and again make one answer`() throws {
        let pair = try StepPair()
        let queue = try queue(of: pair.initiator)
        for number in 0..<20 as Range<UInt8> {
            try pair.initiator.step {
                try $0.receiveQuotaMarker(DeliveredMessage(relayID: [100, number], time: 1, body: []), on: queue)
            }
        }
        #expect(try answers(of: pair.initiator) == 1)
        try pair.settle()
        #expect(try answers(of: pair.initiator) == 0)
        try pair.initiator.step {
            try $0.receiveQuotaMarker(DeliveredMessage(relayID: [101], time: 1, body: []), on: queue)
        }
        #expect(try answers(of: pair.initiator) == 1)
    }

    @Test func `each queue of a connection gets its answer and no second one`() throws {
        let pair = try StepPair()
        let queue = try queue(of: pair.initiator)
        // The one that takes its place: for a while both are in use.
        var other = queue
        (other.isCandidate, other.recipientID, other.senderID) = (true, [9, 1], [9, 2])
        let candidate = try pair.initiator.store.write { try $0.insert(other) }
        for number in 0..<6 as Range<UInt8> {
            try pair.initiator.step {
                try $0.receiveQuotaMarker(
                    DeliveredMessage(relayID: [100, number], time: 1, body: []),
                    on: number.isMultiple(of: 2) ? queue : candidate)
            }
        }
        let bodies = try pair.initiator.store.read { transaction in
            try transaction.deliveryEntries(of: pair.initiator.id).compactMap { try transaction.outgoing($0.id)?.body }
        }
        #expect(
            try bodies == [
                AMessage.continueSending(queue.address).stored(),
                AMessage.continueSending(candidate.address).stored(),
            ])
    }

    @Test func `receipts that nobody takes do not pile up`() throws {
        let pair = try StepPair()
        for number in 0..<80 as Range<UInt8> {
            try pair.joiner.queue([number])
            try pair.joiner.flush(to: pair.initiator)
            for message in try pair.initiator.store.read({ try $0.waitingMessages() }) {
                _ = try pair.initiator.step { try $0.acknowledge(message.id, receipt: true) }
            }
        }
        #expect(try pair.initiator.store.read { try $0.outgoingCount(.receipt, of: pair.initiator.id) } == 64)
    }

    @Test func `garbage and repeats are of no use`() throws {
        let pair = try StepPair()
        #expect(try receive([1, 2, 3], id: [200, 1], pair.initiator) == .useless)
        try pair.joiner.queue([7])
        let number = try #require(pair.joiner.wanted.first)
        let body = try #require(try pair.joiner.attempt(number)).body
        #expect(try receive(body, id: [200, 2], pair.initiator) == .useful)
        #expect(try receive(body, id: [200, 3], pair.initiator) == .useless)
        #expect(try pair.initiator.bodies() == [[7]])
    }

    @Test func `a request is told from garbage at an address`() throws {
        let (address, link) = try StepParty.address()
        let requester = try StepParty.opener(of: link, info: [1])
        try requester.runRelaySteps()
        let number = try #require(requester.wanted.first)
        let body = try #require(try requester.attempt(number)).body
        #expect(try receive(body, id: [1], address) == .request)
        #expect(try receive(body, id: [2], address) == .useless)
        #expect(try receive([0], id: [3], address) == .useless)
    }

    @Test func `marks of useless messages are few and those of others stay`() throws {
        let pair = try StepPair()
        let queue = try queue(of: pair.initiator)
        try pair.joiner.queue([7])
        let number = try #require(pair.joiner.wanted.first)
        let body = try #require(try pair.joiner.attempt(number)).body
        #expect(try receive(body, id: [9], pair.initiator) == .useful)
        let waiting = try #require(try pair.initiator.store.read { try $0.waitingMessages().first })
        _ = try pair.initiator.step { try $0.acknowledge(waiting.id, receipt: false) }
        let count = StoreTransaction.uselessMarksPerQueue * 2
        for index in 0..<count {
            let id = [1, UInt8(index / 256), UInt8(index % 256)]
            try pair.initiator.step {
                try $0.receiveUnreadable(DeliveredMessage(relayID: id, time: 1, body: []), on: queue)
            }
        }
        let marks = try pair.initiator.store.read { transaction in
            try (0..<count).count { index in
                try transaction.receptionRecord(queue: queue.id, relayID: [1, UInt8(index / 256), UInt8(index % 256)])
                    == .finished
            }
        }
        #expect((StoreTransaction.uselessMarksPerQueue...StoreTransaction.uselessMarksPerQueue + 64).contains(marks))
        // The newest are those that are kept, and the useful one is older than all of them.
        let last = [1, UInt8((count - 1) / 256), UInt8((count - 1) % 256)]
        #expect(try pair.initiator.store.read { try $0.receptionRecord(queue: queue.id, relayID: last) } == .finished)
        #expect(try receive(body, id: [10], pair.initiator) == .useless)
        #expect(try pair.initiator.bodies() == [])
    }
}
