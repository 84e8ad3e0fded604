import BaseKit
import Synchronization
import TestSupport
import Testing

@testable import Media

/// The sessions that a test has opened, to close them whatever becomes of the test.
final class OpenedSessions: Sendable {
    /// Those of the test that runs.
    @TaskLocal static var current: OpenedSessions?

    /// Not kept alive: tests look at what becomes of sessions that are dropped.
    private struct Opened: Sendable {
        weak var session: PeerSession?
    }

    private let sessions = Mutex<[Opened]>([])

    func add(_ session: PeerSession) { sessions.withLock { $0.append(Opened(session: session)) } }

    /// Closes them all; those that are closed already stay so.
    func close() async {
        let opened = sessions.withLock { sessions in
            defer { sessions = [] }
            return sessions
        }
        for entry in opened { await entry.session?.close() }
    }
}

/// What lives in this process of calls, by number.
private struct Living: CustomStringConvertible {
    let sessions = PeerSession.live
    let captures = Capture.live

    func isMore(than other: Living) -> Bool { sessions > other.sessions || captures > other.captures }

    var description: String { "\(sessions) sessions and \(captures) sources" }
}

/// Closes the sessions of each test of the suite, passed, failed or out of time, and says of a test when anything it opened lives
/// on: the tests after it count what lives.
struct ClosingTrait: SuiteTrait, TestTrait, TestScoping {
    let isRecursive = true

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let before = Living()
        let opened = OpenedSessions()
        let outcome: Result<Void, any Error>
        do {
            try await OpenedSessions.$current.withValue(opened, operation: function)
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        // In a task of its own: that of a test out of time is cancelled, and closing must not be cut short.
        await Task {
            await opened.close()
            let end = Instant.now + .seconds(20)
            while Living().isMore(than: before), Instant.now < end {
                try? await Task.sleep(for: .milliseconds(20))
            }
            let after = Living()
            if after.isMore(than: before) { Issue.record("It left \(after) alive; it began with \(before).") }
        }.value
        try outcome.get()
    }
}

extension Trait where Self == ClosingTrait {
    /// Every test closes the calls it makes.
    static var closing: Self { ClosingTrait() }
}
