import TestSupport
import Testing

@testable import ParleyBench

/// The figures of a log of many calls.
@Suite(.timeLimit(.minutes(5))) struct LogTests {
    @Test func `a small log has every figure`() async throws {
        let folder = try TemporaryFolder()
        let run = LogRun(folder: folder.file("log"), calls: 1_000)
        try await run.fill()
        let times = try await run.measure()
        #expect(Set(times.keys) == Set(LogRun.Step.allCases))
        #expect(times.values.allSatisfy { $0 > 0 } && run.bytes > 100_000)
    }

    @Test func `a report has medians, the slowest and what they may be`() {
        let report = LogReport(
            calls: 1_000, rounds: 3, bytes: 42_000_000, times: [.firstPage: [9, 5, 30], .append: [1, 2, 3]])
        #expect(report.lines.map(\.step) == ["first page", "keep a call"])
        #expect(report.lines[0].median == 9 && report.lines[0].slowest == 30 && report.lines[0].aim == 20)
        #expect(report.lines[1].aim == nil)
        #expect(report.text.hasSuffix("1,000 calls, a store of 42 MB, 3 rounds"))
    }
}
