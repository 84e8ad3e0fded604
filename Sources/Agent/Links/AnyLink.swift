/// Any link a person may paste.
public enum AnyLink: Hashable, Sendable {
    /// All keys are in the link.
    case full(ConnectionLink)
    /// The relay keeps the keys.
    case short(ShortLink)

    /// Reads a link, blanks around it ignored.
    ///
    /// - Throws: `AgentDecodingError`; `.notALink` when it does not even look like one.
    public init(text: String) throws(AgentDecodingError) {
        let trimmed = String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
        do {
            self = .full(try ConnectionLink(text: trimmed))
        } catch .notALink {
            self = .short(try ShortLink(text: trimmed))
        }
    }
}
