import Testing

@testable import Media

@Suite struct GradientControllerTests {
    @Test func `a wide link is used up to the highest rate`() {
        var link = LinkModel(rate: 5_000_000)
        link.run(seconds: 30)
        #expect(link.bitrate == 2_000_000)
    }

    @Test func `a drop from 2 Mbit to 500 kbit converges with a short queue`() {
        var link = LinkModel(rate: 2_500_000)
        link.run(seconds: 30)
        #expect(link.bitrate > 1_500_000)
        link.rate = 500_000
        link.run(seconds: 4)
        link.longestQueue = 0
        let mean = link.run(seconds: 30)
        #expect(mean > 300_000 && mean < 510_000)
        #expect(link.longestQueue < 250_000)
    }

    @Test func `a route that becomes 100 ms longer does not collapse the rate`() {
        var link = LinkModel(rate: 2_500_000)
        link.run(seconds: 30)
        let before = link.bitrate
        link.delay += 100_000
        var lowest = before
        for _ in 0..<10 {
            link.run(seconds: 1)
            lowest = min(lowest, link.bitrate)
        }
        #expect(lowest > before / 2)
        link.run(seconds: 30)
        #expect(link.bitrate > before * 3 / 4)
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `ten percent of random loss without delay keeps the rate`(seed: UInt64) {
        var link = LinkModel(rate: 5_000_000, seed: seed)
        link.run(seconds: 5)
        let before = link.bitrate
        link.loss = 0.10
        link.run(seconds: 30)
        #expect(link.bitrate >= before * 9 / 10)
    }

    @Test func `loss of half of the packets lowers the rate without any delay`() {
        var link = LinkModel(rate: 5_000_000)
        link.run(seconds: 5)
        let before = link.bitrate
        link.loss = 0.5
        link.run(seconds: 5)
        #expect(link.bitrate < before / 2)
    }

    @Test func `the rate comes back after the link has recovered`() {
        var link = LinkModel(rate: 400_000)
        link.run(seconds: 20)
        #expect(link.bitrate < 500_000)
        link.rate = 5_000_000
        link.run(seconds: 40)
        #expect(link.bitrate > 1_200_000)
    }

    @Test func `a rate is never below the lowest`() {
        var link = LinkModel(rate: 30_000)
        link.run(seconds: 30)
        #expect(link.bitrate == GradientController.Limits().lowest)
    }

    @Test func `what a sender does not use it does not get more of`() {
        var controller = GradientController()
        for tick in 0..<1_000 {
            let sent = Int64(tick) * 33_000
            controller.receive([PacketReport(sentAt: sent, arrivedAt: sent, size: 100)], now: Int64(tick) * 33)
        }
        #expect(controller.target.bitrate == GradientController.Limits().first)
    }

    @Test func `feedback of strange times and sizes is borne`() {
        var controller = GradientController()
        let times: [Int64] = [0, 4_000_000_000_000, 5, -90_000_000, 20_000_000]
        for (index, time) in times.enumerated() {
            controller.receive([PacketReport(sentAt: time, arrivedAt: -time, size: 0)], now: Int64(index) * 100)
        }
        controller.receive([], now: 0)
        #expect(controller.target.bitrate >= GradientController.Limits().lowest)
    }
}
