import BaseKit
import TestSupport
import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(5))) struct VoicePauseTests {
    @Test func `what comes late and is still played in time is no pause`() {
        var pause = VoicePause()
        for number in 0..<5 { pause.came(at: .milliseconds(60 * number), now: at(60 * number)) }
        for number in 5..<10 { pause.came(at: .milliseconds(60 * number), now: at(900)) }
        #expect(pause.take(now: at(900)) == .milliseconds(60))
    }

    @Test func `what never comes is one, as long as all of it, and told once`() {
        var pause = VoicePause()
        for number in [0, 1, 2, 5, 6] { pause.came(at: .milliseconds(20 * number), now: at(20 * number)) }
        #expect(pause.take(now: at(130)) == .milliseconds(60))
        #expect(pause.take(now: at(140)) == .zero)
    }

    @Test func `a voice that has stopped is one once no jitter buffer would wait any more`() {
        var pause = VoicePause()
        #expect(pause.take(now: at(60_000)) == .zero)
        pause.came(at: .zero, now: at(60_000))
        #expect(pause.take(now: at(61_000)) == .zero)
        #expect(pause.take(now: at(62_500)) == .milliseconds(2_500))
    }

    @Test func `between places of different timelines, or none, the time of coming counts`() {
        for positions: (Duration?, Duration?) in [
            (.seconds(100), .seconds(2)), (.zero, .seconds(31)), (nil, .zero), (.zero, nil), (nil, nil),
        ] {
            var pause = VoicePause()
            pause.came(at: positions.0, now: at(0))
            pause.came(at: positions.1, now: at(40))
            #expect(pause.take(now: at(40)) == .milliseconds(40))
        }
    }
}
