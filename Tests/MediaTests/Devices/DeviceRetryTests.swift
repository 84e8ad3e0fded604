import Testing

@testable import Media

@Suite struct DeviceRetryTests {
    @Test func `what never ran is not tried again`() {
        var retry = DeviceRetry()
        let isDue = retry.isDue(ran: .seconds(2), now: .now)
        #expect(!isDue)
    }

    @Test func `what ran is tried again, but not each time it stops`() {
        var retry = DeviceRetry()
        let begin = ContinuousClock.now
        let answers = [0, 5, 61, 62].map { retry.isDue(ran: .seconds(4), now: begin + .seconds($0)) }
        #expect(answers == [true, false, true, false])
    }
}
