import Foundation

/// Programs that a test uses beside the one it is about.
enum Tool {
    /// A program that failed.
    struct Failure: Error {
        let words: [String]
        let status: Int32
        let complaint: String
    }

    /// Runs a program to its end; gives what it printed.
    /// - Parameter mayFail: Whether failing is an answer, too.
    @discardableResult
    static func run(_ words: String..., mayFail: Bool = false) throws -> String { try run(words, mayFail: mayFail) }

    /// Runs a program to its end; gives what it printed.
    @discardableResult
    static func run(_ words: [String], mayFail: Bool = false) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        let (output, complaints) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = mayFail ? FileHandle.nullDevice : complaints
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 || mayFail else {
            // Its own words alone: who holds the pipe longer is not waited for.
            let complaint = String(decoding: complaints.fileHandleForReading.availableData, as: UTF8.self)
            throw Failure(words: words, status: process.terminationStatus, complaint: complaint)
        }
        return text
    }
}
