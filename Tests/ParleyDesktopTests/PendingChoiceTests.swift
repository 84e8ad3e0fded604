import BaseKit
import Testing

@testable import DesktopApplication

@Suite(.timeLimit(.minutes(1))) struct PendingChoiceTests {
    private let start = Instant.now

    @Test func `what is in force is shown as long as nothing is chosen`() {
        var choice = PendingChoice<Int>()
        #expect(choice.shown(1, now: start) == 1)
        #expect(choice.shown(2, now: start) == 2)
    }

    @Test func `what was chosen stays until it is in force, and what comes then is shown`() {
        var choice = PendingChoice<Int>()
        choice.choose(5, now: start)
        #expect(choice.shown(1, now: start + .milliseconds(10)) == 5)
        choice.choose(6, now: start + .milliseconds(20))
        #expect(choice.shown(5, now: start + .milliseconds(30)) == 6)
        #expect(choice.shown(6, now: start + .milliseconds(40)) == 6)
        #expect(choice.shown(3, now: start + .milliseconds(50)) == 3)
    }

    @Test func `what never comes into force does not stay`() {
        var choice = PendingChoice<Int>()
        choice.choose(5, now: start)
        #expect(choice.shown(1, now: start + .milliseconds(999)) == 5)
        #expect(choice.shown(1, now: start + .seconds(1)) == 1)
        #expect(choice.shown(1, now: start + .milliseconds(500)) == 1)
    }
}
