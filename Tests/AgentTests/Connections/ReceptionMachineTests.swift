import Testing

@testable import Agent

@Suite(.timeLimit(.minutes(5))) struct ReceptionMachineTests {
    @Test func `a message is offered and then acknowledged`() {
        var machine = ReceptionMachine()
        #expect(machine.delivered([1], .unknown) == .process)
        #expect(machine.processed([1], .waiting(10)) == [.offer(10)])
        #expect(machine.acknowledged(10) == [.acknowledge([1])])
        #expect(machine.acknowledged(10) == [])
    }

    @Test func `what needs no application is acknowledged at once`() {
        var machine = ReceptionMachine()
        #expect(machine.delivered([1], .unknown) == .process)
        #expect(machine.processed([1], .finished) == [.acknowledge([1])])
    }

    @Test func `a redelivery before the application answered is not offered again`() {
        var machine = ReceptionMachine()
        _ = machine.delivered([1], .unknown)
        _ = machine.processed([1], .waiting(10))
        #expect(machine.delivered([1], .waiting(10)) == .known([]))
        #expect(machine.acknowledged(10) == [.acknowledge([1])])
    }

    @Test func `a redelivery after a lost acknowledgement is acknowledged again`() {
        var machine = ReceptionMachine()
        _ = machine.delivered([1], .unknown)
        _ = machine.processed([1], .waiting(10))
        _ = machine.acknowledged(10)
        #expect(machine.delivered([1], .finished) == .known([.acknowledge([1])]))
    }

    @Test func `a redelivery during processing waits`() {
        var machine = ReceptionMachine()
        #expect(machine.delivered([1], .unknown) == .process)
        #expect(machine.delivered([1], .unknown) == .known([]))
        #expect(machine.processed([1], .finished) == [.acknowledge([1])])
    }

    @Test func `a message restored from the store is offered once`() {
        var machine = ReceptionMachine()
        #expect(machine.restored(10) == [.offer(10)])
        #expect(machine.delivered([1], .waiting(10)) == .known([]))
        #expect(machine.acknowledged(10) == [.acknowledge([1])])
    }

    @Test func `a restored message acknowledged before its redelivery is acknowledged then`() {
        var machine = ReceptionMachine()
        _ = machine.restored(10)
        #expect(machine.acknowledged(10) == [])
        #expect(machine.delivered([1], .finished) == .known([.acknowledge([1])]))
    }

    @Test func `a late repeat of an earlier message leaves the present one to be acknowledged`() {
        var machine = ReceptionMachine()
        _ = machine.delivered([2], .waiting(11))
        #expect(machine.delivered([1], .finished) == .known([.acknowledge([1])]))
        #expect(machine.acknowledged(11) == [.acknowledge([2])])
    }

    @Test(arguments: [(false, true), (true, false), (true, true), (false, false)])
    func `the route follows secret and key`(secret: Bool, key: Bool) {
        let expected: EnvelopeRoute =
            switch (secret, key) {
            case (false, true): .first
            case (true, false): .regular
            case (true, true): .repeatedFirst
            case (false, false): .prohibited
            }
        #expect(EnvelopeRoute(queueHasSecret: secret, envelopeHasKey: key) == expected)
    }
}
