import TestSupport
import Testing

/// What a test wants done when it is over.
final class TestEnd: @unchecked Sendable {
    // Unchecked: a test is on the main thread from its beginning to its end.
    @TaskLocal private static var current: TestEnd?
    private var suite: ProgramSuite?
    private var blocks: [() throws -> Void] = []

    /// That of the test that runs.
    static func ofThisTest() throws -> TestEnd {
        guard let current else { throw Missing(description: "The suite has no trait “.windows”.") }
        return current
    }

    /// Holds what the test has open until all else is done.
    func keep(_ suite: ProgramSuite) { self.suite = suite }

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
    }
}
