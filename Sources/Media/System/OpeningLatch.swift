import BaseKit
import Glibc

/// Lets streaming threads wait for a decision that falls once.
///
/// Unchecked: everything stored is only touched under the lock.
final class OpeningLatch: @unchecked Sendable {
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let change = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var isReleased = false

    init() {
        lock.initialize(to: pthread_mutex_t())
        change.initialize(to: pthread_cond_t())
        pthread_mutex_init(lock, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(change, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(change)
        pthread_mutex_destroy(lock)
        change.deallocate()
        lock.deallocate()
    }

    /// The decision has fallen: nobody waits any more.
    func release() {
        pthread_mutex_lock(lock)
        isReleased = true
        pthread_cond_broadcast(change)
        pthread_mutex_unlock(lock)
    }

    /// Blocks until the release, at most so long; false when that time is over.
    func wait(within time: Duration) -> Bool {
        let (seconds, attoseconds) = (Instant.now + time).sinceStart.components
        var end = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        while !isReleased, pthread_cond_timedwait(change, lock, &end) == 0 {}
        return isReleased
    }
}
