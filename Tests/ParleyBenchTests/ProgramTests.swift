import Foundation
import TestSupport
import Testing

@testable import ParleyBench

/// Runs the built program.
@Suite(.timeLimit(.minutes(5))) struct ProgramTests {
    private func run(_ arguments: [String]) throws -> (status: Int32, output: String, errors: String) {
        let process = Process()
        let output = Pipe()
        process.executableURL = BuiltProgram.named("parley-bench")
        process.arguments = arguments
        process.standardOutput = output
        let errorFile = FileManager.default.temporaryDirectory.appendingPathComponent("bench-\(UUID().uuidString)")
        _ = FileManager.default.createFile(atPath: errorFile.path, contents: nil)
        defer { try? FileManager.default.removeItem(at: errorFile) }
        process.standardError = try FileHandle(forWritingTo: errorFile)
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let errors = try String(decoding: Data(contentsOf: errorFile), as: UTF8.self)
        return (process.terminationStatus, String(decoding: data, as: UTF8.self), errors)
    }

    @Test(.timeLimit(.minutes(5)))
    func `a quick run has every figure with its ceiling`() throws {
        let result = try run(["relay", "--quick", "--json"])
        try #require(result.status == 0, "\(result.errors)")
        let report = try JSONDecoder().decode(Report.self, from: Data(result.output.utf8))
        for figure in report.figures {
            #expect(figure.value.isFinite && figure.value >= 0, "\(figure)")
            #expect(figure.ceiling.value > 0, "\(figure)")
            #expect(!figure.ceiling.name.isEmpty)
        }
        let found = Dictionary(grouping: report.figures, by: \.name)
        for name in [FigureName.messages, FigureName.median, FigureName.tail, FigureName.connections] {
            #expect(Set((found[name] ?? []).map(\.load)) == Set(LoadPlan.quick.connections), "\(name)")
        }
        #expect(
            Set((found[FigureName.messages] ?? []).map(\.ceiling.name))
                == [CeilingName.tls, CeilingName.blocks, CeilingName.disk])
        #expect(found[FigureName.created]?.count == 1)
        #expect(found[FigureName.createdInBatches]?.count == 1)
        let memory = try #require(found[FigureName.memory]?.last)
        #expect(memory.load == LoadPlan.quick.queues)
        // A queue's keys and ids alone take more than 100 bytes; more than 100 KiB would be a leak of blocks.
        #expect((100.0...102_400).contains(memory.value))
        #expect(found[FigureName.growthMessages]?.map(\.load) == LoadPlan.quick.growthSizes)
    }

    @Test(.timeLimit(.minutes(5)))
    func `the tail of latency is not below its middle`() throws {
        let result = try run(["relay", "--quick", "--json", "--connections", "2"])
        let report = try JSONDecoder().decode(Report.self, from: Data(result.output.utf8))
        let middle = try #require(report.figures.first { $0.name == FigureName.median })
        let tail = try #require(report.figures.first { $0.name == FigureName.tail })
        #expect(tail.value >= middle.value)
    }

    @Test func `a mistake is told with usage`() throws {
        let result = try run(["relay", "--seconds", "0"])
        #expect(result.status != 0)
        #expect(result.errors.contains("A measurement takes from 0.1 to 120 seconds."))
        #expect(result.errors.contains("Usage: parley-bench relay"))
    }

    @Test func `a missing relay program is named`() throws {
        let result = try run(["relay", "--quick", "--relay", "/nonexistent"])
        #expect(result.status != 0)
        #expect(result.errors.contains("There is no program /nonexistent"))
    }
}
