import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(1))) struct HardwareEncoderTests {
    @Test func `rates are in thousands of bits a second, with half a second of buffer where the element has one`()
        throws
    {
        let (first, second) = (HardwareEncoder.candidates[0], HardwareEncoder.candidates[1])
        #expect(
            first.factory == "vavp8enc" && first.settings(bitrate: 1_500_000) == ["bitrate": 1_500, "cpb-size": 750])
        #expect(second.factory == "vaapivp8enc" && second.settings(bitrate: 1_500_000) == ["bitrate": 1_500])
        #expect(first.settings(bitrate: 300) == ["bitrate": 1, "cpb-size": 1])
    }

    @Test(
        arguments: [
            (nil, 500_000, true), (500_000, 500_000, false), (500_000, 520_000, false), (500_000, 525_000, true),
            (500_000, 480_000, false), (500_000, 475_000, true),
        ] as [(Int?, Int, Bool)])
    func `a rate is set again where it differs by a twentieth`(_ former: Int?, _ rate: Int, _ isWorth: Bool) {
        #expect(HardwareEncoder.isWorthSetting(rate, after: former) == isWorth)
    }

    private static var good: EncoderTrial {
        var trial = EncoderTrial()
        (trial.given, trial.decoded, trial.difference, trial.madeKeyFrame) = (90, 88, 3, true)
        (trial.allowed, trial.made) = (400_000, 500_000)
        return trial
    }

    @Test func `an encoder that gave nearly all pictures at the rate and a key frame when asked is good`() {
        #expect(Self.good.isGood)
        #expect(!EncoderTrial().isGood)
    }

    /// What an encoder may lack.
    enum Lack: CaseIterable {
        case pictures, likeness, comparison, keyFrame, rate
    }

    @Test(arguments: Lack.allCases)
    func `an encoder that gave less is not`(_ lack: Lack) {
        var trial = Self.good
        switch lack {
        case .pictures: trial.decoded = 45
        case .likeness: trial.difference = 40
        case .comparison: trial.difference = nil
        case .keyFrame: trial.madeKeyFrame = false
        case .rate: trial.made = 1_200_001
        }
        #expect(!trial.isGood)
    }
}
