import BaseKit
import Foundation

/// What an attack has seen so far. Its process is killed in the end, so the last line that it printed counts.
final class Tally: Sendable {
    private struct State {
        var counts: [String: Int] = [:]
        var printed = ""
    }

    private let state = Lock(State())

    /// Counts something that happened.
    func count(_ what: String, _ number: Int = 1) { state.withLock { $0.counts[what, default: 0] += number } }

    /// What was counted.
    var line: String {
        state.withLock { state in
            state.counts.sorted { $0.key < $1.key }.map { "\(NumberText.grouped($0.value)) \($0.key)" }
                .joined(separator: ", ")
        }
    }

    /// Prints what was counted now and then, until the task is cancelled.
    func report() async {
        while !Task.isCancelled {
            let line = line
            if !line.isEmpty, state.withLock({ $0.printed != line }) {
                state.withLock { $0.printed = line }
                FileHandle.standardOutput.write(Data((line + "\n").utf8))
            }
            try? await Task.sleep(for: .milliseconds(100))
        }
    }
}

/// The last line that a process has printed.
final class LastLine: Sendable {
    private let text = Lock([UInt8]())

    /// Takes what it printed.
    func add(_ data: Data) { text.withLock { $0 += data } }

    var value: String? {
        let lines = text.withLock { $0 }.split(separator: UInt8(ascii: "\n"))
        return lines.last.map { String(decoding: $0, as: UTF8.self) }
    }
}
