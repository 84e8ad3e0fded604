import Foundation

/// What a catalogue of `po/` says, as its text has it (GNU gettext manual, "The Format of PO Files"). Plurals are left out.
public struct PortableCatalogue {
    /// The translated sentences, by the English ones.
    public let sentences: [String: String]

    /// Reads `po/LANGUAGE.po`.
    public init(_ language: String) throws {
        let file = Vectors.repository.appending(path: "po/\(language).po")
        var sentences: [String: String] = [:]
        for entry in try String(contentsOf: file, encoding: .utf8).split(separator: "\n\n") {
            var (field, values): (Substring, [Substring: String]) = ("", [:])
            for line in entry.split(separator: "\n") {
                guard !line.hasPrefix("#"), let quote = line.firstIndex(of: "\"") else { continue }
                let name = line[..<quote].filter { $0 != " " }
                if !name.isEmpty { field = name[...] }
                values[field, default: ""] += Self.unescaped(line[quote...].dropFirst().dropLast())
            }
            if let original = values["msgid"], let translated = values["msgstr"] { sentences[original] = translated }
        }
        self.sentences = sentences
    }

    /// A sentence in the language, with what is put in; in English where it is not translated.
    public func say(_ sentence: String, _ insertions: [String] = []) -> String {
        Self.filled(sentences[sentence] ?? sentence, insertions)
    }

    /// A sentence with what is put in for `%s`, or `%1$s`, `%2$s` and so on.
    public static func filled(_ sentence: String, _ insertions: [String]) -> String {
        insertions.enumerated().reduce(sentence) { text, insertion in
            text.replacing("%\(insertion.offset + 1)$s", with: insertion.element)
                .replacing("%s", with: insertion.element, maxReplacements: 1)
        }
    }

    private static func unescaped(_ text: Substring) -> String {
        String(text).replacing("\\n", with: "\n").replacing("\\\"", with: "\"").replacing("\\\\", with: "\\")
    }
}
