import BaseKit
import TestSupport
import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(5))) struct LongestPauseTests {
    private struct Answer: Equatable {
        var longest: Duration
        var long: Duration
    }

    private func answer(_ pause: inout LongestPause, _ moment: Int) -> Answer {
        let (longest, long) = pause.take(now: at(moment))
        return Answer(longest: longest, long: long)
    }

    @Test func `the longest pause is told once, with the present one`() {
        var pause = LongestPause()
        for moment in [0, 20, 170, 190] { pause.came(now: at(moment)) }
        #expect(answer(&pause, 200) == Answer(longest: .milliseconds(150), long: .zero))
        #expect(answer(&pause, 290) == Answer(longest: .milliseconds(100), long: .zero))
        pause.came(now: at(300))
        #expect(answer(&pause, 300) == Answer(longest: .milliseconds(110), long: .zero))
    }

    @Test func `pauses that are too long are added up, each part of them once`() {
        var pause = LongestPause()
        pause.came(now: at(0))
        #expect(answer(&pause, 500) == Answer(longest: .milliseconds(500), long: .milliseconds(500)))
        #expect(answer(&pause, 1_000) == Answer(longest: .seconds(1), long: .milliseconds(500)))
        pause.came(now: at(1_300))
        pause.came(now: at(1_400))
        pause.came(now: at(1_700))
        #expect(answer(&pause, 1_710) == Answer(longest: .milliseconds(1_300), long: .milliseconds(600)))
    }

    @Test func `before it came for the first time nothing pauses`() {
        var pause = LongestPause()
        #expect(answer(&pause, 9_000) == Answer(longest: .zero, long: .zero))
    }
}
