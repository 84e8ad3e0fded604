import BaseKit
import Foundation
import Parley
import TerminalText

/// Prints what happens, as JSON lines (`event`, `t` in ms since the start, fields) or as plain sentences.
final class EventPrinter: Sendable {
    private let isJSON: Bool
    private let start = Instant.now
    private let output: Output
    /// Whether the last line of the command is out; locked while one is written.
    private let isOver = Lock(false)

    /// What follows an event's name in its JSON line.
    typealias Fields = [String: EventValue]
    /// Takes a text for a descriptor.
    typealias Output = @Sendable (String, _ descriptor: Int32) -> Void

    init(isJSON: Bool, output: @escaping Output = EventPrinter.write) {
        self.isJSON = isJSON
        self.output = output
    }

    /// Prints an event; one without a sentence is not told in plain words.
    func event(_ name: String, _ fields: Fields = [:], sentence: PlainLine?) {
        if isJSON {
            print { encoded(EventLine(event: name, t: $0, fields: fields)) }
        } else if let sentence {
            print { _ in sentence.text }
        }
    }

    /// Prints the event after which nothing is told beside.
    func last(_ name: String, _ fields: Fields, sentence: PlainLine?) {
        isOver.withLock { $0 = true }
        event(name, fields, sentence: sentence)
    }

    /// Prints an event that is no step of the command itself.
    func aside(_ name: String, _ fields: Fields, sentence: PlainLine?) {
        isOver.withLock { isOver in
            let line = isJSON ? encoded(EventLine(event: name, t: elapsed, fields: fields)) : sentence?.text
            if !isOver, let line { output(line + "\n", STDOUT_FILENO) }
        }
    }

    /// The same for what a person must not miss: on the standard error, so that it stays out of what a program reads.
    func warning(_ name: String, _ fields: Fields, sentence: PlainLine) {
        if isJSON { aside(name, fields, sentence: nil) } else { output("\(sentence.text)\n", STDERR_FILENO) }
    }

    /// A sentence about what is in a JSON line already where these are wanted: on the standard error, and only in plain words.
    func remark(_ sentence: String) {
        if !isJSON { output(TerminalText.line(sentence) + "\n", STDERR_FILENO) }
    }

    /// Says why the program ends: a JSON line where these are wanted, and one sentence on the standard error.
    /// - Parameter isPrintedLater: Whether somebody else prints the sentence.
    func failure(_ sentence: String, isPrintedLater: Bool) {
        if isJSON { print { encoded(EventLine(event: "error", t: $0, fields: ["message": .string(sentence)])) } }
        if !isPrintedLater { output("Error: \(TerminalText.line(sentence))\n", STDERR_FILENO) }
    }

    /// - Parameter isLast: Whether the command ends with it.
    func summary(_ summary: CallSummary, contact: String, isLast: Bool) {
        if isLast { isOver.withLock { $0 = true } }
        guard !isJSON else {
            return print { encoded(SummaryLine(t: $0, contact: contact, summary: summary)) }
        }
        print { _ in PlainSummary.text(summary).text }
    }

    /// Whether somebody sits at a terminal who can be asked.
    var canAsk: Bool { !isJSON && isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0 }

    /// Asks a question with yes or no; anything but a yes is a no.
    func asks(_ question: String) async -> Bool {
        guard canAsk else { return false }
        isOver.withLock { _ in output(question, STDOUT_FILENO) }
        return await withCheckedContinuation { continuation in
            // On a thread of its own: nobody knows when the answer comes.
            Thread.detachNewThread { continuation.resume(returning: Self.isYes(readLine())) }
        }
    }

    static func isYes(_ answer: String?) -> Bool {
        ["y", "yes"].contains(answer?.trimmingCharacters(in: .whitespaces).lowercased())
    }

    private var elapsed: Int { Int((Instant.now - start).wholeMilliseconds) }

    /// Nothing in an event can't be encoded.
    private func encoded(_ line: some Encodable) -> String { (try? JSONText.line(line)) ?? "{}" }

    /// Prints a line that is made of the time at which it is printed: lines stand in the order of their times.
    private func print(_ line: (_ t: Int) -> String) {
        isOver.withLock { _ in output(line(elapsed) + "\n", STDOUT_FILENO) }
    }

    /// Writes all of it at once; a reader that has gone is no reason to stop a call.
    static func write(_ text: String, to descriptor: Int32) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { return }
            rest = rest.dropFirst(written)
        }
    }
}

private struct EventLine: Encodable {
    let event: String
    let t: Int
    let fields: EventPrinter.Fields

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        for (name, value) in fields { try container.encode(value, forKey: Key(stringValue: name)) }
        try container.encode(event, forKey: Key(stringValue: "event"))
        try container.encode(t, forKey: Key(stringValue: "t"))
    }
}

private struct SummaryLine: Encodable {
    let t: Int
    let contact: String
    let summary: CallSummary

    func encode(to encoder: any Encoder) throws {
        try summary.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encode("summary", forKey: Key(stringValue: "event"))
        try container.encode(t, forKey: Key(stringValue: "t"))
        try container.encode(contact, forKey: Key(stringValue: "contact"))
    }
}

private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
