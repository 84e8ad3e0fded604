/// A chapter of the user's guide, in the part of Markdown that its files keep to: a title, headings, paragraphs, lists, pictures,
/// and in texts bold words, code and links. Whatever else Markdown knows is refused, so that a file looks the same here as elsewhere.
public struct GuideChapter: Equatable, Sendable {
    /// A piece of a chapter that stands by itself.
    public enum Block: Equatable, Sendable {
        /// The heading of a section.
        case heading(GuideText)
        case paragraph(GuideText)
        case list([GuideText], isNumbered: Bool)
        /// A picture: its file, beside the chapter's, and what it shows, in words.
        case picture(file: String, description: String)
    }

    /// What the chapter is called.
    public let title: GuideText
    /// What stands below the title, in order.
    public let blocks: [Block]

    /// Where the links in it lead, in order.
    public var targets: [String] {
        blocks.flatMap { block -> [String] in
            switch block {
            case .heading(let text), .paragraph(let text): return text.targets
            case .list(let items, _): return items.flatMap { $0.targets }
            case .picture: return []
            }
        }
    }

    /// The files of the pictures in it, in order.
    public var pictures: [String] {
        blocks.compactMap { if case .picture(let file, _) = $0 { file } else { nil } }
    }

    /// Reads a chapter's file.
    /// - Throws: ``GuideProblem`` with the line.
    public init(parsing text: String) throws(GuideProblem) {
        var title: GuideText?
        var blocks: [Block] = []
        for lines in Self.paragraphs(text) {
            let block: Parsed
            do throws(GuideProblem.Reason) {
                block = try Self.block(lines.words)
                if title == nil, case .title = block {} else if title == nil { throw .noTitle }
                if title != nil, case .title = block { throw .secondTitle }
            } catch {
                throw GuideProblem(line: lines.first, reason: error)
            }
            switch block {
            case .title(let text): title = text
            case .block(let block): blocks.append(block)
            }
        }
        guard let title else { throw GuideProblem(line: 1, reason: .noTitle) }
        self.title = title
        self.blocks = blocks
    }

    private enum Parsed {
        case title(GuideText)
        case block(Block)
    }

    /// The lines that stand together, each group with the number of its first line.
    private static func paragraphs(_ text: String) -> [(first: Int, words: [Substring])] {
        var groups: [(first: Int, words: [Substring])] = []
        var isInside = false
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.allSatisfy(\.isWhitespace) {
                isInside = false
            } else if isInside {
                groups[groups.count - 1].words.append(line)
            } else {
                groups.append((index + 1, [line]))
                isInside = true
            }
        }
        return groups
    }

    private static func block(_ lines: [Substring]) throws(GuideProblem.Reason) -> Parsed {
        let first = lines[0]
        if first.hasPrefix("#") { return try heading(lines) }
        if first.hasPrefix("![") { return .block(try picture(lines)) }
        if let mark = mark(of: first) { return .block(try list(lines, isNumbered: mark.isNumbered)) }
        // What begins like this is a quotation, or a block of code.
        guard first.first != ">", !first.hasPrefix("```"), first.first?.isWhitespace != true else {
            throw .unknownMark(first.first ?? " ")
        }
        return .block(.paragraph(try GuideText(parsing: try joined(lines))))
    }

    private static func heading(_ lines: [Substring]) throws(GuideProblem.Reason) -> Parsed {
        let level = lines[0].prefix { $0 == "#" }.count
        guard level <= 2 else { throw .tooDeep }
        guard lines.count == 1, lines[0].dropFirst(level).first == " " else { throw .unknownMark("#") }
        let text = try GuideText(parsing: lines[0].dropFirst(level + 1))
        return level == 1 ? .title(text) : .block(.heading(text))
    }

    private static func picture(_ lines: [Substring]) throws(GuideProblem.Reason) -> Block {
        let text = try GuideText(parsing: joined(lines).dropFirst())
        guard text.spans.count == 1, case .link(let description, let file) = text.spans[0] else { throw .pictureInText }
        return .picture(file: file, description: description)
    }

    private static func list(_ lines: [Substring], isNumbered: Bool) throws(GuideProblem.Reason) -> Block {
        var items: [[Substring]] = []
        var indentation = 0
        for line in lines {
            if let mark = mark(of: line) {
                guard mark.isNumbered == isNumbered else { throw .nestedList }
                indentation = mark.length
                items.append([line.dropFirst(mark.length)])
            } else {
                let spaces = line.prefix { $0 == " " }.count
                guard spaces == indentation, Self.mark(of: line.dropFirst(spaces)) == nil else { throw .nestedList }
                items[items.count - 1].append(line.dropFirst(spaces))
            }
        }
        var texts: [GuideText] = []
        for item in items { texts.append(try GuideText(parsing: try joined(item))) }
        return .list(texts, isNumbered: isNumbered)
    }

    /// The mark that an item of a list begins with.
    private static func mark(of line: Substring) -> (length: Int, isNumbered: Bool)? {
        if line.hasPrefix("- ") { return (2, false) }
        let digits = line.prefix { $0.isASCII && $0.isNumber }.count
        return digits > 0 && line.dropFirst(digits).hasPrefix(". ") ? (digits + 2, true) : nil
    }

    /// Lines as one text.
    private static func joined(_ lines: [Substring]) throws(GuideProblem.Reason) -> String {
        let text = lines.joined(separator: " ")
        if let mark = text.firstIndex(of: "!"), text[mark...].hasPrefix("!["), mark != text.startIndex {
            throw .pictureInText
        }
        return text
    }
}
