import BaseKit
import TestSupport
import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(5))) struct GradientControllerTests {
    @Test(arguments: [1, 2, 3] as [UInt64])
    func `a wide link is used up to the highest rate`(seed: UInt64) {
        var link = LinkModel(rate: 8_000_000, seed: seed)
        link.run(seconds: 20)
        #expect(link.bitrate == 6_000_000)
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `no more is sent than is of use, and a wider use is followed`(seed: UInt64) {
        var controller = GradientController()
        controller.limit(to: 2_000_000)
        var link = LinkModel(rate: 8_000_000, controller: controller, seed: seed)
        link.run(seconds: 15)
        #expect(link.bitrate == 2_000_000)
        controller = link.controller as? GradientController ?? GradientController()
        controller.limit(to: 1_500_000)
        #expect(controller.target.bitrate == 1_500_000)
        controller.missFeedback(now: at(0))
        controller.resume(now: at(5_000))
        #expect(controller.target.bitrate <= 1_500_000)
        controller.limit(to: 3_000_000)
        var wider = LinkModel(rate: 8_000_000, controller: controller, seed: seed)
        wider.run(seconds: 15)
        #expect(wider.bitrate == 3_000_000)
    }

    @Test func `a limit below the lowest rate leaves the lowest`() {
        var controller = GradientController()
        controller.limit(to: 1_000)
        #expect(controller.target.bitrate == 60_000)
    }

    @Test(arguments: [300_000, 500_000, 1_000_000], [1, 2, 3] as [UInt64])
    func `a narrow link is used well with a short queue`(rate: Int, seed: UInt64) {
        var link = LinkModel(rate: rate, seed: seed)
        link.run(seconds: 6)
        link.reset()
        link.run(seconds: 40)
        #expect(link.longestQueue < .milliseconds(250))
        #expect(link.delivered / 40 > rate * 6 / 10)
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `a drop from 2 Mbit to 500 kbit converges with a short queue`(seed: UInt64) {
        var link = LinkModel(rate: 2_500_000, seed: seed)
        link.run(seconds: 30)
        #expect(link.bitrate > 1_500_000)
        link.rate = 500_000
        link.run(seconds: 5)
        link.reset()
        let mean = link.run(seconds: 30)
        #expect(mean > 300_000 && mean < 510_000)
        #expect(link.longestQueue < .milliseconds(250))
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `a queue that was full before the call empties`(seed: UInt64) {
        var limits = GradientController.Limits()
        limits.first = 1_500_000
        var link = LinkModel(rate: 400_000, controller: GradientController(limits: limits), seed: seed)
        link.run(seconds: 8)
        link.reset()
        link.run(seconds: 20)
        #expect(link.longestQueue < .milliseconds(250))
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `a deep queue is not filled`(seed: UInt64) {
        var link = LinkModel(rate: 500_000, seed: seed)
        link.queueLimit = .seconds(3)
        link.run(seconds: 6)
        link.reset()
        link.run(seconds: 40)
        #expect(link.longestQueue < .milliseconds(300))
    }

    @Test(arguments: [.milliseconds(50), .milliseconds(100)] as [Duration], [(2_000_000, 0.5), (6_000_000, 0.45)])
    func `a route that becomes longer does not collapse the rate`(longer: Duration, use: (most: Int, left: Double)) {
        var controller = GradientController()
        controller.limit(to: use.most)
        var link = LinkModel(rate: 2_500_000, controller: controller)
        link.run(seconds: 30)
        let before = link.bitrate
        link.delay += longer
        var lowest = before
        for _ in 0..<10 {
            link.run(seconds: 1)
            lowest = min(lowest, link.bitrate)
        }
        #expect(Double(lowest) > use.left * Double(before))
        link.run(seconds: 30)
        #expect(link.bitrate > before * 3 / 4)
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `ten percent of random loss without delay keeps the rate`(seed: UInt64) {
        var link = LinkModel(rate: 8_000_000, seed: seed)
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

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `a receiver that reads late and unevenly does not pass for a narrow link`(seed: UInt64) {
        var link = LinkModel(rate: 5_000_000, seed: seed)
        link.run(seconds: 15)
        link.readsEvery = .milliseconds(60)
        var lowest = link.bitrate
        for _ in 0..<20 {
            link.run(seconds: 1)
            lowest = min(lowest, link.bitrate)
        }
        #expect(lowest > 1_000_000)
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `somebody else's packets are made room for`(seed: UInt64) {
        var link = LinkModel(rate: 1_000_000, seed: seed)
        link.run(seconds: 15)
        link.others = 500_000
        link.run(seconds: 6)
        link.reset()
        link.run(seconds: 30)
        #expect(link.longestQueue < .milliseconds(250))
        #expect(link.delivered / 30 > 250_000)
    }

    @Test(arguments: [300_000, 500_000], [1, 2, 3] as [UInt64])
    func `pictures do not crowd out sound`(rate: Int, seed: UInt64) {
        var link = LinkModel(rate: rate, seed: seed)
        link.run(seconds: 6)
        link.reset()
        link.run(seconds: 30)
        #expect(link.sound.sent > 1_400)
        #expect(link.sound.lost == 0)
        #expect(link.sound.longestWait < .milliseconds(250))
    }

    @Test func `the rate comes back after the link has recovered`() {
        var link = LinkModel(rate: 400_000)
        link.run(seconds: 20)
        #expect(link.bitrate < 500_000)
        link.rate = 5_000_000
        link.run(seconds: 40)
        #expect(link.bitrate > 1_200_000)
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `a link that becomes much wider is used within four seconds`(seed: UInt64) {
        var link = LinkModel(rate: 300_000, seed: seed)
        link.run(seconds: 20)
        #expect(link.bitrate < 320_000)
        link.rate = 2_000_000
        var best = 0
        for _ in 0..<4 {
            link.run(seconds: 1)
            best = max(best, link.bitrate)
        }
        #expect(best > 1_600_000)
        link.reset()
        link.run(seconds: 20)
        #expect(link.longestQueue < .milliseconds(250))
    }

    @Test(arguments: [7, 12], [1, 2, 3] as [UInt64])
    func `after a drop to a small part the queue is empty within three seconds`(part: Int, seed: UInt64) {
        var link = LinkModel(rate: 3_000_000, seed: seed)
        link.run(seconds: 20)
        #expect(link.bitrate > 2_000_000)
        link.rate = 3_000_000 / part
        link.run(seconds: 3)
        link.reset()
        link.run(seconds: 10)
        #expect(link.longestQueue < .milliseconds(150))
        #expect(link.delivered / 10 > 3_000_000 / part / 2)
    }

    @Test func `a picture in which hardly anything happens finds out what the link carries`() {
        var link = LinkModel(rate: 3_000_000)
        link.use = 0.2
        link.run(seconds: 15)
        #expect(link.bitrate > 1_600_000)
        var narrow = LinkModel(rate: 500_000)
        narrow.use = 0.2
        narrow.run(seconds: 15)
        #expect(narrow.bitrate < 600_000)
        #expect(narrow.longestQueue < .milliseconds(250))
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `twenty percent of random loss without delay leave most of the rate`(seed: UInt64) {
        var link = LinkModel(rate: 8_000_000, seed: seed)
        link.loss = 0.2
        link.run(seconds: 30)
        #expect(link.bitrate > 1_000_000)
    }

    @Test func `feedback that waits on its way back does not lower the rate for long`() {
        var link = LinkModel(rate: 5_000_000)
        link.run(seconds: 15)
        let before = link.bitrate
        var controller = link.controller
        for tick in 0..<3 { controller.missFeedback(now: at(15_000 + tick * 200)) }
        #expect(controller.target.bitrate < before / 2)
        let packets = (0..<20).map { index in
            let sent = at(15_100 + index * 10)
            return PacketReport(sentAt: sent, arrivedAt: sent.sinceStart + .milliseconds(5_025), size: 1_000)
        }
        controller.receive(packets, now: at(15_700))
        #expect(controller.target.bitrate == before)
    }

    @Test func `a rate is never below the lowest`() {
        var link = LinkModel(rate: 30_000)
        link.run(seconds: 30)
        #expect(link.bitrate == GradientController.Limits().lowest)
    }

    @Test func `what a sender does not use it does not get more of`() {
        var controller = GradientController()
        for tick in 0..<1_000 {
            let sent = at(tick * 33)
            controller.receive([PacketReport(sentAt: sent, arrivedAt: sent.sinceStart, size: 100)], now: sent)
        }
        #expect(controller.target.bitrate == GradientController.Limits().first)
    }

    @Test func `while nothing is heard the rate falls, step by step, to the lowest`() {
        var controller = GradientController(former: 2_000_000)
        var rates: [Int] = []
        for now in stride(from: 0, to: 10_000, by: 250) {
            controller.missFeedback(now: at(now))
            rates.append(controller.target.bitrate)
        }
        #expect(rates == rates.sorted(by: >))
        #expect(rates.last == GradientController.Limits().lowest)
        #expect(Set(rates).count >= 4)
    }

    @Test func `after a silence the rate comes back faster than it would grow`() {
        var link = LinkModel(rate: 5_000_000)
        link.run(seconds: 15)
        var controller = link.controller
        for tick in 0..<20 { controller.missFeedback(now: at(15_000 + tick * 400)) }
        #expect(controller.target.bitrate < 100_000)
        var again = LinkModel(rate: 5_000_000, controller: controller)
        again.run(seconds: 10)
        #expect(again.bitrate > 1_000_000)
    }

    @Test(arguments: [(nil, 400_000), (0, 400_000), (300_000, 400_000), (1_500_000, 750_000), (9_000_000, 1_000_000)])
    func `another path begins with half of what was well, never below a call's beginning`(former: Int?, rate: Int) {
        #expect(GradientController(former: former).target.bitrate == rate)
    }

    @Test(arguments: [(60_000, 60_000), (300_000, 300_000), (600_000, 400_000), (2_000_000, 1_000_000), (0, 60_000)])
    func `the same path goes on with half of what was well, or what a call begins with, but not above it`(
        good: Int, rate: Int
    ) {
        #expect(GradientController.restart(after: good) == rate)
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `after an outage the rate is soon what it was, and the queue stays short`(seed: UInt64) {
        for rate in [1_000_000, 5_000_000] {
            var link = LinkModel(rate: rate, seed: seed)
            link.run(seconds: 30)
            let before = link.bitrate
            var controller = link.controller
            for tick in 0..<70 { controller.missFeedback(now: at(30_000 + tick * 400)) }
            #expect(controller.target.bitrate == GradientController.Limits().lowest)
            #expect(controller.good == before)
            controller.resume(now: at(0))
            var again = LinkModel(rate: rate, controller: controller, seed: seed)
            again.run(seconds: 5)
            #expect(again.bitrate > before * 6 / 10)
            #expect(again.longestQueue < .milliseconds(250))
        }
    }

    @Test func `a path that is narrower after an outage is not overfilled for long`() {
        var wide = LinkModel(rate: 5_000_000)
        wide.run(seconds: 20)
        var controller = wide.controller
        for tick in 0..<70 { controller.missFeedback(now: at(20_000 + tick * 400)) }
        controller.resume(now: at(0))
        var narrow = LinkModel(rate: 300_000, controller: controller)
        narrow.run(seconds: 5)
        narrow.reset()
        narrow.run(seconds: 20)
        #expect(narrow.longestQueue < .milliseconds(250))
    }

    @Test func `what brings silence again each time it is taken up is taken up lower each time`() {
        var controller = GradientController(former: 4_000_000)
        var rates: [Int] = []
        for round in 0..<4 {
            for tick in 0..<20 { controller.missFeedback(now: at((round * 20 + tick) * 400)) }
            controller.resume(now: at((round * 20 + 19) * 400))
            rates.append(controller.target.bitrate)
        }
        #expect(rates == [500_000, 400_000, 400_000, 400_000])
    }

    @Test func `feedback of strange times and sizes is borne`() {
        var controller = GradientController()
        let times: [Int64] = [0, 4_000_000_000_000, 5, -90_000_000, 20_000_000, 18_446_744_073_709_551, 0]
        for (index, time) in times.enumerated() {
            controller.receive(
                [
                    PacketReport(
                        sentAt: Instant(sinceStart: .microseconds(time)), arrivedAt: .microseconds(-time), size: 0)
                ],
                now: at(index * 100))
        }
        controller.receive([], now: at(0))
        #expect(controller.target.bitrate >= GradientController.Limits().lowest)
    }
}
