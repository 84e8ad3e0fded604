import TestSupport
import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(5))) struct SoundMeasureTests {
    private static func level(_ samples: [Int16]) -> SoundLevel { samples.withUnsafeBufferPointer { SoundLevel($0) } }

    @Test func `levels are decibels below full scale`() {
        #expect(Self.level([Int16](repeating: .min, count: 480)).decibels == 0)
        #expect(abs(Self.level([Int16](repeating: 3_277, count: 480)).decibels + 20) < 0.1)
        #expect(Self.level([0, 0]) == .silence)
        #expect(Self.level([]) == .silence)
    }

    @Test(arguments: [(0, 1), (-30, 0.5), (-60, 0), (-90, 0), (-Double.infinity, 0), (3, 1)] as [(Double, Double)])
    func `a meter's bar goes from 60 dB below full scale to full scale`(_ decibels: Double, _ fraction: Double) {
        #expect(SoundLevel(decibels: decibels).fraction == fraction)
    }

    @Test func `levels come 20 times a second, whatever the size of the pieces`() {
        var meter = LevelMeter()
        let piece = [Int16](repeating: 1_000, count: 480)
        let count = (0..<100).count { _ in piece.withUnsafeBufferPointer { meter.add($0) } != nil }
        #expect(count == 20)
    }

    @Test func `a microphone without sound from its start is silent after four seconds`() {
        var detector = SilenceDetector()
        for _ in 0..<79 { #expect(detector.add(SoundLevel(decibels: -90), seconds: 0.05) == nil) }
        let news = (0..<3).compactMap { _ in detector.add(SoundLevel(decibels: -90), seconds: 0.05) }
        #expect(news == [true])
        #expect(detector.add(SoundLevel(decibels: -40), seconds: 0.05) == false)
        #expect(!detector.isSilent)
    }

    @Test func `a quiet room is no silence`() {
        var detector = SilenceDetector()
        for _ in 0..<400 { #expect(detector.add(SoundLevel(decibels: -70), seconds: 0.05) == nil) }
    }

    @Test func `after sound only a long digital silence counts`() {
        var detector = SilenceDetector()
        _ = detector.add(SoundLevel(decibels: -30), seconds: 0.05)
        for _ in 0..<400 { #expect(detector.add(SoundLevel(decibels: -90), seconds: 0.05) == nil) }
        for _ in 0..<14 { #expect(detector.add(.silence, seconds: 1) == nil) }
        #expect(detector.add(.silence, seconds: 1) == true)
    }

    @Test func `pauses around an exchange are told from others`() {
        var pauses = SwitchPauses()
        pauses.frame(at: at(0))
        pauses.frame(at: at(40))
        pauses.begin(at: at(50))
        pauses.frame(at: at(130))
        pauses.frame(at: at(5_000))
        pauses.frame(at: at(5_020))
        #expect(pauses.switching == .milliseconds(4_870))
        #expect(pauses.ordinary == .milliseconds(40))
        pauses.forget()
        pauses.frame(at: at(60_000))
        #expect(pauses.ordinary == .milliseconds(40))
    }
}
