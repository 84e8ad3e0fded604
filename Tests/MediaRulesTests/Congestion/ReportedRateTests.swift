import BaseKit
import TestSupport
import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(5))) struct ReportedRateTests {
    private func after(
        _ reports: [ReceptionReport], from rate: Double = 400_000, isSending: Bool = true, every: Int = 200
    ) -> Double {
        var (reported, rate) = (ReportedRate(), rate)
        for (index, report) in reports.enumerated() {
            rate = reported.update(report, rate: rate, isSending: isSending, now: at(index * every))
        }
        return rate
    }

    @Test func `without losses the rate grows, and faster before the first`() {
        let calm = Array(repeating: ReceptionReport(loss: 0), count: 11)
        #expect(abs(after(calm) - 400_000 * 1.5 * 1.5) < 1)
        let lossy = Array(repeating: ReceptionReport(loss: 0.05), count: 6) + Array(repeating: .init(loss: 0), count: 5)
        #expect(abs(after(lossy) - 400_000 * 1.08) < 1)
    }

    @Test func `sound alone that comes through lets nothing grow, and its losses count`() {
        #expect(after(Array(repeating: .init(loss: 0), count: 60), isSending: false) == 400_000)
        #expect(after(Array(repeating: .init(loss: 0.2), count: 6), isSending: false) < 400_000)
    }

    @Test func `many losses lower it by half of their part, and few leave it`() {
        #expect(abs(after(Array(repeating: .init(loss: 0.2), count: 6)) - 400_000 * 0.9) < 1)
        #expect(after(Array(repeating: .init(loss: 0.05), count: 6)) == 400_000)
    }

    @Test func `one packet of few that is lost is not much`() {
        let one = [ReceptionReport(loss: 0.33)] + Array(repeating: ReceptionReport(loss: 0), count: 5)
        #expect(after(one) == 400_000)
    }

    @Test func `it is never above the peer's estimate, as long as that is fresh`() {
        #expect(after([ReceptionReport(estimate: 150_000)]) == 150_000)
        let calm = Array(repeating: ReceptionReport(loss: 0), count: 60)
        #expect(after([ReceptionReport(loss: 0, estimate: 500_000)] + calm.prefix(20)) == 500_000)
        #expect(after([ReceptionReport(loss: 0, estimate: 500_000)] + calm) > 500_000)
    }

    @Test func `a controller is led by it as long as it hears nothing else`() {
        var controller = GradientController()
        for index in 0..<40 {
            controller.receive(ReceptionReport(loss: 0, estimate: 900_000), isSending: true, now: at(index * 100))
        }
        #expect(controller.target.bitrate > 800_000 && controller.target.bitrate <= 900_000)
        controller.receive(ReceptionReport(loss: 0.3), isSending: true, now: at(5_100))
        #expect(controller.loss > 0)
        controller.receive(
            [PacketReport(sentAt: at(5_200), arrivedAt: .milliseconds(5_220), size: 1_000)], now: at(5_230))
        #expect(controller.loss == 0)
    }

    @Test func `a plan that hears of each packet is not led by it`() {
        var plan = SendPlan(controller: GradientController())
        _ = plan.begin()
        plan.sent(now: at(4_900))
        #expect(plan.receive(ReceptionReport(estimate: 100_000), now: at(5_000)).videoBitrate != nil)
        #expect(plan.target == 100_000)
        _ = plan.receive(
            [PacketReport(sentAt: at(5_000), arrivedAt: .milliseconds(5_020), size: 1_000)], now: at(5_030))
        let told = plan.target
        #expect(plan.receive(ReceptionReport(estimate: 70_000), now: at(5_050)) == SendPlan.Change())
        #expect(plan.target == told)
    }

    @Test func `a plan whose pictures are off does not grow`() {
        func grown(sends: Bool) -> Int {
            var plan = SendPlan(controller: GradientController())
            _ = plan.begin()
            for index in 0..<30 {
                if sends { plan.sent(now: at(index * 200)) }
                _ = plan.receive(ReceptionReport(loss: 0), now: at(index * 200))
            }
            return plan.target
        }
        #expect(grown(sends: true) > 800_000)
        #expect(grown(sends: false) == 400_000)
    }
}

@Suite(.timeLimit(.minutes(5))) struct EstimateAnnouncementTests {
    @Test func `each format with feedback on each packet announces the estimate, too`() {
        let text = "v=0\r\nm=video 9 UDP/TLS/RTP/SAVPF 96 97\r\na=rtcp-fb:96 transport-cc\r\na=rtcp-fb:96 nack\r\n"
        #expect(
            EstimateAnnouncement.added(to: text)
                == text.replacing("96 transport-cc\r\n", with: "96 transport-cc\r\na=rtcp-fb:96 goog-remb\r\n"))
        #expect(EstimateAnnouncement.added(to: "v=0\r\na=rtcp-fb:96 nack\r\n") == "v=0\r\na=rtcp-fb:96 nack\r\n")
    }
}
