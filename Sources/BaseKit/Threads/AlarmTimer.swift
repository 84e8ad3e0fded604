import CThreads
import Glibc

/// A timer that one thread waits for and any thread sets (timerfd_create(2)). It goes on while the machine sleeps.
struct AlarmTimer: Sendable {
    private let descriptor: Int32

    init() {
        descriptor = timerfd_create(CLOCK_BOOTTIME, Int32(TFD_CLOEXEC))
        precondition(descriptor >= 0, "no timer can be made: errno \(errno)")
    }

    /// Has it go off after a time, instead of when it was set for.
    func set(after time: Duration) {
        // Zero would stop it.
        let time = max(time, .nanoseconds(1))
        var setting = itimerspec()
        setting.it_value.tv_sec = Int(time.components.seconds)
        setting.it_value.tv_nsec = Int(time.components.attoseconds / 1_000_000_000)
        timerfd_settime(descriptor, 0, &setting, nil)
    }

    /// Blocks until it goes off.
    func wait() {
        var count: UInt64 = 0
        while read(descriptor, &count, MemoryLayout<UInt64>.size) < 0, errno == EINTR {}
    }
}
