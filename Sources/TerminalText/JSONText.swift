import Foundation

/// The JSON that the programs print: keys in order, and no character in it that a terminal must not get.
public enum JSONText {
    /// A value on one line, as programs that read along take it.
    public static func line(_ value: some Encodable) throws -> String { try text(value, []) }

    /// A value over several lines, as people read it, too.
    public static func lines(_ value: some Encodable) throws -> String { try text(value, .prettyPrinted) }

    private static func text(_ value: some Encodable, _ form: JSONEncoder.OutputFormatting) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = form.union([.sortedKeys, .withoutEscapingSlashes])
        let text = String(decoding: try encoder.encode(value), as: UTF8.self)
        // The line breaks of the form stay.
        return text.split(separator: "\n", omittingEmptySubsequences: false).map { TerminalText.json(String($0)) }
            .joined(separator: "\n")
    }
}
