import TestSupport
import Testing

@testable import Calling

@Suite("Who speaks in a group call", .timeLimit(.minutes(5)))
struct ActiveSpeakerTests {
    private let one = GroupSamples.number(1)
    private let two = GroupSamples.number(2)

    @Test func `whoever is loud for half a second speaks, and is kept for a second and a half`() {
        var speaker = ActiveSpeaker()
        speaker.hear(-30, of: one, at: at(0))
        #expect(speaker.current(at: at(499)) == nil)
        #expect(speaker.current(at: at(500)) == one)
        speaker.hear(-30, of: one, at: at(600))
        speaker.hear(-80, of: one, at: at(700))
        #expect(speaker.current(at: at(2_099)) == one)
        #expect(speaker.current(at: at(2_100)) == nil)
    }

    @Test func `what is no louder than the threshold, or no number, is silence`() {
        var speaker = ActiveSpeaker()
        for level in [-50, -127, Double.nan, -Double.infinity] {
            speaker.hear(level, of: one, at: at(0))
            #expect(speaker.current(at: at(1_000)) == nil, "\(level)")
        }
    }

    @Test func `of several the loudest speaks, and a cough does not take the word`() {
        var speaker = ActiveSpeaker()
        speaker.hear(-40, of: one, at: at(0))
        speaker.hear(-30, of: two, at: at(0))
        #expect(speaker.current(at: at(500)) == two)
        speaker.hear(-10, of: one, at: at(600))
        speaker.hear(-60, of: one, at: at(900))
        speaker.hear(-30, of: two, at: at(900))
        #expect(speaker.current(at: at(1_000)) == two)
        speaker.forget(two)
        #expect(speaker.current(at: at(1_001)) == nil)
    }
}
