import Signaling
import TerminalText

/// The rules for what people write to one another.
public enum MessageText {
    /// The longest text that is kept of a message that came in, in bytes. One's own are shorter (``excess(of:)``), and so is what other
    /// programs send, unless they compress it.
    static let maximumBytes = 16_384
    private static let maximumFileName = 120

    /// The text as it is sent and shown: nothing that could pass for another text or move other text, spaces at the ends gone, line
    /// breaks kept.
    public static func cleaned(_ text: String) -> String {
        let bounded = text.utf8.count > maximumBytes ? prefix(of: text) : text
        let breaks = bounded.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
            .replacing("\u{2028}", with: "\n").replacing("\u{2029}", with: "\n")
        let cleaned = TerminalText.lines(breaks)
        guard let first = cleaned.firstIndex(where: { !$0.isWhitespace }),
            let last = cleaned.lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(cleaned[first...last])
    }

    /// By how many bytes a text is too long to be sent; 0 when it fits into a message.
    public static func excess(of text: String) -> Int { max(0, -room(beside: text)) }

    /// How many bytes can be added to a text until it does not fit into a message any more; below 0 it does not fit.
    public static func room(beside text: String) -> Int { WrittenMessage.room(beside: text) }

    /// The name of a file as it is shown: one line, without folders, not too long.
    static func fileName(_ name: String) -> String {
        let last = name.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last.map(String.init) ?? name
        let line = TerminalText.line(String(last.prefix(maximumFileName)))
        return String(String.UnicodeScalarView(line.unicodeScalars.prefix(maximumFileName * 2)))
    }

    /// The beginning of a text, whole characters only.
    private static func prefix(of text: String) -> String {
        var end = text.startIndex
        var count = 0
        while end < text.endIndex {
            count += text[end].utf8.count
            guard count <= maximumBytes else { break }
            end = text.index(after: end)
        }
        return String(text[..<end])
    }
}
