import Foundation
import TestSupport
import Testing

@testable import ParleyBench

/// How long a change from one call to another takes.
@Suite(.serialized, .timeLimit(.minutes(5))) struct HoldTests {
    @Test func `changes between two real calls have all their times`() async throws {
        let folder = try TemporaryFolder()
        let program = try ChildProcess(
            ChildProcess.built("parley-bench"), ["hold", "--swaps", "2", "--json"], folder: folder.path)
        #expect(try await program.exitStatus(within: .seconds(150)) == 0, "\(program.errors)")
        let output = program.lines.joined(separator: "\n")
        let report = try JSONDecoder().decode(HoldReport.self, from: Data(output.utf8))
        #expect(report.swaps == 2 && report.lines.count == 5)
        #expect(report.lines.allSatisfy { $0.median > 0 && $0.longest >= $0.median })
    }

    @Test func `the longest of a change is that of its slowest part`() {
        let times = [
            HoldRun.Times(
                here: HoldRun.End(sound: 10, picture: 20), there: HoldRun.End(sound: 30, picture: 900)),
            HoldRun.Times(
                here: HoldRun.End(sound: 20, picture: 100), there: HoldRun.End(sound: 30, picture: 40)),
        ]
        let report = HoldReport(times)
        #expect(report.lines.map(\.median) == [15, 60, 30, 470, 500])
        #expect(report.lines.map(\.longest) == [20, 100, 30, 900, 900])
        #expect(report.text.hasSuffix("2 changes; each may take 1000 ms"))
    }
}
