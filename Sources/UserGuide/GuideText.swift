/// A text of the user's guide, without line breaks: a heading, a paragraph or an item of a list.
public struct GuideText: Equatable, Sendable {
    /// A piece of a text that looks the same throughout.
    public enum Span: Equatable, Sendable {
        case plain(String)
        case bold(String)
        /// What is typed or shown by a machine, such as a command.
        case code(String)
        case link(String, target: String)

        /// What is read.
        public var words: String {
            switch self {
            case .plain(let words), .bold(let words), .code(let words), .link(let words, _): words
            }
        }
    }

    /// The pieces, in order; none is empty.
    public let spans: [Span]

    /// What is read, without how it looks.
    public var words: String { spans.map(\.words).joined() }

    /// Where the links in it lead.
    public var targets: [String] {
        spans.compactMap { if case .link(_, let target) = $0 { target } else { nil } }
    }

    /// Reads a text. Bold words, code and links don't hold each other.
    /// - Throws: ``GuideProblem/Reason`` of what is left open, empty, or marked in a way that the guide does not use.
    public init(parsing text: some StringProtocol) throws(GuideProblem.Reason) {
        var spans: [Span] = []
        var plain = ""
        var rest = Substring(text)
        while let first = rest.first {
            let span: Span
            if rest.hasPrefix("**") {
                span = .bold(try Self.take("**", from: &rest, upTo: "**", .unclosedBold))
            } else if first == "`" {
                span = .code(try Self.take("`", from: &rest, upTo: "`", .unclosedCode))
            } else if first == "[" {
                let words = try Self.take("[", from: &rest, upTo: "]", .unclosedLink)
                guard rest.first == "(" else { throw .unclosedLink }
                span = .link(words, target: try Self.take("(", from: &rest, upTo: ")", .unclosedLink))
            } else {
                guard !"*_<>]|\\".contains(first) else { throw .unknownMark(first) }
                plain.append(first)
                rest.removeFirst()
                continue
            }
            if !plain.isEmpty { spans.append(.plain(plain)) }
            plain = ""
            spans.append(span)
        }
        if !plain.isEmpty { spans.append(.plain(plain)) }
        guard !spans.isEmpty else { throw .empty }
        self.spans = spans
    }

    /// Takes a mark, the words behind it and the mark that closes it.
    private static func take(
        _ opening: String, from rest: inout Substring, upTo closing: String, _ unclosed: GuideProblem.Reason
    ) throws(GuideProblem.Reason) -> String {
        let inner = rest.dropFirst(opening.count)
        guard let end = inner.firstRange(of: closing) else { throw unclosed }
        let words = inner[..<end.lowerBound]
        guard !words.allSatisfy(\.isWhitespace) else { throw .empty }
        // One mark inside another; code may hold anything.
        if opening != "`", let mark = words.first(where: { "*`[]".contains($0) }) { throw .unknownMark(mark) }
        rest = inner[end.upperBound...]
        return String(words)
    }
}
