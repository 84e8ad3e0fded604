import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(5))) struct ReportIntervalTests {
    @Test(arguments: [
        (0, 50), (6_000_000, 50), (1_250_000, 50), (600_000, 110), (500_000, 130), (250_000, 250), (60_000, 400),
    ])
    func `reports come as often as there is room for them`(rate: Int, milliseconds: Int) {
        #expect(ReportInterval.milliseconds(at: rate) == milliseconds)
    }

    @Test func `of what a server forwards reports come seldom while nothing of it is lost`() {
        #expect(ReportInterval.milliseconds(forwardedLoss: 0) == ReportInterval.bounds.upperBound)
        for loss in [0.001, 0.05, 1] {
            #expect(ReportInterval.milliseconds(forwardedLoss: loss) == ReportInterval.bounds.lowerBound)
        }
    }

    @Test(arguments: [
        (0, 40), (6_000_000, 40), (400_000, 40), (250_000, 40), (125_000, 80), (100_000, 100), (60_000, 160),
    ])
    func `news of what comes are as frequent as there is room for them`(rate: Int, milliseconds: Int) {
        #expect(ReportInterval.feedbackMilliseconds(at: rate) == milliseconds)
    }
}
