import Testing

@testable import Agent

@Suite(.timeLimit(.minutes(5))) struct DeliveryMachineTests {
    private func entry(_ id: Int64, _ kind: DeliveryMachine.Kind = .message, createdAt: Int64 = 0)
        -> DeliveryMachine.Entry
    {
        DeliveryMachine.Entry(id: id, kind: kind, createdAt: createdAt)
    }

    @Test func `sends one at a time in order`() {
        var machine = DeliveryMachine(gate: .open)
        #expect(machine.enqueue(entry(1)) == [.transmit(1)])
        #expect(machine.enqueue(entry(2)) == [])
        #expect(machine.enqueue(entry(3)) == [])
        #expect(machine.accepted(1) == [.transmit(2)])
        #expect(machine.accepted(2) == [.transmit(3)])
        #expect(machine.accepted(3) == [])
        #expect(machine.pendingCount == 0)
    }

    @Test func `a closed gate keeps everything`() {
        var machine = DeliveryMachine()
        #expect(machine.enqueue(entry(1)) == [])
        #expect(machine.enqueue(entry(2, .confirmation)) == [])
        #expect(machine.pendingCount == 2)
    }

    @Test func `the handshake overtakes messages until the gate opens`() {
        var machine = DeliveryMachine()
        _ = machine.enqueue(entry(1))
        _ = machine.enqueue(entry(2, .confirmation))
        #expect(machine.setGate(.handshakeOnly) == [.transmit(2)])
        #expect(machine.accepted(2) == [])
        #expect(machine.setGate(.open) == [.transmit(1)])
    }

    @Test func `repeats the same message after the network failed`() {
        var machine = DeliveryMachine(gate: .open)
        _ = machine.enqueue(entry(1))
        _ = machine.enqueue(entry(2))
        #expect(machine.failed(1, .unreachable, now: 1_000, jitter: 0.5) == [.wake(at: 3_000)])
        #expect(machine.wake(now: 2_999) == [])
        #expect(machine.wake(now: 3_000) == [.transmit(1)])
        #expect(machine.failed(1, .unreachable, now: 4_000, jitter: 0.5) == [.wake(at: 7_000)])
        #expect(machine.wake(now: 8_000) == [.transmit(1)])
        #expect(machine.accepted(1) == [.transmit(2)])
    }

    @Test func `a connection that is back ends the wait`() {
        var machine = DeliveryMachine(gate: .open)
        _ = machine.enqueue(entry(1))
        _ = machine.failed(1, .unreachable, now: 0, jitter: 0.5)
        #expect(machine.reachable() == [.transmit(1)])
        #expect(machine.reachable() == [])
        #expect(machine.wake(now: 2_000) == [])
    }

    @Test func `a full queue waits for the peer to continue`() {
        var machine = DeliveryMachine(gate: .open)
        _ = machine.enqueue(entry(1))
        #expect(machine.failed(1, .full, now: 0, jitter: 0.5) == [.wake(at: 300_000)])
        #expect(machine.reachable() == [])
        #expect(machine.continued() == [.transmit(1)])
    }

    @Test func `a peer that continues during the attempt is not forgotten`() {
        var machine = DeliveryMachine(gate: .open)
        _ = machine.enqueue(entry(1))
        #expect(machine.continued() == [])
        #expect(machine.failed(1, .full, now: 0, jitter: 0.5) == [.transmit(1)])
        #expect(machine.failed(1, .full, now: 0, jitter: 0.5) == [.wake(at: 450_000)])
    }

    @Test func `a refusal is final and the next message goes on`() {
        var machine = DeliveryMachine(gate: .open)
        _ = machine.enqueue(entry(1))
        _ = machine.enqueue(entry(2))
        #expect(machine.failed(1, .refused, now: 0, jitter: 0.5) == [.giveUp(1, .refused), .transmit(2)])
    }

    @Test func `a full queue is final for a confirmation`() {
        var machine = DeliveryMachine(gate: .handshakeOnly)
        _ = machine.enqueue(entry(1, .confirmation))
        #expect(machine.failed(1, .full, now: 0, jitter: 0.5) == [.giveUp(1, .full)])
    }

    @Test func `gives up after two days without network`() {
        var machine = DeliveryMachine(gate: .open)
        _ = machine.enqueue(entry(1, createdAt: 100))
        let limit = 100 + RetrySchedule.unreachable.patience
        #expect(machine.failed(1, .unreachable, now: limit - 1, jitter: 0.5) == [.wake(at: limit - 1 + 2_000)])
        _ = machine.reachable()
        #expect(machine.failed(1, .unreachable, now: limit, jitter: 0.5) == [.giveUp(1, .unreachable)])
    }

    @Test func `gives up after a week of a full queue`() {
        var machine = DeliveryMachine(gate: .open)
        _ = machine.enqueue(entry(1))
        let limit = RetrySchedule.full.patience
        #expect(machine.failed(1, .full, now: limit, jitter: 0.5) == [.giveUp(1, .full)])
    }

    @Test func `answers to other messages are ignored`() {
        var machine = DeliveryMachine(gate: .open)
        _ = machine.enqueue(entry(1))
        let before = machine
        #expect(machine.accepted(7) == [])
        #expect(machine.failed(7, .refused, now: 0, jitter: 0) == [])
        #expect(machine == before)
    }

    @Test func `what has its number already leaves before what is still to be numbered`() {
        var machine = DeliveryMachine()
        var sealed = entry(2)
        sealed.isSealed = true
        _ = machine.enqueue(entry(1))
        _ = machine.enqueue(sealed)
        #expect(machine.setGate(.open) == [.transmit(2)])
        #expect(machine.accepted(2) == [.transmit(1)])
    }

    @Test func `after closing nothing leaves`() {
        var machine = DeliveryMachine(gate: .open)
        _ = machine.enqueue(entry(1))
        machine.close()
        #expect(machine.accepted(1) == [])
        #expect(machine.enqueue(entry(2)) == [])
        #expect(machine.setGate(.open) == [])
        #expect(machine.pendingCount == 0)
    }
}
