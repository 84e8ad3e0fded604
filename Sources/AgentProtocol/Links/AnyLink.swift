/// Any link a person may paste.
public enum AnyLink: Hashable, Sendable {
    /// All keys are in the link.
    case full(ConnectionLink)
    /// The relay keeps the keys.
    case short(ShortLink)

    /// Reads a link, blanks around it ignored.
    ///
    /// - Throws: `AgentDecodingError`; `.notALink` when it does not even look like one.
    public init(parsing text: String) throws(AgentDecodingError) {
        let trimmed = Self.trimmed(text)
        do {
            self = .full(try ConnectionLink(parsing: trimmed))
        } catch .notALink {
            self = .short(try ShortLink(parsing: trimmed))
        }
    }

    /// The text without blanks at its ends, looked at scalar by scalar because it may be anything.
    private static func trimmed(_ text: String) -> String {
        let start = text.unicodeScalars.drop { $0.properties.isWhitespace }
        guard let last = start.lastIndex(where: { !$0.properties.isWhitespace }) else { return "" }
        return String(start[...last])
    }
}
