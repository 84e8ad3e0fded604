import Foundation

/// A program that is started with pipes, and ended with all that it has started.
///
/// Unchecked: nothing changes after the start, and `Process` is only asked to end.
final class PipedProgram: @unchecked Sendable {
    private let made = Process()
    private let (input, output) = (Pipe(), Pipe())

    /// Starts it in a session of its own; each record of its output, which ends with `separator`, goes to `receive`.
    init(
        _ words: [String], environment: [String: String], separator: UInt8,
        receive: @escaping @Sendable (Data?) -> Void
    ) throws {
        made.executableURL = URL(filePath: "/usr/bin/setsid")
        made.arguments = ["-w"] + words
        made.environment = environment
        made.standardInput = input
        made.standardOutput = output
        try made.run()
        let reader = output.fileHandleForReading
        Thread.detachNewThread {
            var text = Data()
            while true {
                let data = reader.availableData
                guard !data.isEmpty else { break }
                var rest = data[...]
                while let end = rest.firstIndex(of: separator) {
                    receive(text + rest[..<end])
                    text = Data()
                    rest = rest[(end + 1)...]
                }
                text += rest
            }
            receive(nil)
        }
    }

    var process: Int32 { made.processIdentifier }

    /// Writes one record.
    func write(_ record: Data) { try? input.fileHandleForWriting.write(contentsOf: record) }

    /// Asks it to end, as it has something to put away, and ends it if it does not.
    func finish() {
        for process in ProcessTree.family(of: process) where process != self.process { kill(process, SIGTERM) }
        for _ in 0..<100 where made.isRunning { usleep(10_000) }
        stop()
    }

    /// Ends it and all its children.
    func stop() {
        let family = ProcessTree.family(of: made.processIdentifier)
        try? input.fileHandleForWriting.close()
        for process in family { kill(process, SIGKILL) }
        made.waitUntilExit()
    }
}
