import BaseKit
import Foundation

/// What a program and one that it has started say to each other, a line of JSON each.
protocol JSONLine: Codable, Sendable {}

extension JSONLine {
    /// Reads a line, with or without its end.
    init?(line: Data) {
        guard let value = try? JSONDecoder().decode(Self.self, from: line) else { return nil }
        self = value
    }

    /// The line with its end; it can't be without text, as everything in it has one. No terminal gets it, and with a picture in it it is long.
    var line: Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return ((try? encoder.encode(self)) ?? Data()) + [UInt8(ascii: "\n")]
    }

    /// Writes itself to the standard output, past the buffers of C: flushing all of them waits for the one that is being read, and every
    /// opening of a file anywhere in the process waits for that.
    ///
    /// Where nobody reads it any more it is lost: the process ends with its input.
    func tell() {
        let line = line
        // A line with a picture in it is longer than what a pipe takes at once.
        StandardOutput.turn.withLock { _ in try? FileHandle.standardOutput.write(contentsOf: line) }
    }

    /// The lines of the standard input that can be read, to its end.
    static var input: AsyncStream<Self> {
        AsyncStream { continuation in
            Thread.detachNewThread {
                while let text = readLine() {
                    if let value = Self(line: Data(text.utf8)) { continuation.yield(value) }
                }
                continuation.finish()
            }
        }
    }
}

/// Whose turn it is to write to the standard output.
private enum StandardOutput {
    static let turn = Lock(())
}
