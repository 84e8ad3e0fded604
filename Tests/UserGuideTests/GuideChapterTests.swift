import TestSupport
import Testing

@testable import UserGuide

/// The part of Markdown that the guide is written in.
@Suite(.timeLimit(.minutes(1))) struct GuideChapterTests {
    @Test func `a chapter has a title and below it what its file has, in order`() throws {
        let chapter = try GuideChapter(
            parsing: """
                # Calling

                Two lines
                of one paragraph.

                ## With a picture

                ![The page of a call.](pictures/call.png)

                - one
                  and a half
                - two

                1. first
                2. second
                """)
        #expect(chapter.title.words == "Calling")
        #expect(
            chapter.blocks == [
                .paragraph(try GuideText(parsing: "Two lines of one paragraph.")),
                .heading(try GuideText(parsing: "With a picture")),
                .picture(file: "pictures/call.png", description: "The page of a call."),
                .list(
                    [try GuideText(parsing: "one and a half"), try GuideText(parsing: "two")], isNumbered: false),
                .list([try GuideText(parsing: "first"), try GuideText(parsing: "second")], isNumbered: true),
            ])
        #expect(chapter.pictures == ["pictures/call.png"])
    }

    @Test func `a text has plain and bold words, code and links`() throws {
        let text = try GuideText(parsing: "Press **Ctrl+N**, or see [calls](calls.md) and `parley-cli a_b`.")
        #expect(
            text.spans == [
                .plain("Press "), .bold("Ctrl+N"), .plain(", or see "), .link("calls", target: "calls.md"),
                .plain(" and "), .code("parley-cli a_b"), .plain("."),
            ])
        #expect(text.words == "Press Ctrl+N, or see calls and parley-cli a_b.")
        #expect(text.targets == ["calls.md"])
    }

    @Test func `the links of a chapter are those of its paragraphs and lists`() throws {
        let chapter = try GuideChapter(parsing: "# A\n\nsee [b](b.md)\n\n- [c](c.md)\n- [d](d.md)\n\n## [e](e.md)\n")
        #expect(chapter.targets == ["b.md", "c.md", "d.md", "e.md"])
    }

    @Test(arguments: [
        ("", 1, GuideProblem.Reason.noTitle), ("text\n\n# Late", 1, .noTitle), ("# A\n\n\n# B", 4, .secondTitle),
        ("# A\n\n### C", 3, .tooDeep), ("# A\n\n**b", 3, .unclosedBold), ("# A\n\n`b", 3, .unclosedCode),
        ("# A\n\n[b", 3, .unclosedLink), ("# A\n\n[b] c", 3, .unclosedLink), ("# A\n\n[b](c", 3, .unclosedLink),
        ("# A\n\n****", 3, .empty), ("# A\n\n[ ](c)", 3, .empty), ("# A\n\n[b]()", 3, .empty), ("# ", 1, .empty),
        ("# A\n\n*b*", 3, .unknownMark("*")), ("# A\n\n_b_", 3, .unknownMark("_")),
        ("# A\n\n<b>", 3, .unknownMark("<")), ("# A\n\n| b |", 3, .unknownMark("|")),
        ("# A\n\n> b", 3, .unknownMark(">")), ("# A\n\n```\nb\n```", 3, .unknownMark("`")),
        ("# A\n\n    b", 3, .unknownMark(" ")), ("# A\nb", 1, .unknownMark("#")), ("#A", 1, .unknownMark("#")),
        ("# A\n\n**b [c](d)**", 3, .unknownMark("[")), ("# A\n\n[**b**](c)", 3, .unknownMark("*")),
        ("# A\n\nsee ![b](c.png)", 3, .pictureInText), ("# A\n\n![b](c.png) here", 3, .pictureInText),
        ("# A\n\n- b\n  - c", 3, .nestedList), ("# A\n\n- b\n1. c", 3, .nestedList),
        ("# A\n\n- b\nc", 3, .nestedList), ("# A\n\n1. b\n  c", 3, .nestedList),
    ])
    func `what the guide does not use is refused, with its line`(
        _ text: String, _ line: Int, _ reason: GuideProblem.Reason
    ) {
        #expect(throws: GuideProblem(line: line, reason: reason)) { try GuideChapter(parsing: text) }
    }

    @Test func `whatever stands in a file is read or refused`() {
        var random = SeededGenerator(seed: 13)
        let pieces = ["#", "# A", "\n", "\n\n", "- ", "1. ", "**", "`", "[", "]", "(", ")", "![", "ä", " ", "  ", "b"]
        for _ in 0..<20_000 {
            let text = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }.joined()
            guard let chapter = try? GuideChapter(parsing: text) else { continue }
            #expect(!chapter.title.words.isEmpty, "\(text)")
        }
    }
}
