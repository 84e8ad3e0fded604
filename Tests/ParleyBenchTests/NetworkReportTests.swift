import Foundation
import TerminalText
import Testing

@testable import ParleyBench

@Suite(.timeLimit(.minutes(1))) struct NetworkCommandTests {
    @Test func `a plan is narrow if none is named, and there may be several`() throws {
        #expect(try NetworkCommand.parse([]).plan == ["narrow"])
        #expect(try NetworkCommand.parse(["--plan", "far", "--plan", "own.json"]).plan == ["far", "own.json"])
        #expect(try NetworkCommand.parse(["--plan", "far", "--large", "--beside-chromium"]).besideChromium)
    }

    @Test(arguments: [["--film", "test"], ["--film", "own.webm"], ["--screen"]])
    func `refuses what Chromium can't show`(words: [String]) throws {
        #expect(throws: (any Error).self) { try NetworkCommand.parse(["--beside-chromium"] + words) }
        #expect(try !NetworkCommand.parse(words).besideChromium)
    }
}

/// Calls over the same networks in one table.
@Suite(.timeLimit(.minutes(1))) struct NetworkReportTests {
    private func call(
        _ plan: String, _ program: CallProgram, _ change: (inout NetworkFigures) -> Void = { _ in }
    ) -> NetworkReport.Call {
        var figures = NetworkFigures.empty
        change(&figures)
        return NetworkReport.Call(plan: plan, program: program, seconds: [figures])
    }

    private func cells(_ report: NetworkReport) -> [[String]] {
        report.text.split(separator: "\n").map { line in
            line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    @Test func `a call of Parley's and one of Chromium's over the same network have a ratio of what both have`() throws
    {
        let report = NetworkReport(calls: [
            call("far", .parley) {
                ($0.forward.shown, $0.backward.shown, $0.forward.large) = (30, 15, 3_000)
                ($0.forward.similarity, $0.forward.frozen) = (0.9, 500)
            },
            call("far", .chromium) {
                ($0.forward.shown, $0.backward.shown, $0.backward.large) = (20, 30, 4_000)
                ($0.forward.similarity, $0.backward.similarity) = (0.75, 0.8)
            },
        ])
        let rows = cells(report)
        #expect(rows.count == 5)
        #expect(
            rows.dropFirst(2).map { Array($0.prefix(2)) } == [
                ["far", "Parley"], ["far", "Chromium"], ["far", "ratio"],
            ])
        func column(_ title: String) throws -> [String] {
            let place = try #require(rows[0].firstIndex(of: title))
            return rows.dropFirst(2).map { $0[place] }
        }
        #expect(try column("pictures 1/s") == ["30.0 / 15.0", "20.0 / 30.0", "1.50 / 0.50"])
        #expect(try column("SSIM") == ["0.900 / –", "0.750 / 0.800", "1.20 / –"])
        #expect(try column("720 rows after s") == ["3.0 / –", "– / 4.0", "–"])
        // There is no ratio to nothing.
        #expect(try column("frozen s") == ["0.5 / 0.0", "0.0 / 0.0", "–"])
    }

    @Test func `calls over different networks, or of one program, have no ratio`() {
        let calls = [call("far", .parley), call("narrow", .parley), call("far", .chromium)]
        #expect(!NetworkReport(calls: calls).text.contains("ratio"))
    }

    @Test func `the report as JSON has each second`() throws {
        let report = NetworkReport(calls: [call("far", .chromium) { $0.backward.similarity = 0.5 }])
        let read = try JSONDecoder().decode(NetworkReport.self, from: Data(try JSONText.lines(report).utf8))
        #expect(read.calls.first?.program == .chromium && read.calls.first?.plan == "far")
        #expect(read.calls.first?.seconds.first?.backward.similarity == 0.5)
    }
}

/// What a browser's page tells, as figures.
@Suite(.timeLimit(.minutes(1))) struct PageReckoningTests {
    private func sample(_ change: (inout PageSample) -> Void) -> PageSample {
        var sample = PageSample()
        change(&sample)
        return sample
    }

    private func concealment(_ all: [(samples: Int, events: Int)]) -> PageSample {
        sample { $0.concealment = all.map { .init(samples: $0.samples, events: $0.events) } }
    }

    @Test func `pictures stand still from when one is shown until the next is, also over several questions`() {
        var reckoning = PageReckoning()
        let first = reckoning.figures(of: sample { ($0.at, $0.shown, $0.presented) = (600, [100, 133, 500], 3) })
        #expect(first.gap == 367 && first.frozen == 367 && first.shown == 3)
        let second = reckoning.figures(of: sample { ($0.at, $0.presented) = (1_600, 3) })
        #expect(second.gap == 1_100 && second.frozen == 1_100 && second.shown == 3)
        let third = reckoning.figures(of: sample { ($0.at, $0.shown, $0.presented) = (1_800, [1_700], 4) })
        #expect(third.gap == 1_200 && third.frozen == 100 && third.shown == 4)
    }

    @Test func `a gap of sound is the longest stretch that was made up, with a packet`() {
        var reckoning = PageReckoning()
        #expect(reckoning.figures(of: concealment([])).soundGap == 0)
        #expect(reckoning.figures(of: concealment([(0, 0), (0, 0)])).soundGap == 20)
        #expect(reckoning.figures(of: concealment([(960, 1), (2_880, 1)])).soundGap == 80)
        // It goes on.
        #expect(reckoning.figures(of: concealment([(3_840, 1)])).soundGap == 100)
        #expect(reckoning.figures(of: concealment([(3_840, 1), (3_840, 1)])).soundGap == 20)
        // Two short ones are no long one.
        #expect(reckoning.figures(of: concealment([(4_800, 2), (5_760, 3)])).soundGap == 40)
    }

    @Test func `what is counted since the beginning is divided by what passed since the last question`() {
        var reckoning = PageReckoning()
        _ = reckoning.figures(
            of: sample { ($0.at, $0.encoding, $0.waited, $0.emitted) = (1_000, 0.1, 1, 10) })
        let figures = reckoning.figures(
            of: sample { ($0.at, $0.encoding, $0.waited, $0.emitted) = (2_000, 0.4, 4, 40) })
        #expect(abs(figures.encodeLoad - 0.3) < 1e-9 && figures.jitterLatency == 100)
        let still = reckoning.figures(of: sample { ($0.at, $0.encoding, $0.waited, $0.emitted) = (3_000, 0.4, 4, 40) })
        #expect(still.encodeLoad == 0 && still.jitterLatency == 0)
    }

    @Test func `a page's words are read, with and without what it may not know`() throws {
        let text = """
            {"sampled":{"_0":{"at":675.25,"shown":[344.5,374.5],"presented":3,"rows":180,"large":84.5,"concealment":[\
            {"samples":960,"events":1}],"packets":50,"bytes":3000,"waited":1.5,"emitted":30,"encoded":29,"encoding":0.3,\
            "width":640,"height":360,"limit":"bandwidth","target":300000.5,"roundTrip":0.0455,\
            "picture":{"width":2,"height":1,"bytes":"Bwc="}}}}
            """
        func told(_ text: String) throws -> PeerFigures {
            guard case .sampled(let sample) = try JSONDecoder().decode(CallEvent.self, from: Data(text.utf8)) else {
                throw BenchError.call("another event")
            }
            var reckoning = PageReckoning()
            return reckoning.figures(of: sample)
        }
        let figures = try told(text)
        #expect(figures.shown == 3 && figures.rows == 180 && figures.large == 84.5 && figures.bytes == 3_000)
        #expect(figures.sound == 50 && figures.sent == 29 && figures.size == "640x360" && figures.limit == "bandwidth")
        #expect(figures.target == 300_000 && figures.roundTrip == 45 && figures.picture?.width == 2)
        let less = text.replacingOccurrences(
            of: #","roundTrip":0.0455,"picture":{"width":2,"height":1,"bytes":"Bwc="}"#, with: ""
        )
        .replacingOccurrences(of: #""large":84.5,"#, with: "").replacingOccurrences(of: "640", with: "0")
        let without = try told(less)
        #expect(without.large == nil && without.roundTrip == nil && without.picture == nil && without.size.isEmpty)
    }
}
