import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(5))) struct PlayoutDelayTests {
    private func wait(pictures: Int, sound: Int = 0, own: Int?) -> Int {
        PlayoutDelay.wait(PlayoutWait(pictures: pictures, sound: sound), own: own)
    }

    @Test func `sound is heard when the picture of its time is shown, whatever the loudspeaker needs`() {
        for own in [40, 90, 130] {
            for pictures in [150, 400, 800] {
                #expect(wait(pictures: pictures, own: own) + own == pictures + PlayoutDelay.lastStep)
            }
        }
    }

    @Test func `before the loudspeaker has told what it needs the usual is reckoned with`() {
        #expect(wait(pictures: 150, own: nil) == wait(pictures: 150, own: PlayoutDelay.usual))
        #expect(PlayoutDelay.usual > SpeakerBuffer.sizes[0])
    }

    @Test func `sound waits for packets that are late, also where the loudspeaker is slower than the picture`() {
        #expect(wait(pictures: 150, sound: 35, own: 500) == 35)
        #expect(wait(pictures: 0, sound: 20, own: .max / 2) == 20)
    }

    @Test func `a picture that waits as sound needs it is shown with it`() {
        for own in [40, 75, 130] {
            let pictures = PlayoutDelay.pictures(besideSound: 30, own: own)
            let sound = wait(pictures: pictures, sound: 30, own: own)
            #expect(sound + own == pictures + PlayoutDelay.lastStep)
        }
    }

    @Test func `what is played together waits for the slowest of all`() {
        let all = PlayoutWait(pictures: 90, sound: 40).union(PlayoutWait(pictures: 120, sound: 20))
        #expect(all == PlayoutWait(pictures: 120, sound: 40))
    }
}
