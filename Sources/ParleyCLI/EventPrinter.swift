import Foundation
import Parley
import Synchronization

/// Prints what happens, as JSON lines (`event`, `t` in ms since the start, fields) or as plain sentences.
final class EventPrinter: Sendable {
    private let isJSON: Bool
    private let start = ContinuousClock.now
    private let output = Mutex(())

    init(isJSON: Bool) { self.isJSON = isJSON }

    func event(_ name: String, _ fields: [String: String] = [:], sentence: String) {
        print(isJSON ? encoded(EventLine(event: name, t: elapsed, fields: fields)) : sentence)
    }

    func summary(_ summary: CallSummary, contact: String) {
        guard !isJSON else { return print(encoded(SummaryLine(t: elapsed, contact: contact, summary: summary))) }
        print(
            """
            \(contact): \(summary.result). Sent \(summary.sent.videoFrames) pictures and \(summary.sent.audioFrames) \
            sound frames, received \(summary.received.videoFrames) and \(summary.received.audioFrames) \
            (\(summary.received.framesRejected) rejected), frame encryption \(summary.sent.frameEncryption).
            """)
    }

    private var elapsed: Int {
        let duration = ContinuousClock.now - start
        return Int(duration / .milliseconds(1))
    }

    private func encoded(_ line: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(line) else { return "{}" }
        return String(decoding: data, as: UTF8.self)
    }

    private func print(_ line: String) {
        output.withLock { _ in
            FileHandle.standardOutput.write(Data((line + "\n").utf8))
        }
    }
}

private struct EventLine: Encodable {
    let event: String
    let t: Int
    let fields: [String: String]

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
