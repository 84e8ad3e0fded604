import BaseKit
import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(1))) struct WayDownRateTests {
    private static func at(_ milliseconds: Int) -> Instant { Instant(sinceStart: .milliseconds(milliseconds)) }

    @Test func `a steady stream has its rate, however often it is looked at`() {
        for pause in [50, 100, 130, 250, 900] {
            var rate = WayDownRate()
            for time in stride(from: 0, to: 5_000, by: pause) {
                let seen = rate.update(bytes: time * 50, now: Self.at(time))
                #expect(seen == (time < 200 ? nil : 400_000))
            }
        }
    }

    @Test func `what came before is forgotten within the time in which a queue shows`() {
        var rate = WayDownRate()
        for time in stride(from: 0, through: 1_000, by: 100) { _ = rate.update(bytes: time * 100, now: Self.at(time)) }
        #expect(rate.update(bytes: 105_000, now: Self.at(1_100)) ?? 0 > 400_000)
        #expect(rate.update(bytes: 110_000, now: Self.at(1_200)) == 400_000)
        #expect(WayDownRate.window < WayDown.recent)
    }

    @Test func `after a pause nothing is known at first`() {
        var rate = WayDownRate()
        for time in [0, 250, 500] { _ = rate.update(bytes: time, now: Self.at(time)) }
        #expect(rate.update(bytes: 90_000, now: Self.at(2_000)) == nil)
        #expect(rate.update(bytes: 95_000, now: Self.at(2_200)) == 200_000)
    }
}
