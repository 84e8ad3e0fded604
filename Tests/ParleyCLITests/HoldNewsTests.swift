import Calling
import Testing

@testable import ParleyCLI

@Suite(.timeLimit(.minutes(5))) struct HoldNewsTests {
    private var news = HoldNews()

    private mutating func names(_ hold: CallHold, isWaitingAtPeer: Bool = false) -> [String] {
        news.update(hold, isWaitingAtPeer: isWaitingAtPeer, contact: "Ann").map { "\($0.name) \($0.state)" }
    }

    @Test mutating func `what changes is told once`() {
        #expect(names(CallHold()) == [])
        #expect(names(CallHold(isHeldHere: true)) == ["hold on"])
        #expect(names(CallHold(isHeldHere: true)) == [])
        #expect(names(CallHold(isHeldByPeer: true)) == ["hold off", "peerHold on"])
        #expect(names(CallHold()) == ["peerHold off"])
    }

    @Test mutating func `who is in another call is told so, and no more`() {
        #expect(names(CallHold(), isWaitingAtPeer: true) == ["peerElsewhere on"])
        #expect(names(CallHold()) == ["peerElsewhere off"])
    }

    @Test func `hold and resume are commands`() {
        #expect(CallCommand(line: "hold") == .hold && CallCommand(line: "resume") == .resume(nil))
        #expect(CallCommand(line: "hold it") == nil)
    }
}
