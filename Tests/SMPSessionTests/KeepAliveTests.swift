import Testing

@testable import SMPSession

@Suite(.timeLimit(.minutes(5))) struct KeepAliveTests {
    @Test func `waits for the interval of silence`() {
        var machine = KeepAlive(interval: 600, now: 0)
        #expect(machine.check(now: 0) == .wait(until: 600))
        machine.received(now: 500)
        #expect(machine.check(now: 600) == .wait(until: 1100))
        #expect(machine.check(now: 1100) == .ping)
    }

    @Test func `drops after three unanswered pings`() {
        var machine = KeepAlive(interval: 600, now: 0)
        var actions: [KeepAlive.Action] = []
        for now in stride(from: Int64(600), through: 1050, by: 150) {
            actions.append(machine.check(now: now))
            machine.pingTimedOut()
        }
        #expect(actions == [.ping, .ping, .ping, .drop])
    }

    @Test func `an answer forgives earlier silence`() {
        var machine = KeepAlive(interval: 600, now: 0)
        #expect(machine.check(now: 600) == .ping)
        machine.pingTimedOut()
        machine.received(now: 900)
        #expect(machine == KeepAlive(interval: 600, now: 900))
    }

    @Test func `a relay that owes an answer is asked at once and dropped when it does not answer that`() {
        var machine = KeepAlive(interval: 600, now: 0)
        machine.received(now: 100)
        machine.requestTimedOut(after: 10, now: 115)
        #expect(machine.check(now: 115) == .ping)
        #expect(machine.check(now: 115) == .wait(until: 265))
        machine.pingTimedOut()
        #expect(machine.check(now: 125) == .drop)
    }

    @Test func `whatever arrives clears a relay of suspicion`() {
        var machine = KeepAlive(interval: 600, now: 0)
        machine.requestTimedOut(after: 10, now: 15)
        #expect(machine.check(now: 15) == .ping)
        machine.received(now: 20)
        machine.pingTimedOut()
        #expect(machine.check(now: 25) == .wait(until: 620))
    }

    @Test func `a relay that answered others meanwhile is not suspected`() {
        var machine = KeepAlive(interval: 600, now: 0)
        machine.received(now: 10)
        machine.requestTimedOut(after: 10, now: 15)
        #expect(machine.check(now: 15) == .wait(until: 610))
    }
}
