import TestSupport
import Testing

/// Runs tests that are synchronous on the main thread, and ends them when they take too long.
///
/// A limit of time cancels a test's task, which one that blocks the thread does not notice: its ``Watchdog`` ends what it waits for.
public struct MainThreadTrait: TestTrait, SuiteTrait, TestScoping {
    public let isRecursive = true
    /// Far above what almost any test takes, and above what it waits for a single thing.
    public static let usualLimit = Duration.seconds(300)
    private let limit: Duration
    private let interrupt: @Sendable () -> Void

    /// - Parameters:
    ///   - limit: How long a test may take, at most.
    ///   - interrupt: Ends the programs that a test waits for; it is called on any thread.
    public init(limit: Duration = usualLimit, interrupt: @escaping @Sendable () -> Void) {
        (self.limit, self.interrupt) = (limit, interrupt)
    }

    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let watchdog = Watchdog("\(test.id)", limit: limit, interrupt: interrupt)
        defer {
            watchdog.stop()
            if watchdog.hasOverrun { Issue.record("it took longer than its limit of time") }
        }
        try await withTaskExecutorPreference(MainThread.executor) { try await function() }
    }
}

extension Trait where Self == MainThreadTrait {
    /// On the main thread, outside of main-actor jobs: where a GLib loop serves the main actor.
    public static var onMainThread: Self { MainThreadTrait(interrupt: {}) }
}
