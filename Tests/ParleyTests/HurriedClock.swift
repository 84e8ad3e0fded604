import BaseKit
import Calling
import Synchronization

/// The machine's clock for calls, which a test sets forward.
final class HurriedClock: CallClock {
    private let lead = Mutex(Duration.zero)
    private let clock = SystemCallClock()

    var now: Instant { clock.now + lead.withLock { $0 } }

    func wallClock() -> Int64 { clock.wallClock() }

    func sleep(for time: Duration) async throws {
        let due = now + time
        while now < due { try await clock.sleep(for: min(due - now, .milliseconds(20))) }
    }

    /// Sets it forward; whoever sleeps until then wakes up.
    func skip(_ time: Duration) { lead.withLock { $0 += time } }
}
