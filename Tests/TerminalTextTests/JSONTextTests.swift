import Foundation
import TerminalText
import Testing

@Suite(.timeLimit(.minutes(5))) struct JSONTextTests {
    private struct Report: Codable, Equatable {
        var name = "smp://a/b\u{202E}\n"
        var count = 7
        var isGood = true
        var list: [Int] = []
    }

    @Test func `a line has its keys in order and nothing that moves a terminal`() throws {
        #expect(
            try JSONText.line(Report()) == #"{"count":7,"isGood":true,"list":[],"name":"smp://a/b\u202e\n"}"#)
    }

    @Test func `a report over several lines is the same value`() throws {
        let text = try JSONText.lines(Report())
        #expect(text.split(separator: "\n").count > 5)
        #expect(!text.unicodeScalars.contains("\u{202E}"))
        #expect(try JSONDecoder().decode(Report.self, from: Data(text.utf8)) == Report())
    }
}
