import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(5))) struct SoundVolumesTests {
    @Test(
        arguments: [
            (0.4, 0.4), (-1, 0), (0, 0), (2, 2), (2.1, 2), (Double.infinity, 2), (-Double.infinity, 0), (Double.nan, 1),
        ] as [(Double, Double)])
    func `a factor is brought into the range, however it is set`(_ given: Double, _ admitted: Double) {
        var volumes = SoundVolumes(microphone: given, speaker: given)
        #expect([volumes.microphone, volumes.speaker] == [admitted, admitted])
        volumes = SoundVolumes()
        volumes.microphone = given
        volumes.speaker = given
        #expect([volumes.microphone, volumes.speaker] == [admitted, admitted])
    }

    @Test func `a loudspeaker that is off plays nothing and remembers how loud it was`() {
        var volumes = SoundVolumes(speaker: 1.5, isSpeakerOn: false)
        #expect(volumes.played == 0)
        volumes.isSpeakerOn = true
        #expect(volumes.played == 1.5)
    }
}
