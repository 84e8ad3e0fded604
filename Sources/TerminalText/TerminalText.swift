/// Makes text safe for a terminal, whoever wrote it.
///
/// Control characters move the cursor, change colours and titles, or answer for the person; direction characters show a text in
/// another order than it is in. None of them ever reaches a terminal.
public enum TerminalText {
    /// The text as one line: line breaks and tabs become spaces, what else a terminal must not get becomes U+FFFD.
    public static func line(_ text: some StringProtocol) -> String { cleaned(text, keepsLineFeeds: false) }

    /// The text with its line feeds; for what this program has put together itself.
    public static func lines(_ text: some StringProtocol) -> String { cleaned(text, keepsLineFeeds: true) }

    /// A JSON text in which every such character is escaped (RFC 8259 §7). There are none outside of its strings.
    public static func json(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            guard isUnsafe(scalar) else {
                result.append(scalar)
                continue
            }
            for unit in String(scalar).utf16 {
                let digits = String(unit, radix: 16)
                result.append(
                    contentsOf: ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).unicodeScalars)
            }
        }
        return String(result)
    }

    /// Whether a terminal must not get it: controls (Unicode's Cc), line and paragraph separators, and format characters (Cf) but
    /// for those that scripts are written with.
    static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        case .format: !isWritten(scalar)
        default: false
        }
    }

    /// Joiners, and signs that stand before numbers in Arabic, Syriac, Kaithi (Unicode's Prepended_Concatenation_Mark).
    private static func isWritten(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x200C, 0x200D, 0x0600...0x0605, 0x06DD, 0x070F, 0x0890, 0x0891, 0x08E2, 0x110BD, 0x110CD: true
        default: false
        }
    }

    private static func cleaned(_ text: some StringProtocol, keepsLineFeeds: Bool) -> String {
        guard text.unicodeScalars.contains(where: isUnsafe) else { return String(text) }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n" where keepsLineFeeds: result.append(scalar)
            case _ where scalar.properties.isWhitespace && isUnsafe(scalar): result.append(" ")
            case _ where isUnsafe(scalar): result.append("\u{FFFD}")
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}
