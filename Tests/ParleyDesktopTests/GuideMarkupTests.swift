import Testing
import UserGuide

@testable import DesktopApplication

/// Texts of the guide as labels show them.
@Suite(.timeLimit(.minutes(1))) struct GuideMarkupTests {
    @Test func `bold words, code and links are marked, and what Pango takes for a mark is not`() throws {
        let text = try GuideText(parsing: "A & “b” `<i>` **c \"d\"** [e](f.md?a&b)")
        #expect(
            GuideMarkup.markup(text)
                == "A &amp; “b” <tt>&lt;i&gt;</tt> <b>c &quot;d&quot;</b> <a href=\"f.md?a&amp;b\">e</a>")
    }
}
