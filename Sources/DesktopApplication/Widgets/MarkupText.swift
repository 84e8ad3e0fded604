import CGLib

/// Sentences for what reads its text as Pango's markup: toasts, titles of groups, descriptions of status pages.
enum MarkupText {
    /// The markup that shows a sentence as it is, whatever name stands in it.
    static func plain(_ sentence: String) -> String {
        guard let escaped = g_markup_escape_text(sentence, -1) else { return "" }
        defer { g_free(escaped) }
        return String(cString: escaped)
    }
}
