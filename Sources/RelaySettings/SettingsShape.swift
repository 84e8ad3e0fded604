/// The shape that a file of settings has: lines of `name = value`, comments, and arrays that may go over several lines.
///
/// TOML knows more, such as tables, but no setting needs it, and the library ends the whole program at some texts that are
/// not TOML. So it is given only what has this shape.
struct SettingsShape {
    private enum Place {
        case lineStart, key, value, comment
        case string(quote: Character, isEscaped: Bool)
    }

    private var place = Place.lineStart
    /// What was read so far of a value that is no text.
    private var word = ""
    private var depth = 0
    private var line = 1

    /// The first line that has another shape, and what is wrong there; nil if all is well.
    static func fault(in text: String) -> (line: Int, reason: String)? {
        var shape = SettingsShape()
        for character in text + "\n" {
            if let reason = shape.read(character) { return (shape.line, reason) }
            if character.isNewline { shape.line += 1 }
        }
        return shape.depth == 0 ? nil : (shape.line - 1, "an array has no end")
    }

    private mutating func read(_ character: Character) -> String? {
        let isNewline = character == "\n" || character == "\r\n"
        guard isNewline || character == "\t" || !character.unicodeScalars.contains(where: { $0.value < 0x20 }) else {
            return "it holds a control character"
        }
        switch place {
        case .lineStart: return start(character, isNewline)
        case .key:
            if character == "=" { place = .value }
            return character == "=" || character == " " || Self.isKey(character)
                ? nil : "expected a name, = and a value"
        case .value: return value(character, isNewline)
        case .comment:
            if isNewline { place = depth > 0 ? .value : .lineStart }
            return nil
        case .string(let quote, let isEscaped):
            if isNewline { return "a string has no end" }
            if isEscaped {
                place = .string(quote: quote, isEscaped: false)
            } else if character == quote {
                place = .value
            } else if character == "\\", quote == "\"" {
                place = .string(quote: quote, isEscaped: true)
            }
            return nil
        }
    }

    private mutating func start(_ character: Character, _ isNewline: Bool) -> String? {
        if isNewline || character == " " || character == "\t" { return nil }
        if character == "#" {
            place = .comment
            return nil
        }
        place = .key
        return Self.isKey(character) ? nil : "expected a name, = and a value"
    }

    private mutating func value(_ character: Character, _ isNewline: Bool) -> String? {
        if Self.isKey(character) || character == "." || character == "+" {
            word.append(character)
            return nil
        }
        if !word.isEmpty {
            guard Self.isValue(word) else { return Self.wantedValue }
            word = ""
        }
        switch character {
        case "\"", "'": place = .string(quote: character, isEscaped: false)
        case "#": place = .comment
        case "[": depth += 1
        case "]":
            guard depth > 0 else { return "an array ends that has not begun" }
            depth -= 1
        case "{", "}", "=": return "expected one value"
        case " ", "\t", ",": break
        default:
            guard isNewline else { return Self.wantedValue }
            if depth == 0 { place = .lineStart }
        }
        return depth > 8 ? "arrays are nested too deep" : nil
    }

    private static let wantedValue = "expected a text in quotes, a number, true or false"

    /// Whether a word is a value: the library doesn't survive all that begins like a date and a time.
    private static func isValue(_ word: String) -> Bool {
        let isNumber =
            word.wholeMatch(of: /[+-]?(inf|nan|[0-9_]+(\.[0-9_]+)?([eE][+-]?[0-9_]+)?)|0[xob][0-9A-Fa-f_]+/) != nil
        // Read, so that the fault can be named.
        let isDate = word.wholeMatch(of: /[0-9]{4}-[0-9]{2}-[0-9]{2}/) != nil
        return word == "true" || word == "false" || isNumber || isDate
    }

    private static func isKey(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || character == "-" || character == "_")
    }
}
