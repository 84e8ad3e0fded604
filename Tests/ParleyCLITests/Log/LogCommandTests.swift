import CallControl
import Calling
import Foundation
import Testing

@testable import ParleyCLI

@Suite(.timeLimit(.minutes(5))) struct LogCommandTests {
    private func log(_ arguments: String...) throws -> LogCommand {
        try #require(try ParleyCLI.parseAsRoot(["log", "--profile", "P"] + arguments) as? LogCommand)
    }

    @Test func `conditions become a filter and a query that mean the same`() throws {
        let conditions = try log(
            "--contact", "Ann", "--contact", "Bo", "--incoming", "--missed", "--result", "noAnswer", "--result", "busy",
            "--kind", "video", "--since", "2026-01-02T03:04:05Z", "--until", "2026-01-03T00:00:00Z", "--text", "n"
        ).conditions
        let (filter, query) = (conditions.filter, conditions.query)
        #expect(filter.direction == .incoming && query.isIncoming == true)
        #expect(filter.onlyMissed && query.onlyMissed)
        #expect(filter.results == [.noAnswer, .busy] && query.results == ["noAnswer", "busy"])
        #expect(filter.media == .video && query.isVideo == true)
        #expect(filter.since == 1_767_323_045 && query.since == filter.since && query.until == filter.until)
        #expect(query.contacts == ["Ann", "Bo"] && query.text == "n")
        #expect(try log().conditions.areNone && log().conditions.query == LogQuery())
    }

    @Test(arguments: [
        ["--incoming", "--outgoing"], ["--delete-all", "--missed"], ["--delete", "3", "--delete-all"],
        ["--limit", "0"], ["--result", "nonsense"], ["--kind", "smell"], ["--since", "yesterday"],
    ]) func `what makes no sense is refused`(_ arguments: [String]) {
        #expect(throws: (any Error).self) { try ParleyCLI.parseAsRoot(["log", "--profile", "P"] + arguments) }
    }

    @Test func `a time is a day, a minute, a moment or how long ago`() throws {
        let utc = try #require(TimeZone(identifier: "UTC"))
        let start: Int64 = 1_000_000_000
        let now = Date(timeIntervalSince1970: TimeInterval(start))
        func seconds(_ text: String) -> Int64? { TimeArgument(text, now: now, zone: utc)?.seconds }
        #expect(seconds("2026-01-02") == 1_767_312_000)
        #expect(seconds("2026-01-02 03:04") == 1_767_323_040)
        #expect(seconds("2026-01-02T03:04:05Z") == 1_767_323_045)
        #expect(seconds("2h") == start - 7_200)
        #expect(seconds("3d") == start - 3 * 86_400)
        #expect(seconds("1w") == start - 7 * 86_400)
        for text in ["", "d", "-1d", "2026-13-01", "nan d", "inf", "1e99d"] { #expect(seconds(text) == nil, "\(text)") }
    }

    @Test func `a line says who, when and what`() throws {
        let utc = try #require(TimeZone(identifier: "UTC"))
        let facts = LogFacts([
            "number": .number(12), "contact": .text("Zoë\u{1B}[2J"), "direction": .text("outgoing"),
            "media": .text("video"), "result": .text("completed"), "started": .number(1_767_323_045),
            "duration": .number(3_723_999),
        ])
        #expect(
            LogLine(facts, zone: utc).line.text.hasPrefix("12  2026-01-02 03:04  to Zoë"),
            "\(LogLine(facts, zone: utc).line.text)")
        #expect(LogLine(facts, zone: utc).line.text.hasSuffix("(video): completed, 1:02:03"))
        #expect(!LogLine(facts, zone: utc).line.text.contains("\u{1B}"))
    }
}
