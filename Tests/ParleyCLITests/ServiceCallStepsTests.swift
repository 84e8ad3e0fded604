import CallControl
import Testing

@testable import ParleyCLI

@Suite(.timeLimit(.minutes(5))) struct ServiceCallStepsTests {
    private func events(_ states: [CallFacts.State], _ reason: String) -> (events: [String], result: String?) {
        var steps = ServiceCallSteps()
        let events = states.flatMap { state in
            steps.update(CallFacts(id: "/1", state: state, endReason: state == .ended ? reason : "")).map(\.event)
        }
        return (events, steps.result)
    }

    @Test func `a call that took place is completed`() {
        let told = events(
            [.calling, .connecting, .active, .active, .reconnecting, .active, .ended, .ended], "peerHungUp")
        #expect(told.events == ["accepted", "active", "reconnecting", "reconnected", "ended"])
        #expect(told.result == "completed")
    }

    @Test func `a call that did not take place says why`() {
        #expect(events([.calling, .ended], "declinedByPeer").result == "declinedByPeer")
        #expect(events([.calling, .connecting, .ended], "hungUp").result == "notConnected")
        #expect(events([.calling, .connecting], "").result == nil)
        #expect(events([.active, .ended], "somethingNew").result == "somethingNew")
    }

    @Test func `only a call without wishes of its own is made elsewhere`() throws {
        let base = ["Anna", "--profile", "p"]
        #expect(try CallContact.parse(base).canBeMadeElsewhere)
        #expect(try CallContact.parse(base + ["--audio", "--for", "3", "--json"]).canBeMadeElsewhere)
        for wish in [
            ["--camera", "test"], ["--no-gain"], ["--relay-only"], ["--require-encryption"], ["--commands"],
            ["--statistics"], ["--name", "Ben"],
        ] {
            #expect(try !CallContact.parse(base + wish).canBeMadeElsewhere, "\(wish)")
        }
    }
}
