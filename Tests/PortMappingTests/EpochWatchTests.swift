import BaseKit
import TestSupport
import Testing

@testable import PortMapping

/// RFC 6887 §8.5 and RFC 6886 §3.6.
@Suite(.timeLimit(.minutes(5))) struct EpochWatchTests {
    @Test(
        arguments: [
            // Seconds here, the epoch before and after, and whether PCP and NAT-PMP take it for the same life.
            (100, 1_000, 1_100, true, true), (100, 1_000, 999, false, false), (0, 1_000, 999, true, true),
            (100, 1_000, 1_096, true, true), (100, 1_000, 1_091, false, true), (100, 1_000, 1_084, false, false),
            (100, 1_000, 1_104, true, true), (100, 1_000, 1_200, false, true), (3_600, 10, 3_610, true, true),
            (3_600, 50, 40, false, false),
        ])
    func `an epoch grows as time does`(here: Int, before: UInt32, after: UInt32, pcp: Bool, natPMP: Bool) {
        for (way, expected) in [(PortMappingWay.pcp, pcp), (.natPMP, natPMP)] {
            var watch = EpochWatch()
            let answers = [
                watch.isContinuous(before, at: at(0), by: way),
                watch.isContinuous(after, at: at(here * 1_000), by: way),
            ]
            #expect(answers == [true, expected])
        }
    }

    @Test func `the first answer of a router is compared with nothing`() {
        var watch = EpochWatch()
        var answers = [watch.isContinuous(0, at: at(5), by: .pcp)]
        watch.reset()
        answers.append(watch.isContinuous(.max, at: at(6), by: .pcp))
        #expect(answers == [true, true])
    }
}
