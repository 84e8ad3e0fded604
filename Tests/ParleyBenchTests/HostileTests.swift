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

    @Test(.timeLimit(.minutes(4)), .needs(UserNamespace.canMount ? nil : UserNamespace.refusal))
    func `a quick run tells of every attack`() throws {
        let result = try run(["--hostile", "--quick", "--json"])
        try #require(result.status == 0, "\(result.errors)")
        let report = try JSONDecoder().decode(HostileReport.self, from: result.output)
        #expect(report.results.map(\.attack) == Attack.allCases.map(\.rawValue))
        for figures in report.results {
            #expect(figures.memoryMost >= figures.memoryBefore && figures.memoryBefore > 0, "\(figures)")
            // The good client was answered whatever it asked, and let in whenever it came.
            #expect(figures.pings > 0 && figures.connections > 0, "\(figures)")
            #expect(figures.failures == 0, "\(figures)")
            // And no good message was lost: the rate is 0 then.
            #expect((figures.goodRate != nil) == (figures.attack == "mixed"))
            if figures.attack == "mixed" { #expect(figures.goodRateAttacked ?? 0 > 0, "\(figures)") }
            #expect(figures.processors != nil, "\(figures)")
        }
        // What attackers count shows that they did what they are named for.
        func seen(_ attack: Attack) -> String { report.results.first { $0.attack == attack.rawValue }?.seen ?? "" }
        #expect(seen(.messages).contains("stored"))
        #expect(seen(.handshakes).contains("answered") && seen(.handshakes).contains("begun"))
        #expect(seen(.passwords).hasSuffix("guesses answered"), "\(seen(.passwords))")
        #expect(seen(.probing).contains("BROKER NETWORK for an open port"))
        #expect(seen(.probing).contains("BROKER NETWORK for a closed port"))
        #expect(!seen(.probing).contains("connections made"), "\(seen(.probing))")
        #expect(seen(.disk).contains("stored"))
        #expect(seen(.expiry).contains("stored"))
    }

    @Test func `a quick run of expiry tells of waits and memory`() throws {
        let result = try run(["--expiry", "--quick", "--json"])
        try #require(result.status == 0, "\(result.errors)")
        let report = try JSONDecoder().decode(ExpiryReport.self, from: result.output)
        #expect(report.queues == 2_048 && report.messages == 128)
        #expect(report.full.count > 20 && report.empty.count > 20)
        #expect(report.full.longest >= report.full.tail && report.full.tail >= report.full.middle)
        for memory in [report.filled, report.restarted, report.settled] {
            #expect(memory.map { $0.resident >= $0.proportional && $0.proportional > 0 } == true)
        }
    }

    @Test func `memory is read from what the kernel sums up`() {
        let rollup =
            "55d0-7ffe ---p 00000000 00:00 0 [rollup]\nRss:               38888 kB\nPss:               30001 kB\n"
        #expect(ExpiryReport.Memory.parse(rollup) == .init(resident: 38_888 << 10, proportional: 30_001 << 10))
        #expect(ExpiryReport.Memory.parse("Rss: 1 kB\n") == nil)
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
            connectMost: nil, pings: 3, connections: 0, failures: 7, memoryBefore: 40 << 20, memoryMost: 1_040 << 20,
            memoryAfter: 50 << 20, goodRate: nil, goodRateAttacked: nil, processors: 0.25, seen: "3 answered")
        let lines = HostileReport(processors: 2, seconds: 8, results: [result]).text.split(separator: "\n")
        let cells = lines[2].split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(
            cells == ["silent", "0.500 ms", "1.25 ms", "200 ms", "–", "–", "0", "7", "40", "1,040", "50", "0.250", "–"])
        #expect(lines.last == "silent: nothing (3 answered)")
    }
}
