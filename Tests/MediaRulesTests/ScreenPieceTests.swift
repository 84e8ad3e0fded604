import TestSupport
import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(5))) struct StillScreenTests {
    @Test func `a screen on which nothing moves is shown again twice a second, not before its first picture`() {
        var screen = StillScreen()
        #expect(!screen.isDue(now: at(10_000)))
        screen.came(now: at(10_000))
        #expect(!screen.isDue(now: at(10_499)))
        #expect(screen.isDue(now: at(10_500)))
        screen.shown(now: at(10_500))
        #expect(!screen.isDue(now: at(10_900)))
    }

    @Test func `a source that repeats its picture itself has gone when it does not`() {
        var screen = StillScreen()
        #expect(!screen.hasGone(now: at(100_000)))
        screen.came(now: at(10_000))
        screen.shown(now: at(14_000))
        #expect(!screen.hasGone(now: at(14_999)))
        #expect(screen.hasGone(now: at(15_000)))
    }
}

@Suite(.timeLimit(.minutes(5))) struct SoundMixTests {
    /// Left and right the same.
    private func frames(_ count: Int, _ sample: Int16) -> [Int16] { Array(repeating: sample, count: count * 2) }

    @Test func `nothing plays while no program does`() {
        var mix = SoundMix()
        #expect(mix.take(frames: 10) == nil)
        mix.append(frames(5_000, 7), of: 1)
        #expect(mix.take(frames: 10) == nil)
        mix.add(1)
        #expect(mix.take(frames: 2) == [0, 0, 0, 0])
    }

    @Test func `two programs are added up, and too loud together is as loud as can be`() {
        var mix = SoundMix()
        for program in [UInt32(1), 2] { mix.add(program) }
        mix.append(frames(SoundMix.reserve, 20_000), of: 1)
        #expect(mix.take(frames: 1) == [20_000, 20_000])
        mix.append(frames(SoundMix.reserve, 20_000), of: 2)
        #expect(mix.take(frames: 1) == [32_767, 32_767])
        mix.remove(1)
        #expect(mix.take(frames: 1) == [20_000, 20_000])
    }

    @Test func `a queue that ran dry waits for a reserve`() {
        var mix = SoundMix()
        mix.add(1)
        mix.append(frames(SoundMix.reserve - 1, 5), of: 1)
        #expect(mix.take(frames: 1) == [0, 0])
        mix.append(frames(1, 5), of: 1)
        #expect(mix.take(frames: SoundMix.reserve) == frames(SoundMix.reserve, 5))
        _ = mix.take(frames: 1)
        mix.append(frames(10, 5), of: 1)
        #expect(mix.take(frames: 1) == [0, 0])
    }

    @Test func `a program that is faster than the clock loses its oldest`() {
        var mix = SoundMix()
        mix.add(1)
        mix.append(frames(1_000, 1), of: 1)
        mix.append(frames(SoundMix.limit, 2), of: 1)
        #expect(mix.take(frames: SoundMix.limit) == frames(SoundMix.limit, 2))
    }

    @Test func `what is no whole frame is ignored`() {
        var mix = SoundMix()
        mix.add(1)
        mix.append(frames(SoundMix.reserve, 3) + [9], of: 1)
        mix.append(frames(1, 4), of: 1)
        _ = mix.take(frames: SoundMix.reserve)
        #expect(mix.take(frames: 1) == [4, 4])
    }

    @Test(arguments: 0..<20) func `any order of programs gives as much as was asked for`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var mix = SoundMix()
        for _ in 0..<300 {
            let program = UInt32.random(in: 0..<4, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0: mix.add(program)
            case 1: mix.remove(program)
            case 2, 3:
                mix.append(frames(Int.random(in: 0..<3_000, using: &random), Int16.max), of: program)
            default:
                let wanted = Int.random(in: 1..<2_000, using: &random)
                let taken = mix.take(frames: wanted)
                #expect(taken.map(\.count) == (mix.isEmpty ? nil : wanted * 2))
            }
        }
    }
}

extension SoundMix {
    fileprivate mutating func append(_ samples: [Int16], of program: UInt32) {
        samples.withUnsafeBufferPointer { append($0, of: program) }
    }
}

@Suite(.timeLimit(.minutes(5))) struct SendSharesTests {
    @Test func `without a screen the camera has everything`() {
        #expect(SendShares().split(900_000) == (900_000, 0))
    }

    @Test func `a screen has most, and the camera is never starved`() {
        let both = SendShares(hasScreen: true)
        #expect(both.split(1_000_000) == (250_000, 750_000))
        #expect(both.split(4_000_000) == (300_000, 3_700_000))
        #expect(both.split(200_000) == (80_000, 120_000))
        #expect(both.split(100_000) == (50_000, 50_000))
    }

    @Test func `what a camera that is off leaves is the screen's`() {
        #expect(SendShares(hasCamera: false, hasScreen: true).split(1_000_000).screen == 1_000_000)
    }

    @Test func `a plan tells both encoders when a screen comes and goes`() {
        var plan = SendPlan(controller: GradientController())
        let before = plan.begin()
        #expect(before.screenBitrate == nil)
        let shared = plan.setShares(SendShares(hasScreen: true, hasScreenSound: true))
        let total = (shared.videoBitrate ?? 0) + (shared.screenBitrate ?? 0)
        #expect(total == max((before.videoBitrate ?? 0) - SendShares.screenSound, SendPlan.lowestVideo))
        #expect(plan.setShares(SendShares(hasScreen: true, hasScreenSound: true)) == SendPlan.Change())
        #expect(plan.setShares(SendShares()).videoBitrate == before.videoBitrate)
    }
}

extension PeerMediaDetectorTests {
    @Test func `the sound of a screen is no microphone, and a still screen stays`() {
        var detector = PeerMediaDetector()
        #expect(
            detector.update(audioFrames: 0, videoFrames: 0, screenFrames: 1, screenSoundFrames: 1, now: at(0))
                == PeerMedia(microphone: false, camera: false, screen: true, screenSound: true))
        // A picture a second is enough for a screen.
        for second in 1...5 {
            _ = detector.update(
                audioFrames: 0, videoFrames: 0, screenFrames: second + 1, screenSoundFrames: 1,
                now: at(second * 1_000))
        }
        #expect(detector.state == PeerMedia(microphone: false, camera: false, screen: true))
    }
}
