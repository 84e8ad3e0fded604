import Foundation
import TestSupport
import Testing

@testable import TerminalText

@Suite(.timeLimit(.minutes(5))) struct TerminalTextTests {
    @Test(arguments: [
        "", "Ada", "Čapek Ünal 李 ٣", "👩‍🚀 می‌خواهم", "e\u{301}", "a b\u{A0}c", "؀١",
    ])
    func `text that people write stays as it is`(text: String) {
        #expect(TerminalText.line(text) == text)
        #expect(TerminalText.json(text) == text)
    }

    @Test(arguments: [
        ("\u{1B}[2J", "\u{FFFD}[2J"), ("a\u{7}", "a\u{FFFD}"), ("\u{9B}31m", "\u{FFFD}31m"), ("a\u{7F}b", "a\u{FFFD}b"),
        ("\u{202E}gpj", "\u{FFFD}gpj"), ("\u{2066}a\u{2069}", "\u{FFFD}a\u{FFFD}"), ("\u{200F}", "\u{FFFD}"),
        ("\u{61C}", "\u{FFFD}"), ("\u{FEFF}a", "\u{FFFD}a"), ("a\u{E0041}", "a\u{FFFD}"),
        ("a\nb\tc\rd", "a b c d"), ("a\r\nb", "a  b"), ("a\u{2028}b\u{2029}c\u{85}d", "a b c d"),
    ])
    func `what moves a terminal is replaced`(text: String, line: String) {
        #expect(TerminalText.line(text) == line)
    }

    @Test func `own line feeds can be kept`() {
        #expect(TerminalText.lines("a\nb\u{1B}c\r\n") == "a\nb\u{FFFD}c \n")
    }

    @Test func `JSON says the same with escapes`() throws {
        let texts = ["\u{9B}\u{7F}\u{202E}a", "\u{E0041}b", "\u{2028}", "plain \" \\ \u{1}"]
        let encoded = try #require(String(bytes: try JSONEncoder().encode(texts), encoding: .utf8))
        let safe = TerminalText.json(encoded)
        #expect(!safe.unicodeScalars.contains(where: TerminalText.isUnsafe))
        #expect(try JSONDecoder().decode([String].self, from: Data(safe.utf8)) == texts)
        #expect(safe.contains(#"\u202e"#) && safe.contains(#"\udb40\udc41"#))
    }

    @Test func `2,000 random texts are safe, and safe ones stay`() {
        var generator = SeededGenerator(seed: 5)
        // Controls, line ends, directions, marks of byte order and tags.
        let moving: [ClosedRange<UInt32>] = [
            0...0x1F, 0x7F...0x9F, 0x61C...0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF...0xFEFF,
            0xE0001...0xE007F,
        ]
        for _ in 0..<2_000 {
            var text = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0...20, using: &generator) {
                let ranges: [ClosedRange<UInt32>] = [0...0xFF, 0x2000...0x206F, 0...0x10FFFF]
                let range = ranges.randomElement(using: &generator) ?? 0...0xFF
                if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &generator)) { text.append(scalar) }
            }
            let line = TerminalText.line(String(text))
            #expect(!line.unicodeScalars.contains(where: TerminalText.isUnsafe))
            #expect(!line.unicodeScalars.contains { scalar in moving.contains { $0.contains(scalar.value) } })
            #expect(line.unicodeScalars.count == text.count)
            #expect(TerminalText.line(line) == line)
        }
    }
}
