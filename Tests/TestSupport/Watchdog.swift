import BaseKit
import Foundation
import Synchronization

/// Ends a test that takes too long: first what it waits for, and if that does not help, the whole process.
///
/// For tests that block their thread: a task's time limit can't end those.
public final class Watchdog: Sendable {
    private let overrun = Atomic(false)
    private let name: String
    private let end = DispatchSemaphore(value: 0)

    /// Watches the test of that name until ``stop()``.
    /// - Parameters:
    ///   - limit: After it `interrupt` is called, on a thread of its own: to end the programs that the test waits for.
    ///   - grace: After that much more `giveUp` is called, which ends the process if nothing else is given.
    public init(
        _ name: String, limit: Duration, grace: Duration = .seconds(60),
        interrupt: @escaping @Sendable () -> Void, giveUp: @escaping @Sendable () -> Void = { abort() }
    ) {
        self.name = name
        let thread = Thread { [self] in
            guard !wait(limit) else { return }
            overrun.store(true, ordering: .releasing)
            say("\(name) has run for \(limit): what it waits for is ended.")
            interrupt()
            guard !wait(grace) else { return }
            say("\(name) can't be ended.")
            giveUp()
        }
        thread.start()
    }

    /// Whether the test took longer than its limit.
    public var hasOverrun: Bool { overrun.load(ordering: .acquiring) }

    /// The test is over.
    public func stop() { end.signal() }

    private func wait(_ duration: Duration) -> Bool {
        end.wait(timeout: .now() + DispatchTimeInterval(duration)) == .success
    }

    private func say(_ sentence: String) {
        let line = Array((sentence + "\n").utf8)
        _ = write(STDERR_FILENO, line, line.count)
    }
}
