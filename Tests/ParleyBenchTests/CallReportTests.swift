import Foundation
import TestSupport
import Testing

@testable import ParleyBench

/// A call of two Parleys beside one of two browsers.
@Suite(.serialized, .timeLimit(.minutes(10))) struct CallReportTests {
    private func figures(_ processor: Double, setup: Double, picture: Double? = 170, sound: Double? = 190)
        -> CallFigures
    {
        CallFigures(
            processor: processor, memory: 80, processes: 1, setup: setup, pictures: 30, rate: 1_000, width: 1_280,
            height: 720, picture: picture, sound: sound, similarity: 0.9)
    }

    @Test func `the ratio is the median of those of the rounds, and says whether the aim is met`() throws {
        let report = CallReport(
            parley: [figures(0.5, setup: 100), figures(0.3, setup: 300), figures(0.4, setup: 90)],
            chromium: [figures(1, setup: 400), figures(0.4, setup: 400), figures(0.8, setup: 400)])
        let processor = try #require(report.lines.first { $0.name == "processor time of one end" })
        #expect(processor.ratio == 0.5 && processor.meetsAim == true && processor.parley == 0.4)
        let setup = try #require(report.lines.first { $0.name == "accept to first picture" })
        #expect(setup.ratio == 0.25 && setup.meetsAim == true)
        let memory = try #require(report.lines.first { $0.name == "memory of one end (PSS)" })
        #expect(memory.ratio == 1 && memory.meetsAim == false)
        #expect(report.text.contains("| missed |"))
    }

    @Test func `sound may be 40 ms away from the picture, either way`() throws {
        func meets(_ sound: Double) -> Bool? {
            CallReport(parley: [figures(1, setup: 1, sound: sound)], chromium: []).lines
                .first { $0.name == "sound behind picture" }?.meetsAim
        }
        #expect(meets(205) == true && meets(135) == true && meets(215) == false && meets(125) == false)
    }

    @Test func `what was not heard or seen is neither met nor missed`() throws {
        let report = CallReport(
            parley: [figures(1, setup: 1, picture: nil, sound: nil)], chromium: [figures(1, setup: 1)])
        for name in ["capture to display", "mouth to ear", "sound behind picture"] {
            let line = try #require(report.lines.first { $0.name == name })
            #expect(line.meetsAim == nil && line.parley == nil)
        }
        let decoded = try JSONDecoder().decode(CallReport.self, from: JSONEncoder().encode(report))
        #expect(decoded == report)
    }

    @Test func `orders and events are read as a page writes them`() throws {
        func event(_ text: String) throws -> CallEvent {
            try JSONDecoder().decode(CallEvent.self, from: Data(text.utf8))
        }
        guard case .ready = try event(#"{"ready":{}}"#), case .failed("x") = try event(#"{"failed":{"_0":"x"}}"#) else {
            Issue.record("not understood")
            return
        }
        let text = String(decoding: try JSONEncoder().encode(CallOrder.limit(5)), as: UTF8.self)
        #expect(text == #"{"limit":{"_0":5}}"#)
    }

    @Test(.needs(FileManager.default.isExecutableFile(atPath: "/usr/bin/pulseaudio") ? nil : "pulseaudio is missing."))
    func `a call of two Parleys has all its figures`() async throws {
        let folder = try TemporaryFolder()
        let program = try ChildProcess(
            ChildProcess.built("parley-bench"),
            ["call", "--parley-only", "--rounds", "1", "--settle", "5", "--seconds", "2", "--watch", "15", "--json"],
            folder: folder.path)
        #expect(try await program.exitStatus(within: .seconds(300)) == 0, "\(program.errors)")
        let output = program.lines.joined(separator: "\n")
        let report = try JSONDecoder().decode(CallReport.self, from: Data(output.utf8))
        let call = try #require(report.parley.first)
        #expect(call.processor > 0 && call.memory > 0 && call.setup > 0 && call.pictures > 0)
        #expect(call.picture != nil && call.sound != nil && (call.similarity ?? 0) > 0.5)
    }
}
