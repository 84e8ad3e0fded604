import TestSupport
import Testing

@testable import SMPSession

@Suite(.timeLimit(.minutes(5))) struct KeepAliveTests {
    @Test func `waits for the interval of silence`() {
        var machine = KeepAlive(interval: .milliseconds(600), now: at(0))
        #expect(machine.check(now: at(0)) == .wait(until: at(600)))
        machine.received(now: at(500))
        #expect(machine.check(now: at(600)) == .wait(until: at(1100)))
        #expect(machine.check(now: at(1100)) == .ping)
    }

    @Test func `drops after three unanswered pings`() {
        var machine = KeepAlive(interval: .milliseconds(600), now: at(0))
        var actions: [KeepAlive.Action] = []
        for time in stride(from: 600, through: 1050, by: 150) {
            actions.append(machine.check(now: at(time)))
            machine.pingTimedOut()
        }
        #expect(actions == [.ping, .ping, .ping, .drop])
    }

    @Test func `an answer forgives earlier silence`() {
        var machine = KeepAlive(interval: .milliseconds(600), now: at(0))
        #expect(machine.check(now: at(600)) == .ping)
        machine.pingTimedOut()
        machine.received(now: at(900))
        #expect(machine == KeepAlive(interval: .milliseconds(600), now: at(900)))
    }

    @Test func `a relay that owes an answer is asked at once and dropped when it does not answer that`() {
        var machine = KeepAlive(interval: .milliseconds(600), now: at(0))
        machine.received(now: at(100))
        machine.requestTimedOut(after: .milliseconds(10), now: at(115))
        #expect(machine.check(now: at(115)) == .ping)
        #expect(machine.check(now: at(115)) == .wait(until: at(265)))
        machine.pingTimedOut()
        #expect(machine.check(now: at(125)) == .drop)
    }

    @Test func `whatever arrives clears a relay of suspicion`() {
        var machine = KeepAlive(interval: .milliseconds(600), now: at(0))
        machine.requestTimedOut(after: .milliseconds(10), now: at(15))
        #expect(machine.check(now: at(15)) == .ping)
        machine.received(now: at(20))
        machine.pingTimedOut()
        #expect(machine.check(now: at(25)) == .wait(until: at(620)))
    }

    @Test func `a relay that answered others meanwhile is not suspected`() {
        var machine = KeepAlive(interval: .milliseconds(600), now: at(0))
        machine.received(now: at(10))
        machine.requestTimedOut(after: .milliseconds(10), now: at(15))
        #expect(machine.check(now: at(15)) == .wait(until: at(610)))
    }
}
