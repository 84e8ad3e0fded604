import BaseKit
import TestSupport
import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(5))) struct VideoStepsTests {
    private static let (vga, quarter) = (4, 6)

    @Test func `the ladder has at least eight steps from 1080 rows to 180, each lighter than the one before`() {
        #expect(VideoStep.all.filter { (320 * 180...1_920 * 1_080).contains($0.pixels) }.count >= 8)
        #expect(VideoStep.all.first?.pixels == 1_920 * 1_080)
        for (better, worse) in zip(VideoStep.all, VideoStep.all.dropFirst()) {
            #expect(worse.bitrate < better.bitrate && worse.most <= better.most && worse.work < better.work)
            #expect(worse.pixels <= better.pixels && worse.frameRate <= better.frameRate)
        }
        #expect(VideoStep.all.dropLast().allSatisfy { $0.frameRate >= 20 })
        #expect(VideoStep.all.last?.bitrate == 0 && VideoStep.all.last?.frameRate == 10)
    }

    @Test(arguments: [
        (64 * 48, 6), (320 * 180, 6), (320 * 240, 6), (320 * 240 + 1, 5), (640 * 360, 4), (640 * 480, 4),
        (1_280 * 720, 2),
        (1_920 * 1_080, 0), (3_840 * 2_160, 0),
    ])
    func `no step is of use that has more pixels than there are, small ones come often`(
        pixels: Int, index: Int
    ) {
        #expect(VideoStep.index(forPixels: pixels) == index)
    }

    @Test func `steps go down soon and up late`() {
        var steps = VideoSteps()
        _ = steps.limit(to: Self.vga)
        let moves: [(bitrate: Int, now: Int, pixels: Int?)] = [
            (500_000, 0, nil), (500_000, 499, nil), (500_000, 500, 480 * 360), (900_000, 600, nil),
            (900_000, 4_599, nil), (900_000, 4_600, 640 * 480),
        ]
        for move in moves {
            let step = steps.update(bitrate: move.bitrate, now: at(move.now))
            #expect(step?.pixels == move.pixels)
        }
    }

    @Test func `a rate far below the step's need goes to the fitting step at once`() {
        var steps = VideoSteps()
        let step = steps.update(bitrate: 40_000, now: at(0))
        #expect(step == VideoStep.all.last)
    }

    @Test func `a call begins with the step that fits its first rate`() {
        var steps = VideoSteps()
        #expect(VideoStep.all.allSatisfy { steps.begin(bitrate: $0.bitrate) == $0 })
    }

    @Test func `a rate that swings about a step's need does not make pictures swing`() {
        var steps = VideoSteps()
        _ = steps.limit(to: Self.vga)
        let changes = (0..<600).compactMap { tick in
            steps.update(bitrate: tick / 20 % 2 == 0 ? 600_000 : 700_000, now: at(tick * 33))
        }
        #expect(changes.count == 1)
    }

    @Test func `a rate that has grown much leads up by as many steps as its lowest allows`() {
        var steps = VideoSteps()
        _ = steps.begin(bitrate: 150_000)
        var change: VideoStep?
        for now in stride(from: 0, through: 1_000, by: 100) {
            change = steps.update(bitrate: now < 500 ? 1_300_000 : 5_000_000, now: at(now)) ?? change
            if now < 1_000 { #expect(change == nil) }
        }
        #expect(change?.pixels == 960 * 540)
    }

    @Test func `twice what a step needs leads up to it after a second`() {
        var steps = VideoSteps()
        _ = steps.limit(to: Self.vga)
        _ = steps.begin(bitrate: 150_000)
        #expect(steps.update(bitrate: 1_300_000, now: at(0)) == nil)
        #expect(steps.update(bitrate: 1_300_000, now: at(999)) == nil)
        #expect(steps.update(bitrate: 1_300_000, now: at(1_000))?.pixels == 640 * 480)
    }

    @Test func `a rate that becomes ample after it was high for a while leads up by it and not by what it was before`()
    {
        var steps = VideoSteps()
        _ = steps.limit(to: Self.vga)
        _ = steps.begin(bitrate: 0)
        for now in stride(from: 0, through: 2_000, by: 100) {
            #expect(steps.update(bitrate: 85_000, now: at(now)) == nil)
        }
        #expect(steps.update(bitrate: 1_300_000, now: at(2_100)) == nil)
        #expect(steps.update(bitrate: 1_300_000, now: at(3_100))?.pixels == 640 * 480)
    }

    @Test func `a limit lowers pictures at once and no rate leads above it`() {
        var steps = VideoSteps()
        _ = steps.begin(bitrate: 5_000_000)
        #expect(steps.limit(to: Self.quarter)?.pixels == 320 * 240)
        for now in stride(from: 0, through: 60_000, by: 100) {
            #expect(steps.update(bitrate: 6_000_000, now: at(now)) == nil)
        }
        #expect(steps.begin(bitrate: 6_000_000).pixels == 320 * 240)
    }

    @Test func `a screen in the camera's place keeps its size at a rate that a camera's film does not`() {
        var (camera, screen) = (VideoSteps(), VideoSteps())
        screen.need = SendShares.screenNeed
        #expect(camera.begin(bitrate: 650_000).pixels == 640 * 480)
        #expect(screen.begin(bitrate: 650_000).pixels == 1_920 * 1_080)
    }

    @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
    func `whatever the rate does, no step is above the limit or changed to without reason`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var (steps, now, rate, changedAt) = (VideoSteps(), 0, 400_000.0, 0)
        _ = steps.begin(bitrate: Int(rate))
        for _ in 0..<20_000 {
            now += Int.random(in: 10...60, using: &generator)
            rate = min(max(rate * Double.random(in: 0.9...1.112, using: &generator), 30_000), 7_000_000)
            let before = steps.index
            if Int.random(in: 0..<500, using: &generator) == 0 {
                _ = steps.limit(to: Int.random(in: 0..<VideoStep.all.count, using: &generator))
            } else if steps.update(bitrate: Int(rate), now: at(now)) != nil, steps.index < before {
                #expect(now - changedAt >= 1_000)
                #expect(rate >= VideoSteps.headroom * Double(steps.step.bitrate))
            } else if steps.index > before {
                #expect(rate < Double(VideoStep.all[before].bitrate))
            }
            if steps.index != before { changedAt = now }
            #expect(steps.index >= steps.ceiling && steps.index < VideoStep.all.count)
        }
    }

    @Test(arguments: [
        (640, 480, 320 * 240, 320, 240), (640, 480, 480 * 360, 480, 360), (640, 480, 160 * 120, 160, 120),
        (1_280, 720, 960 * 540, 960, 540), (1_920, 1_080, 1_280 * 720, 1_280, 720), (720, 1_280, 320 * 180, 180, 320),
        (320, 240, 640 * 480, 320, 240), (2, 2_000, 100, 16, 316),
    ])
    func `pictures are reduced in their shape and never enlarged`(
        width: Int, height: Int, pixels: Int, newWidth: Int, newHeight: Int
    ) {
        let reduced = PictureSize(width: width, height: height).reduced(to: pixels)
        #expect(reduced == PictureSize(width: newWidth, height: newHeight))
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `a reduced size is even, keeps its shape and has about as many pixels as wanted`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<1_000 {
            let size = PictureSize(
                width: 2 * .random(in: 160...1_000, using: &generator),
                height: 2 * .random(in: 160...1_000, using: &generator))
            for step in VideoStep.all where step.pixels < size.pixels {
                let reduced = size.reduced(to: step.pixels)
                #expect(reduced.width % 2 == 0 && reduced.height % 2 == 0)
                #expect(abs(Double(reduced.pixels) / Double(step.pixels) - 1) < 0.03)
                let shapes = [size, reduced].map { Double($0.width) / Double($0.height) }
                #expect(abs(shapes[0] / shapes[1] - 1) < 0.04)
            }
        }
    }
}
