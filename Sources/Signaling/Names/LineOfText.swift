/// One line of text that comes from others, such as a name, made fit to be shown.
///
/// What changes the direction or the place of text, or can't be seen, does not belong into it: with it one could look
/// like another contact, or like a sentence of the program (Unicode Technical Report 36 §2 and 3).
public enum LineOfText {
    /// The most marks over and under one letter; languages need two, rarely three.
    public static let maximumMarks = 3

    /// The text without what is no part of one, spaces single and only inside; nil if nothing is left.
    ///
    /// - Parameter limit: the most characters, as a person counts them.
    public static func cleaned(_ text: String, limit: Int) -> String? {
        var name = pass(over: text, limit)
        // What one pass removes may bring together what the next has to look at.
        while true {
            let next = pass(over: name, limit)
            guard !next.unicodeScalars.elementsEqual(name.unicodeScalars) else { break }
            name = next
        }
        return name.isEmpty ? nil : name
    }

    private static func pass(over text: String, _ limit: Int) -> String {
        var scalars = String.UnicodeScalarView()
        var marks = 0
        // Far beyond the limit nothing is looked at: a name may be as long as a message.
        for scalar in text.unicodeScalars.prefix(limit * 16) {
            switch role(of: scalar, after: scalars.last) {
            case .none: continue
            case .joiner: scalars.append(scalar)
            case .space:
                if let last = scalars.last, last != " " { scalars.append(" ") }
                marks = 0
            case .mark:
                marks += 1
                guard let last = scalars.last, last != " ", marks <= maximumMarks else { continue }
                scalars.append(scalar)
            case .letter:
                scalars.append(scalar)
                marks = 0
            }
        }
        var name = String(String(withoutIdleJoiners(scalars)).prefix(limit))
        while name.last == " " { name.removeLast() }
        return name
    }

    // MARK: Characters

    private enum Role {
        case none, space, mark, joiner, letter
    }

    /// U+200D, which makes one picture of several emoji.
    private static let joiner: Unicode.Scalar = "\u{200D}"
    /// U+FE0F, which says that a character is an emoji.
    private static let emojiStyle: Unicode.Scalar = "\u{FE0F}"

    private static func role(of scalar: Unicode.Scalar, after last: Unicode.Scalar?) -> Role {
        let properties = scalar.properties
        if scalar == joiner { return .joiner }
        if scalar == emojiStyle { return last?.properties.isEmoji == true ? .mark : .none }
        // The Braille pattern without dots is as blank as a space.
        if scalar == "\u{2800}" { return .space }
        if properties.isWhitespace { return .space }
        guard !properties.isDefaultIgnorableCodePoint else { return .none }
        switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: return .none
        case .spaceSeparator: return .space
        case .nonspacingMark, .enclosingMark, .spacingMark: return .mark
        default: return .letter
        }
    }

    /// Between pictures a joiner is seen, anywhere else it is not.
    private static func withoutIdleJoiners(_ scalars: String.UnicodeScalarView) -> String.UnicodeScalarView {
        var result = String.UnicodeScalarView()
        let all = Array(scalars)
        for (index, scalar) in all.enumerated() {
            if scalar == joiner {
                let next = index + 1 < all.count ? all[index + 1] : nil
                guard let last = result.last, isPicture(last) || last == emojiStyle, next.map(isPicture) == true else {
                    continue
                }
            }
            result.append(scalar)
        }
        return result
    }

    private static func isPicture(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isEmojiModifier || (scalar.properties.isEmoji && scalar.value > 0xFF)
    }
}
