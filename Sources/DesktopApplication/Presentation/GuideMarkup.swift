import UserGuide

/// Texts of the guide as labels show them, in Pango's markup.
enum GuideMarkup {
    /// The markup of a text.
    static func markup(_ text: GuideText) -> String { text.spans.map(markup).joined() }

    private static func markup(_ span: GuideText.Span) -> String {
        let words = escaped(span.words)
        return switch span {
        case .plain: words
        case .bold: "<b>\(words)</b>"
        case .code: "<tt>\(words)</tt>"
        case .link(_, let target): "<a href=\"\(escaped(target))\">\(words)</a>"
        }
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }
}
