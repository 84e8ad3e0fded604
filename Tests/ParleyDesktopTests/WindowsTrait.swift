import Glibc
import MainThreadSupport
import TestSupport
import Testing

/// What tests need that start programs or open windows: the main thread, a screen, and an end at which all is closed.
struct WindowsTrait: TestTrait, SuiteTrait, TestScoping {
    let isRecursive = true
    fileprivate let limit: Duration

    func prepare(for test: Test) async throws {
        let screen = Need.needs(Screen.isNamed ? nil : "There is no display; run the tests under xvfb-run.")
        let bus = Need.needs(
            getenv("DBUS_SESSION_BUS_ADDRESS") != nil
                ? nil : "There is no session bus; run the tests under dbus-run-session and xvfb-run.")
        for need in [screen, bus] { try await need.prepare(for: test) }
    }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let onMainThread = MainThreadTrait(limit: limit, interrupt: { RunningProgram.killAll() })
        try await onMainThread.provideScope(for: test, testCase: testCase) { try await TestEnd.follow(function) }
    }
}

extension Trait where Self == WindowsTrait {
    /// Tests that start programs or open windows.
    static var windows: Self { WindowsTrait(limit: MainThreadTrait.usualLimit) }

    /// The same for tests that take longer than usual.
    static func windows(limit: Duration) -> Self { WindowsTrait(limit: limit) }
}
