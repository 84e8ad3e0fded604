import BaseKit
import TestSupport
import Testing

@testable import MediaRules

/// A controller that wants what a test wants.
private struct FixedController: BandwidthController {
    var target: BandwidthTarget
    var loss = 0.0
    var targets: [Int] = []
    var good = 0

    init(_ bitrate: Int, then targets: [Int] = [], loss: Double = 0) {
        target = BandwidthTarget(bitrate: bitrate, pacingRate: bitrate * 14 / 10)
        self.targets = targets
        self.loss = loss
    }

    mutating func limit(to bitrate: Int) {}

    mutating func resume(now: Instant) {
        target = BandwidthTarget(bitrate: 1_000_000, pacingRate: 1_400_000)
    }

    mutating func receive(_ packets: [PacketReport], now: Instant) {
        guard !targets.isEmpty else { return }
        let next = targets.removeFirst()
        target = BandwidthTarget(bitrate: next, pacingRate: next * 14 / 10)
    }

    mutating func missFeedback(now: Instant) {
        target.bitrate /= 2
        target.pacingRate /= 2
    }
}

/// A controller of a link that is always full.
private struct FullController: BandwidthController {
    var target = BandwidthTarget(bitrate: 60_000, pacingRate: 84_000)
    var loss = 0.3
    var good = 0
    var hearsElsewhere = false
    var congestion: Congestion?

    mutating func receive(_ packets: [PacketReport], now: Instant) { congestion = Congestion(at: now, carried: 40_000) }
    mutating func limit(to bitrate: Int) {}
    mutating func missFeedback(now: Instant) {}
    mutating func resume(now: Instant) {}
}

/// A controller that always wants to know.
private struct ProbingController: BandwidthController {
    var target = BandwidthTarget(bitrate: 500_000, pacingRate: 700_000)
    var loss = 0.0
    var good = 0

    mutating func receive(_ packets: [PacketReport], now: Instant) {}
    mutating func limit(to bitrate: Int) {}
    mutating func missFeedback(now: Instant) {}
    mutating func resume(now: Instant) {}
    mutating func probe(now: Instant) -> Probe? { Probe(bitrate: 1_000_000) }
}

/// A controller that hears of what arrives from others than the plan.
private struct RemoteController: BandwidthController {
    let bitrate: Shared<Int>
    var target: BandwidthTarget { BandwidthTarget(bitrate: bitrate.value, pacingRate: bitrate.value) }
    var loss = 0.0
    var good = 0
    var hearsElsewhere: Bool { true }
    var isSendingElsewhere = false

    func sendsElsewhere(now: Instant) -> Bool { isSendingElsewhere }
    mutating func receive(_ packets: [PacketReport], now: Instant) {}
    mutating func limit(to bitrate: Int) {}
    mutating func missFeedback(now: Instant) {}
    mutating func resume(now: Instant) {}
}

@Suite(.timeLimit(.minutes(5))) struct SendPlanTests {
    @Test func `pictures get what sound and headers leave`() {
        var plan = SendPlan(controller: FixedController(1_000_000))
        let change = plan.begin()
        #expect(change.videoBitrate == 1_000_000 - SendPlan.audioShare - SendPlan.headerShare)
        #expect(change.pacingRate == 1_400_000)
        #expect(change.step?.pixels == 640 * 480)
    }

    @Test func `a picture gets enough to be one, whatever the rate`() {
        var plan = SendPlan(controller: FixedController(10_000))
        let change = plan.begin()
        #expect(change.videoBitrate == SendPlan.lowestVideo)
        #expect((change.pacingRate ?? 0) >= SendPlan.lowestVideo + SendPlan.audioShare)
    }

    @Test func `what is lost leaves room for being sent again`() {
        var plain = SendPlan(controller: FixedController(1_000_000))
        var lossy = SendPlan(controller: FixedController(1_000_000, loss: 0.1))
        var broken = SendPlan(controller: FixedController(1_000_000, loss: 0.9))
        let rates = [plain.begin(), lossy.begin(), broken.begin()].map { Double($0.videoBitrate ?? 0) }
        #expect(abs(rates[1] / rates[0] - 0.9) < 0.001)
        #expect(abs(rates[2] / rates[0] - (1 - SendPlan.mostResent)) < 0.001)
    }

    @Test func `a small change does not disturb the encoder`() {
        var plan = SendPlan(controller: FixedController(1_000_000, then: [1_010_000, 1_100_000]))
        _ = plan.begin()
        #expect(plan.receive([], now: at(0)).videoBitrate == nil)
        #expect(plan.receive([], now: at(33)).videoBitrate == 1_100_000 - SendPlan.audioShare - SendPlan.headerShare)
    }

    @Test func `pictures get smaller when the rate falls`() {
        var plan = SendPlan(controller: FixedController(1_000_000, then: [200_000]))
        _ = plan.begin()
        #expect(plan.receive([], now: at(0)).step?.pixels == 320 * 240)
        #expect(plan.step.pixels == 320 * 240)
    }

    @Test(arguments: [(0.0, 5), (0.04, 5), (0.061, 7), (0.1, 10), (0.9, 30)])
    func `sound is made for the loss that is measured`(loss: Double, percent: Int) {
        var plan = SendPlan(controller: FixedController(1_000_000, loss: loss))
        #expect(plan.receive([], now: at(0)).expectedLoss == percent)
    }

    @Test func `the sound's encoder is told no more than once a second`() {
        var plan = SendPlan(controller: GradientController())
        let first = plan.receive(Self.packets(lost: 0), now: at(0))
        #expect(first.expectedLoss == 5)
        #expect(plan.receive(Self.packets(lost: 50), now: at(500)).expectedLoss == nil)
        #expect(plan.receive(Self.packets(lost: 50), now: at(1_000)).expectedLoss == 30)
    }

    @Test func `pictures of which nothing is heard lower the rate`() {
        var plan = SendPlan(controller: FixedController(1_000_000))
        _ = plan.begin()
        _ = plan.receive([], now: at(0))
        for now in stride(from: 0, through: 800, by: 33) { plan.sent(now: at(now)) }
        #expect(plan.poll(now: at(340)).videoBitrate == nil)
        #expect(plan.poll(now: at(810)).videoBitrate == 500_000 - SendPlan.audioShare - SendPlan.headerShare)
    }

    @Test func `a rate that follows what is heard elsewhere is taken over as time passes`() {
        let bitrate = Shared(400_000)
        var plan = SendPlan(controller: RemoteController(bitrate: bitrate))
        _ = plan.begin()
        for (time, next) in [(250, 1_200_000), (5_000, 200_000)] {
            bitrate.value = next
            let change = plan.poll(now: at(time))
            #expect(change.videoBitrate == next - SendPlan.audioShare - SendPlan.headerShare)
        }
        #expect(plan.step.pixels == 320 * 240)
    }

    @Test func `what a voice saves on a narrow way goes to pictures`() {
        let bitrate = Shared(150_000)
        var plan = SendPlan(controller: RemoteController(bitrate: bitrate))
        #expect(plan.begin().videoBitrate == 150_000 - SoundStep.all[0].share - SendPlan.headerShare)
        var changes: [SendPlan.Change] = []
        for time in stride(from: 0, through: 1_000, by: 100) {
            plan.sent(now: at(time))
            changes.append(plan.poll(now: at(time)))
        }
        #expect(changes.compactMap(\.sound) == [SoundStep.all[1]])
        #expect(
            changes.compactMap(\.videoBitrate) == [150_000 - SoundStep.all[1].share - SendPlan.headerShare])
    }

    @Test(arguments: [true, false])
    func `a voice beside pictures that others make is as good as the rate allows, and not as it would be alone`(
        isBeside: Bool
    ) {
        var plan = SendPlan(
            controller: RemoteController(bitrate: Shared(150_000), isSendingElsewhere: isBeside))
        plan.sent(now: at(0))
        // The own encoder makes none any more.
        let changes = stride(from: 100, through: 12_000, by: 100).map { plan.poll(now: at($0)) }
        #expect(changes.compactMap(\.sound) == (isBeside ? [SoundStep.all[1]] : []))
    }

    @Test func `a voice spares nothing for pictures that are not sent any more`() {
        var plan = SendPlan(controller: FixedController(100_000))
        for time in stride(from: 0, through: 1_000, by: 100) {
            plan.sent(now: at(time))
            _ = plan.receive([], now: at(time))
        }
        let changes = stride(from: 1_100, through: 12_000, by: 100).map { plan.poll(now: at($0)) }
        #expect(changes.compactMap(\.sound) == [SoundStep.all[1], SoundStep.all[0]])
    }

    /// A plan whose pictures leave over a full link for four seconds; whether they are paused then.
    private func crowd(_ plan: inout SendPlan) -> Bool {
        for time in stride(from: 0, through: 4_000, by: 100) {
            plan.sent(now: at(time))
            _ = plan.receive([], now: at(time))
        }
        return plan.isPaused
    }

    @Test func `pictures are paused where there is no room for them, and come again when a voice alone has gone well`()
    {
        var plan = SendPlan(controller: FullController())
        #expect(crowd(&plan))
        // Nothing more is heard of congestion; the voice becomes better step by step, and then pictures are tried.
        let changes = stride(from: 4_600, through: 60_000, by: 100).map { plan.poll(now: at($0)) }
        #expect(changes.compactMap(\.sound).last == SoundStep.all[0])
        #expect(changes.count(where: \.resumesPictures) == 1)
        #expect(!plan.isPaused)
    }

    @Test func `a voice alone goes down where it is too much for a link`() {
        var plan = SendPlan(controller: FullController())
        _ = plan.begin()
        _ = plan.poll(now: at(0))
        #expect(plan.receive([], now: at(100)).sound == SoundStep.all[1])
        #expect(plan.receive([], now: at(2_200)).sound == SoundStep.all[2])
    }

    @Test func `a screen, and a way of a group, are not paused`() {
        var screen = SendPlan(controller: FullController())
        _ = screen.setShares(SendShares(hasScreen: true))
        #expect(!crowd(&screen))
        var group = SendPlan(controller: FullController(hearsElsewhere: true))
        #expect(!crowd(&group))
    }

    @Test func `a camera begins as in a new call where the voice has gone well for a while, and only there`() {
        /// What may be sent with a picture so long after the voice alone has been congested for the last time, in milliseconds.
        func target(after time: Int) -> Int {
            var plan = SendPlan(controller: GradientController())
            _ = plan.begin()
            // A queue that grows: each piece takes 10 ms longer.
            for number in 0..<100 {
                let sent = at(number * 20)
                let report = PacketReport(sentAt: sent, arrivedAt: .milliseconds(50 + number * 30), size: 130)
                _ = plan.receive([report], now: sent + .milliseconds(100))
            }
            for now in stride(from: 2_100, through: 2_000 + time, by: 40) {
                let report = PacketReport(sentAt: at(now), arrivedAt: .milliseconds(now + 50), size: 130)
                _ = plan.receive([report], now: at(now + 20))
            }
            plan.sent(now: at(2_000 + time))
            return plan.target
        }
        #expect(target(after: 3_000) < 100_000)
        #expect(target(after: 60_000) == GradientController.Limits().first)
    }

    @Test func `a screen ends a pause`() {
        var plan = SendPlan(controller: FullController())
        _ = crowd(&plan)
        #expect(plan.setShares(SendShares(isScreenInCamerasPlace: true)).resumesPictures)
        #expect(!plan.isPaused)
    }

    @Test func `a bound for the voice is set at once`() {
        var plan = SendPlan(controller: FixedController(1_000_000))
        _ = plan.begin()
        #expect(plan.limitSound(to: 1).sound == SoundStep.all[1])
        #expect(plan.limitSound(to: 1).sound == nil)
    }

    @Test func `nothing is missed of pictures that are not sent`() {
        var plan = SendPlan(controller: FixedController(1_000_000))
        _ = plan.begin()
        _ = plan.receive([], now: at(0))
        #expect(plan.poll(now: at(60_000)) == SendPlan.Change())
        // The camera is on again: nothing can have been heard yet.
        plan.sent(now: at(60_000))
        #expect(plan.poll(now: at(60_100)) == SendPlan.Change())
    }

    @Test func `a peer that never tells what arrives gets the first rate`() {
        var plan = SendPlan(controller: FixedController(400_000))
        _ = plan.begin()
        for now in stride(from: 0, through: 10_000, by: 33) { plan.sent(now: at(now)) }
        #expect(plan.poll(now: at(10_010)) == SendPlan.Change())
    }

    @Test func `a peer that is to tell what arrives and does not gets less after a second`() {
        var plan = SendPlan(controller: FixedController(400_000))
        plan.expectFeedback()
        _ = plan.begin()
        for now in stride(from: 0, through: 1_100, by: 33) { plan.sent(now: at(now)) }
        #expect(plan.poll(now: at(1_000)) == SendPlan.Change())
        #expect(plan.poll(now: at(1_010)).videoBitrate != nil)
        #expect(plan.target == 200_000)
    }

    @Test func `the first news, however late, end no outage`() {
        var plan = SendPlan(controller: FixedController(400_000))
        plan.expectFeedback()
        _ = plan.begin()
        for now in stride(from: 0, through: 6_000, by: 33).map({ at($0) }) {
            plan.sent(now: now)
            _ = plan.poll(now: now)
        }
        _ = plan.receive(Self.packets(lost: 0, sentAt: 5_900), now: at(6_010))
        #expect(plan.target < 100_000)
    }

    /// A plan that sends for so many milliseconds and hears nothing.
    private func silent(for time: Int, _ controller: any BandwidthController) -> SendPlan {
        var plan = SendPlan(controller: controller)
        _ = plan.begin()
        _ = plan.receive(Self.packets(lost: 0), now: at(0))
        for now in stride(from: 0, through: time, by: 33).map({ at($0) }) {
            plan.sent(now: now)
            _ = plan.poll(now: now)
        }
        return plan
    }

    @Test func `after an outage pictures are at once what they were, after a shorter silence they are not`() {
        var cut = silent(for: 5_000, FixedController(1_000_000))
        #expect(cut.step == VideoStep.all.last)
        let change = cut.receive(Self.packets(lost: 49, sentAt: 5_000), now: at(5_010))
        #expect(change.step?.pixels == 640 * 480 && change.pacingRate == 1_400_000)
        #expect(cut.step.pixels == 640 * 480)
        var full = silent(for: 3_000, FixedController(1_000_000))
        #expect(full.receive(Self.packets(lost: 49, sentAt: 3_000), now: at(3_010)).step?.pixels != 640 * 480)
    }

    @Test func `news that waited in a full queue do not end an outage: what left meanwhile has come`() {
        var plan = silent(for: 5_000, FixedController(1_000_000))
        #expect(plan.receive(Self.packets(lost: 45, sentAt: 2_000), now: at(5_010)).step?.pixels != 640 * 480)
        #expect(plan.receive(Self.packets(lost: 45, sentAt: 4_000), now: at(5_050)).step?.pixels != 640 * 480)
    }

    @Test func `pictures that wait are let go where the rate has fallen far, once, and not where it falls slowly`() {
        var plan = SendPlan(controller: FixedController(2_000_000, then: [2_000_000, 300_000, 290_000, 150_000]))
        let drops = (0..<4).map { plan.receive([], now: at($0 * 33)).dropsWaiting }
        #expect(drops == [false, true, false, false])
        var rate = 2_000_000.0
        let rates = (0..<30).map { _ in
            defer { rate *= 0.9 }
            return Int(rate)
        }
        var slow = SendPlan(controller: FixedController(2_000_000, then: rates))
        #expect(!rates.indices.contains { slow.receive([], now: at($0 * 200)).dropsWaiting })
    }

    @Test func `a call probes only while its pictures leave and are heard of`() {
        var plan = SendPlan(controller: ProbingController())
        #expect(plan.probe(now: at(0)) == nil)
        plan.sent(now: at(0))
        #expect(plan.probe(now: at(100)) == Probe(bitrate: 1_000_000))
        #expect(plan.probe(now: at(600)) == nil)
        _ = plan.receive(Self.packets(lost: 0), now: at(600))
        for now in stride(from: 600, through: 1_500, by: 33) { plan.sent(now: at(now)) }
        _ = plan.poll(now: at(1_500))
        #expect(plan.probe(now: at(1_500)) == nil)
    }

    @Test func `news that everything was lost do not end an outage`() {
        var plan = silent(for: 5_000, FixedController(1_000_000))
        #expect(plan.receive(Self.packets(lost: 50, sentAt: 3_000), now: at(5_010)).step?.pixels != 640 * 480)
        #expect(plan.receive(Self.packets(lost: 0, sentAt: 5_000), now: at(5_050)).step?.pixels == 640 * 480)
    }

    @Test func `what was lost in an outage does not lower the rate after it`() {
        var plan = silent(for: 30_000, GradientController())
        #expect(plan.target == GradientController.Limits().lowest)
        var lost = (0..<500).map {
            PacketReport(sentAt: Instant(sinceStart: .microseconds($0)), arrivedAt: nil, size: 100)
        }
        lost.append(PacketReport(sentAt: at(30_000), arrivedAt: .milliseconds(30_100), size: 100))
        _ = plan.receive(lost, now: at(30_010))
        #expect(plan.target == GradientController.Limits().first)
        #expect(plan.loss == 0)
        lost.removeLast()
        _ = plan.receive(lost, now: at(30_050))
        #expect(plan.target == GradientController.Limits().first)
        #expect(plan.loss == 0)
    }

    @Test func `a pause of our own is no outage`() {
        var plan = SendPlan(controller: FixedController(1_000_000, then: [100_000, 100_000]))
        _ = plan.begin()
        _ = plan.receive(Self.packets(lost: 0), now: at(0))
        _ = plan.poll(now: at(60_000))
        _ = plan.receive(Self.packets(lost: 0), now: at(60_010))
        #expect(plan.target == 100_000)
    }

    @Test func `a later change keeps what it does not change`() {
        var change = SendPlan.Change(videoBitrate: 1, pacingRate: 2)
        change.add(SendPlan.Change(videoBitrate: 3, expectedLoss: 4))
        #expect(change == SendPlan.Change(videoBitrate: 3, pacingRate: 2, expectedLoss: 4))
        change.resumesPictures = true
        change.add(SendPlan.Change())
        #expect(change.resumesPictures)
    }

    private static func packets(lost: Int, sentAt: Int = 0) -> [PacketReport] {
        (0..<50).map {
            PacketReport(
                sentAt: at(sentAt), arrivedAt: $0 < lost ? nil : .milliseconds(sentAt) + .microseconds(1), size: 100)
        }
    }
}
