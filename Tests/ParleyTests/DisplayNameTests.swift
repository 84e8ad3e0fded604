import TestSupport
import Testing

@testable import Parley

/// What is left of names that others chose.
@Suite(.timeLimit(.minutes(5))) struct DisplayNameTests {
    @Test(
        arguments: [
            ("Ann", "Ann"), ("  Ann \t\n Bee ", "Ann Bee"), ("Ann\u{00A0}\u{3000}Bee", "Ann Bee"),
            ("\u{202E}nnA", "nnA"), ("A\u{2066}n\u{2069}n", "Ann"), ("\u{200F}Ann\u{061C}", "Ann"),
            ("A\u{200B}n\u{200D}n\u{FEFF}", "Ann"), ("Ann\u{1B}[31m", "Ann[31m"), ("Ann\u{0}\u{7F}\u{85}", "Ann"),
            ("A\u{2028}B\u{2029}C", "A B C"), ("A\u{E0041}\u{E007F}nn", "Ann"), ("A\u{E000}nn\u{10FFFF}", "Ann"),
            ("A\u{3164}\u{115F}nn\u{2800}", "Ann"), ("Zoë \u{0141}ódź 李 عمر", "Zoë Łódź 李 عمر"),
            (
                "Ann \u{1F469}\u{200D}\u{1F467}\u{FE0F} \u{1F44D}\u{1F3FD}",
                "Ann \u{1F469}\u{200D}\u{1F467}\u{FE0F} \u{1F44D}\u{1F3FD}"
            ),
            ("Cafe\u{301}", "Cafe\u{301}"),
        ])
    func `what is no part of a name goes`(text: String, name: String) throws {
        let cleaned = try #require(DisplayName.cleaned(text))
        #expect(Array(cleaned.unicodeScalars) == Array(name.unicodeScalars))
    }

    @Test(arguments: ["", "   ", "\u{200B}\u{202E}", "\u{3164}", "\u{301}\u{301}", "\n\r\t"])
    func `a name of nothing is none`(text: String) { #expect(DisplayName.cleaned(text) == nil) }

    @Test func `a name is bounded in length and in marks`() throws {
        let long = try #require(DisplayName.cleaned(String(repeating: "ab ", count: 10_000)))
        #expect(long.count <= DisplayName.maximumLength)
        #expect(long.last != " ")
        let tower = try #require(DisplayName.cleaned("Z" + String(repeating: "\u{300}", count: 500) + "o"))
        #expect(tower.unicodeScalars.count == 2 + DisplayName.maximumMarks)
        #expect(tower.last == "o")
    }

    @Test(arguments: [("Ann", "ANN"), ("Ann", "Ａｎｎ"), ("Caf\u{E9}", "CAFE\u{301}"), ("ﬁnn", "Finn"), ("Ⅻ", "xii")])
    func `names that look alike have one key`(one: String, other: String) {
        #expect(DisplayName.key(of: one) == DisplayName.key(of: other))
    }

    @Test func `a number tells apart whomever it takes`() {
        let taken: Set = ["ann", "ann (2)", "ann (3)"]
        #expect(DisplayName.distinct("Ann", isTaken: taken.contains) == "Ann (4)")
        #expect(DisplayName.distinct("Ann (2)", isTaken: taken.contains) == "Ann (2) (2)")
        #expect(DisplayName.distinct("Bob", isTaken: taken.contains) == "Bob")
    }

    @Test func `cleaning twice is cleaning once for any text`() {
        var generator = SeededGenerator(seed: 11)
        let scalars: [UInt32] = [
            0x20, 0x41, 0x300, 0x301, 0x200D, 0xFE0F, 0x1F469, 0x1F467, 0x202E, 0x3164, 0x2800, 0x0A, 0x1F3FD, 0x0E33,
            0xAC00,
        ]
        for _ in 0..<5_000 {
            var text = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0...90, using: &generator) {
                let value =
                    Bool.random(using: &generator)
                    ? scalars.randomElement(using: &generator) ?? 0x41
                    : UInt32.random(in: 0...0x2FFFF, using: &generator)
                if let scalar = Unicode.Scalar(value) { text.append(scalar) }
            }
            guard let once = DisplayName.cleaned(String(text)) else { continue }
            #expect(once.count <= DisplayName.maximumLength)
            #expect(!once.unicodeScalars.contains { [0x202E, 0x0A, 0x3164, 0x2800].contains($0.value) })
            let twice = DisplayName.cleaned(once) ?? ""
            #expect(Array(twice.unicodeScalars) == Array(once.unicodeScalars))
        }
    }
}
