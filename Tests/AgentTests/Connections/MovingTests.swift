import Testing

@testable import Agent
@testable import AgentProtocol

/// A queue moves, every byte really made, no relay; at each step a crash may come.
@Suite(.timeLimit(.minutes(5))) struct MovingTests {
    /// Does what relays would be asked for by `party`.
    private func runRotationSteps(_ party: StepParty) throws {
        while !party.rotationSteps.isEmpty {
            switch party.rotationSteps.removeFirst() {
            case .createQueue:
                var queue = party.newQueue(isFast: true)
                queue.isCandidate = true
                try party.step { step in
                    _ = try step.transaction.insert(queue)
                    try step.carryOut(step.rotation.queueCreated())
                }
            case .secure: try party.step { try $0.carryOut($0.rotation.secured()) }
            case .drain:
                try party.step { step in
                    if let old = try step.replacedQueue() { try step.transaction.deleteReceiveQueue(old.id) }
                    try step.carryOut(step.rotation.drained())
                }
            }
        }
    }

    /// As the agent does: what comes on the new queue is taken only when the old one is gone.
    private func send(_ from: StepParty, to party: StepParty) throws {
        while let number = from.wanted.first {
            from.wanted.removeFirst()
            guard let attempt = try from.attempt(number) else { continue }
            let candidate = try party.step { try $0.candidate() }
            if candidate?.senderID == attempt.queue.bytes {
                try party.step { try $0.carryOut($0.rotation.newQueueUsed()) }
                try runRotationSteps(party)
            }
            try party.deliver(attempt.body, to: attempt.queue)
            try from.accepted(number)
        }
    }

    private func restart(_ party: StepParty) throws {
        party.rotationSteps = []
        try party.restart()
        try party.step { try $0.carryOut($0.rotation.resume()) }
    }

    private func states(_ party: StepParty) -> [QueueRotation] {
        party.events.compactMap { if case .rotation(_, let state) = $0 { state } else { nil } }
    }

    @Test(arguments: [false, true])
    func `a queue moves and no message is lost or out of order`(crashes: Bool) throws {
        let pair = try StepPair()
        let (mover, peer) = (pair.joiner, pair.initiator)
        let old = try #require(try mover.step { try $0.replacedQueue() })
        try mover.step { step in
            let actions = step.rotation.start() ?? []
            try step.carryOut(actions)
        }
        for number in 0..<8 as Range<UInt8> {
            if crashes { try restart(mover) }
            try runRotationSteps(mover)
            try peer.queue([number])
            try send(mover, to: peer)
            if crashes { try peer.restart() }
            try send(peer, to: mover)
        }
        #expect(states(mover) == [.creating, .offered, .securing, .announced, .draining, .none])
        let queues = try mover.store.read { try $0.receiveQueues(of: mover.id) }
        #expect(queues.count == 1)
        #expect(queues.first?.isCandidate == false)
        #expect(queues.first?.id != old.id)
        let sendQueue = try peer.store.read { try $0.sendQueue(of: peer.id) }
        #expect(sendQueue?.senderID == queues.first?.senderID)
        #expect(try mover.bodies() == (0..<8).map { [$0] })
        let integrities = try mover.integrities()
        #expect(integrities.allSatisfy { $0 == .ok })
        for party in [mover, peer] {
            #expect(!party.events.contains { if case .failed = $0 { true } else { false } })
        }
    }

    @Test func `keys for a queue nobody offered are refused`() throws {
        let pair = try StepPair()
        let queue = try #require(try pair.joiner.step { try $0.replacedQueue() })
        let info = try #require(try queue.uri(mode: .messaging).info())
        let key = AMessage.QueueKey(queue: info, authenticationKey: .x25519(info.key))
        try pair.joiner.step { step in
            var refused: AgentError?
            do {
                try step.receiveKeys([key])
            } catch let error as AgentError {
                refused = error
            }
            #expect(refused == .unexpectedMessage)
        }
    }
}
