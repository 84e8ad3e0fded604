import Foundation
import TerminalText
import Testing

@testable import ParleyBench

@Suite(.timeLimit(.minutes(5))) struct ReportTests {
    private func figure(_ better: Figure.Better, _ value: Double, ceiling: Double) -> Figure {
        Figure(
            "messages", of: "relay", load: 1_000, value: value, unit: "1/s", better: better,
            ceiling: .init("TLS", ceiling))
    }

    @Test func `half the rate of the ceiling is twice away`() {
        #expect(figure(.higher, 50, ceiling: 100).ratio == 2)
        #expect(figure(.higher, 100, ceiling: 100).ratio == 1)
    }

    @Test func `twice the cost of the ceiling is twice away`() {
        #expect(figure(.lower, 100, ceiling: 50).ratio == 2)
    }

    @Test func `nothing measured is endlessly far`() {
        #expect(figure(.higher, 0, ceiling: 100).ratio == .greatestFiniteMagnitude)
        #expect(figure(.lower, 1, ceiling: 0).ratio == .greatestFiniteMagnitude)
    }

    @Test func `JSON reads back and holds the ratio`() throws {
        let report = Report(processors: 2, seconds: 1, figures: [figure(.higher, 50, ceiling: 100)], notes: ["a"])
        let text = try JSONText.lines(report)
        #expect(text.contains("\"ratio\" : 2"))
        #expect(try JSONDecoder().decode(Report.self, from: Data(text.utf8)) == report)
    }

    @Test func `table shows figure ceiling and ratio in one row`() {
        let report = Report(processors: 2, seconds: 1, figures: [figure(.higher, 50, ceiling: 100)])
        let row = report.text.split(separator: "\n").last.map {
            $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        #expect(row == ["relay", "messages", "1,000", "50.0", "1/s", "100", "TLS", "2.00"])
    }

    @Test func `columns are aligned`() {
        var table = TextTable([("a", .left), ("b", .right)])
        table.add(["long cell", "1"])
        table.add(["x"])
        #expect(table.text == "| a         | b |\n|-----------|--:|\n| long cell | 1 |\n| x         |   |")
    }

    @Test(arguments: [
        (0.0, "0.000"), (0.1234, "0.123"), (1.005, "1.00"), (9.99, "9.99"), (12.34, "12.3"), (99.96, "100.0"),
        (1_234.5, "1,235"),
        (1_000_000, "1,000,000"), (.infinity, "–"),
    ])
    func `numbers have three digits that count`(value: Double, text: String) {
        #expect(NumberText.format(value) == text)
    }
}
