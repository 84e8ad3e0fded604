import Testing

@testable import SMPTransport

struct KeepAliveTests {
    @Test func waitsForTheIntervalOfSilence() {
        var machine = KeepAlive(interval: 600, now: 0)
        #expect(machine.check(now: 0) == .wait(until: 600))
        machine.received(now: 500)
        #expect(machine.check(now: 600) == .wait(until: 1100))
        #expect(machine.check(now: 1100) == .ping)
    }

    @Test func dropsAfterThreeUnansweredPings() {
        var machine = KeepAlive(interval: 600, now: 0)
        var actions: [KeepAlive.Action] = []
        for now in stride(from: Int64(600), through: 1050, by: 150) {
            actions.append(machine.check(now: now))
            machine.pingTimedOut()
        }
        #expect(actions == [.ping, .ping, .ping, .drop])
    }

    @Test func anAnswerForgivesEarlierSilence() {
        var machine = KeepAlive(interval: 600, now: 0)
        #expect(machine.check(now: 600) == .ping)
        machine.pingTimedOut()
        machine.received(now: 900)
        #expect(machine == KeepAlive(interval: 600, now: 900))
    }
}
