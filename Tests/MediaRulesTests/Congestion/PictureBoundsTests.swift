import BaseKit
import TestSupport
import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(5))) struct PictureBoundsTests {
    private static let (vga, high) = (PictureSize(width: 640, height: 480), PictureSize(width: 1_280, height: 720))

    /// A plan that may send so much.
    private func plan(_ bitrate: Int, _ shares: SendShares = SendShares()) -> SendPlan {
        var limits = GradientController.Limits()
        limits.first = bitrate
        var plan = SendPlan(controller: GradientController(limits: limits))
        _ = plan.begin()
        _ = plan.setShares(shares)
        return plan
    }

    @Test func `a camera of 640 by 480 is sent no more than it ever was`() {
        var plan = plan(6_000_000)
        #expect(plan.target == 6_000_000)
        let change = plan.setSource(Self.vga)
        #expect(plan.target == 2_000_000)
        #expect(change.pacingRate == 2_800_000)
        #expect(change.step?.pixels == 640 * 480)
        #expect(plan.limit == .camera)
    }

    @Test func `larger pictures may have more`() {
        var plan = plan(6_000_000)
        _ = plan.setSource(Self.high)
        #expect(plan.target > 3_000_000 && plan.target < 4_000_000)
        #expect(plan.step.pixels == 1_280 * 720)
    }

    @Test func `a narrow network is named where it keeps pictures small`() {
        var plan = plan(500_000)
        _ = plan.setSource(Self.high)
        #expect(plan.step.pixels == 480 * 360)
        #expect(plan.limit == .network)
    }

    @Test func `pictures that the peer shows small are sent small, and no more than they need`() {
        var plan = plan(6_000_000)
        _ = plan.setSource(Self.high)
        let change = plan.setView(PictureSize(width: 426, height: 240))
        #expect(change.step?.pixels == 480 * 360)
        #expect(plan.target < 1_200_000)
        #expect(plan.limit == .view)
        // However small: it costs next to nothing more.
        _ = plan.setView(PictureSize(width: 1, height: 1))
        #expect(plan.step.pixels == 320 * 240 && plan.step.frameRate == 30)
        _ = plan.setView(nil)
        #expect(plan.step.pixels == 320 * 240)
        #expect(plan.limit == .network)
    }

    @Test func `a machine that is too slow gets smaller pictures and is named`() {
        var plan = plan(6_000_000)
        _ = plan.setSource(Self.high)
        var changes: [SendPlan.Change] = []
        for now in stride(from: 0, to: 3_100, by: 33) {
            changes.append(plan.encoded(in: .milliseconds(28), now: at(now)))
        }
        #expect(changes.compactMap(\.step).map(\.pixels) == [960 * 540])
        #expect(plan.limit == .machine)
        #expect(abs(plan.encoding.time - 0.028) < 0.001)
    }

    @Test func `saving data keeps all that is sent below 250 kbit a second`() {
        var plan = plan(6_000_000, SendShares(savesData: true))
        _ = plan.setSource(Self.high)
        #expect(plan.target == 250_000)
        #expect(plan.step.pixels == 320 * 240)
        #expect(plan.limit == .data)
        _ = plan.setShares(SendShares(hasScreen: true, hasScreenSound: true, savesData: true))
        #expect(plan.target == 250_000)
    }

    @Test func `a screen may have more than a camera of 640 by 480 beside it`() {
        let shares = SendShares(hasScreen: true)
        #expect(shares.most(camera: 1_932_000) == 3_300_000)
        #expect(SendShares().most(camera: 1_932_000) == 1_932_000)
    }
}
