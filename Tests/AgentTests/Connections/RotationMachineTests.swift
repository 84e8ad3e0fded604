import SMP
import TestSupport
import Testing

@testable import Agent

@Suite(.timeLimit(.minutes(5))) struct RotationMachineTests {
    @Test func `a move takes every step once and in order`() {
        var machine = RotationMachine()
        let first = machine.start()
        #expect(first == [.createQueue])
        #expect(machine.queueCreated() == [.offer])
        #expect(machine.keyReceived() == [.secure])
        #expect(machine.secured() == [.announce])
        #expect(machine.newQueueUsed() == [.drain])
        #expect(machine.drained() == [.finish])
        #expect(machine.state == .none)
    }

    @Test(arguments: QueueRotation.allCases)
    func `nothing happens twice or out of turn`(state: QueueRotation) {
        var actions: [[RotationMachine.Action]] = []
        for event in 0..<5 {
            var machine = RotationMachine(state: state)
            switch event {
            case 0: actions.append(machine.queueCreated())
            case 1: actions.append(machine.keyReceived())
            case 2: actions.append(machine.secured())
            case 3: actions.append(machine.newQueueUsed())
            default: actions.append(machine.drained())
            }
            if actions.last == [] { #expect(machine.state == state) }
        }
        #expect(actions.filter { !$0.isEmpty }.count == (state == .none ? 0 : 1))
    }

    @Test(arguments: QueueRotation.allCases)
    func `a restart repeats the step under way`(state: QueueRotation) {
        let expected: [RotationMachine.Action] =
            switch state {
            case .creating: [.createQueue]
            case .securing: [.secure]
            case .draining: [.drain]
            case .none, .offered, .announced: []
            }
        #expect(RotationMachine(state: state).resume() == expected)
        var machine = RotationMachine(state: state)
        let started = machine.start()
        #expect(started == (state == .none ? [.createQueue] : nil))
    }

    @Test func `only a queue that was never made ends a move`() {
        for state in QueueRotation.allCases {
            var machine = RotationMachine(state: state)
            machine.failed()
            #expect(machine.state == (state == .creating ? .none : state))
        }
    }
}

@Suite(.timeLimit(.minutes(5))) struct RelayChoiceTests {
    private func relay(_ number: UInt8) throws -> RelayAddress {
        try RelayAddress(hosts: ["relay\(number)"], port: nil, keyHash: [UInt8](repeating: number, count: 32))
    }

    @Test func `queues are spread evenly`() throws {
        let relays = try (0..<4).map { try relay($0) }
        var random = SeededGenerator(seed: 3)
        var uses: [[UInt8]: Int] = [:]
        for _ in 0..<40 {
            let choice = try #require(RelayChoice(uses: uses, avoided: []).relay(from: relays, using: &random))
            uses[choice.keyHash, default: 0] += 1
        }
        #expect(uses.values.sorted() == [10, 10, 10, 10])
    }

    @Test func `the peer's relay is taken only when there is no other`() throws {
        let relays = [try relay(1), try relay(2)]
        var random = SeededGenerator(seed: 4)
        let busy = RelayChoice(uses: [relays[1].keyHash: 100], avoided: [relays[0].keyHash])
        for _ in 0..<10 { #expect(busy.relay(from: relays, using: &random) == relays[1]) }
        let all = RelayChoice(uses: [:], avoided: relays.map(\.keyHash))
        #expect(all.relay(from: relays, using: &random) != nil)
        #expect(all.relay(from: [], using: &random) == nil)
    }
}
