import TestSupport
import Testing

/// What a test wants done when it is over.
final class TestEnd: @unchecked Sendable {
    // Unchecked: a test is on the main thread from its beginning to its end.
    @TaskLocal private static var current: TestEnd?
    private var suite: ProgramSuite?
    private var blocks: [() throws -> Void] = []
    private var logs: [ProgramLog] = []
    private var passing: [String] = []

    /// That of the test that runs.
    static func ofThisTest() throws -> TestEnd {
        guard let current else { throw Missing(description: "The suite has no trait “.windows”.") }
        return current
    }

    /// Holds what the test has open until all else is done.
    func keep(_ suite: ProgramSuite) { self.suite = suite }

    /// Has warnings of libraries that a program prints be failures of this test.
    func examine(_ log: ProgramLog) { logs.append(log) }

    func letPass(_ words: String) { passing.append(words) }

    func add(_ block: @escaping () throws -> Void) { blocks.append(block) }

    /// Runs a test, then what it wants done at its end. Throws what the test throws.
    static func follow(_ test: @Sendable () async throws -> Void) async throws {
        let end = TestEnd()
        defer { end.run() }
        try await $current.withValue(end) { try await test() }
    }

    private func run() {
        while let block = blocks.popLast() {
            do { try block() } catch { Issue.record(error) }
        }
        suite = nil
        // Also what was said while all was closed.
        complain(of: GLibWarnings.heard(), in: "the test’s own process")
        for log in logs { complain(of: GLibWarnings.among(log.text), in: "“\(log.title)”") }
    }

    private func complain(of warnings: [String], in place: String) {
        for warning in warnings where !passing.contains(where: warning.contains) {
            Issue.record("A library warns in \(place): \(warning)")
        }
    }
}
