import Foundation
import SMP
import TestSupport

/// A running `parley-relay`.
final class RelayProcess {
    let process = Process()
    let output: FileHandle
    let errors: FileHandle

    init(_ arguments: [String]) throws {
        let output = Pipe()
        let errors = Pipe()
        self.output = output.fileHandleForReading
        self.errors = errors.fileHandleForReading
        process.executableURL = BuiltProgram.named("parley-relay")
        process.arguments = arguments
        process.standardOutput = output
        process.standardError = errors
        try process.run()
    }

    /// The next line of the output.
    func line() -> String {
        var line = Data()
        while let byte = try? output.read(upToCount: 1), !byte.isEmpty, byte != Data("\n".utf8) { line += byte }
        return String(decoding: line, as: UTF8.self)
    }

    /// The address in the first line.
    func address() throws -> RelayAddress { try RelayAddress(text: String(line().dropFirst("relay ".count))) }

    /// All it complained about, once it has ended.
    func complaints() -> String {
        let text = String(decoding: errors.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return text
    }

    /// Sends a signal and waits for the end.
    func end(_ signal: Int32) {
        kill(process.processIdentifier, signal)
        process.waitUntilExit()
    }
}

/// A folder for the length of one test.
func withState(_ body: (String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("parley-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder.path)
}
