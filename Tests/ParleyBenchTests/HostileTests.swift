import Foundation
import TestSupport
import Testing

@testable import ParleyBench

/// Attacks on a relay, and what is told of them.
@Suite(.timeLimit(.minutes(5))) struct HostileTests {
    private func run(_ arguments: [String]) throws -> (status: Int32, output: Data, errors: String) {
        let process = Process()
        let (output, errors) = (Pipe(), Pipe())
        process.executableURL = BuiltProgram.named("parley-bench")
        process.arguments = ["relay"] + arguments
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        let complaints = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, data, String(decoding: complaints, as: UTF8.self))
    }

    @Test(.timeLimit(.minutes(2))) func `a quick run tells of every attack`() throws {
        let result = try run(["--hostile", "--quick", "--json"])
        try #require(result.status == 0, "\(result.errors)")
        let report = try JSONDecoder().decode(HostileReport.self, from: result.output)
        #expect(report.results.map(\.attack) == Attack.allCases.map(\.rawValue))
        for figures in report.results {
            #expect(figures.memoryMost >= figures.memoryBefore && figures.memoryBefore > 0, "\(figures)")
            #expect(figures.pingMiddle ?? 0 > 0, "\(figures)")
            #expect(figures.connections > 0, "\(figures)")
            #expect((figures.goodRate != nil) == (figures.attack == "mixed"))
        }
    }

    @Test func `others' relays are not attacked`() throws {
        let target = "smp://AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=@127.0.0.1:5223"
        let result = try run(["--hostile", "--target", target])
        #expect(result.status != 0)
        #expect(result.errors.contains("Only a relay that this program starts itself is attacked."))
    }

    @Test func `what was not measured is left out`() {
        let result = HostileResult(
            attack: "silent", sends: "nothing", pingMiddle: 0.5, pingTail: 1.25, pingMost: 200, connectTail: nil,
            connectMost: nil, connections: 0, failures: 7, memoryBefore: 40 << 20, memoryMost: 1_040 << 20,
            memoryAfter: 50 << 20, goodRate: nil, goodRateAttacked: nil)
        let lines = HostileReport(processors: 2, seconds: 8, results: [result]).text.split(separator: "\n")
        let cells = lines[2].split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(
            cells == ["silent", "0.500 ms", "1.25 ms", "200 ms", "–", "–", "0", "7", "40", "1,040", "50", "–"])
        #expect(lines.last == "silent: nothing")
    }
}
