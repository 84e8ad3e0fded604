import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(5))) struct PlayoutDelayTests {
    @Test func `sound is heard when the picture of its time is shown, whatever the loudspeaker needs`() {
        for own in [40, 90, 130] {
            for latency in [150, 400, 800] {
                #expect(PlayoutDelay.wait(latency: latency, own: own) + own == latency + PlayoutDelay.picture)
            }
        }
    }

    @Test func `before the loudspeaker has told what it needs the usual is reckoned with`() {
        #expect(PlayoutDelay.wait(latency: 150, own: nil) == PlayoutDelay.wait(latency: 150, own: PlayoutDelay.usual))
        #expect(PlayoutDelay.usual > PlayoutDelay.speakerBuffer)
    }

    @Test func `sound waits a little for packets that are late, also where the loudspeaker is slower than the picture`()
    {
        #expect(PlayoutDelay.wait(latency: 150, own: 500) == PlayoutDelay.shortest)
        #expect(PlayoutDelay.wait(latency: 0, own: .max / 2) == PlayoutDelay.shortest)
    }
}
