import TerminalText
import Wording

/// A sentence for a person at a terminal: our own words as they are, and what is put into them without anything that a terminal
/// must not get, so that no name can pretend to be another line.
struct PlainLine: ExpressibleByStringInterpolation, Equatable, Sendable {
    /// The text. Line feeds are our own.
    let text: String

    /// A sentence that was put together elsewhere.
    init(_ sentence: String) { text = TerminalText.line(sentence) }

    init(stringLiteral: String) { text = stringLiteral }

    init(stringInterpolation: Interpolation) { text = stringInterpolation.text }

    /// Sentences below one another.
    init(lines: [PlainLine]) { text = lines.map(\.text).joined(separator: "\n") }

    /// Sentences beside one another.
    init(joining sentences: [PlainLine]) { text = sentences.map(\.text).joined(separator: " ") }

    /// Our own words in the person's language, with what is put into them.
    static func tr(_ sentence: String, _ insertions: any CustomStringConvertible...) -> PlainLine {
        let words = Translation.filled(Wording.tr(sentence), insertions.map { TerminalText.line($0.description) })
        return PlainLine(stringLiteral: words)
    }

    struct Interpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

        mutating func appendLiteral(_ literal: String) { text += literal }

        mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            text += TerminalText.line(value.description)
        }

        mutating func appendInterpolation(_ line: PlainLine) { text += line.text }
    }
}
