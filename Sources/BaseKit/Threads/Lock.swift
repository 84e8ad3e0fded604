import Glibc

/// A value that one thread at a time uses, with the shape of the `Mutex` of the standard library.
///
/// That one is handed on by the kernel, with the holder's priority, to the thread that has waited longest (Swift 6.3, `FUTEX_LOCK_PI`). On a busy
/// machine each hand-over costs the time until that thread is given a processor, and all others queue behind it meanwhile: threads that
/// lock for each packet then stood in line for seconds, 45 ms a packet. This one is taken by who comes while its next owner still wakes.
package struct Lock<Value>: ~Copyable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let value: UnsafeMutablePointer<Value>

    package init(_ value: consuming sending Value) {
        self.value = .allocate(capacity: 1)
        self.value.initialize(to: value)
        let status = pthread_mutex_init(mutex, nil)
        precondition(status == 0, "A lock can't be made: \(status).")
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
        value.deinitialize(count: 1)
        value.deallocate()
    }

    /// Uses the value with nobody between. Not to be called again inside.
    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value.pointee)
    }
}

// The value is reached with the lock held only, what is put in and taken out is sent, and both addresses never change.
extension Lock: @unchecked Sendable {}
