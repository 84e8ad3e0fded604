import BaseKit
import CPulse
import Synchronization

/// A connection to the sound server that tells when the server goes.
///
/// Unchecked: everything of the sound server's is touched under the lock of its loop only, and not once it is closed.
final class SoundServerWatch: @unchecked Sendable {
    private let loop: OpaquePointer
    private let context: OpaquePointer
    private let isWatching = Atomic(false)
    private let isOpen = Lock(true)
    private let onLoss: @Sendable () -> Void

    /// The time that the server may take to answer.
    private static let patience: Duration = .seconds(3)

    /// Connects to the person's sound server; nil when there is none, or it does not answer in time. Blocks. `name` is what the
    /// server's mixers show. `onLoss` is called once at most, on a thread of its own, and must not free or close this object there.
    init?(_ name: String = "Parley devices", onLoss: @escaping @Sendable () -> Void) {
        guard let loop = pa_threaded_mainloop_new() else { return nil }
        guard let context = pa_context_new(pa_threaded_mainloop_get_api(loop), name) else {
            pa_threaded_mainloop_free(loop)
            return nil
        }
        (self.loop, self.context, self.onLoss) = (loop, context, onLoss)
        guard connect() else { return nil }
        isWatching.store(true, ordering: .releasing)
        // It may have gone meanwhile.
        pa_threaded_mainloop_lock(loop)
        stateChanged()
        pa_threaded_mainloop_unlock(loop)
    }

    deinit { close() }

    /// Ends the connection; afterwards none of its callbacks is called. Blocks for a moment. Further calls do nothing.
    func close() {
        isOpen.withLock { isOpen in
            guard isOpen else { return }
            isOpen = false
            pa_threaded_mainloop_lock(loop)
            pa_context_set_state_callback(context, nil, nil)
            pa_context_disconnect(context)
            pa_context_unref(context)
            pa_threaded_mainloop_unlock(loop)
            pa_threaded_mainloop_stop(loop)
            pa_threaded_mainloop_free(loop)
        }
    }

    /// Runs `body` while the loop stands still; not at all once the connection is closed. Not for its callbacks.
    func withContext(_ body: (OpaquePointer) -> Void) {
        isOpen.withLock { isOpen in
            guard isOpen else { return }
            pa_threaded_mainloop_lock(loop)
            body(context)
            pa_threaded_mainloop_unlock(loop)
        }
    }

    /// Lets go of a request that nobody waits for.
    static func forget(_ operation: OpaquePointer?) { if let operation { pa_operation_unref(operation) } }

    private func connect() -> Bool {
        pa_context_set_state_callback(
            context,
            { @Sendable _, data in
                data.map { Unmanaged<SoundServerWatch>.fromOpaque($0).takeUnretainedValue().stateChanged() }
            }, Unmanaged.passUnretained(self).toOpaque())
        guard pa_context_connect(context, nil, PA_CONTEXT_NOFLAGS, nil) >= 0, pa_threaded_mainloop_start(loop) >= 0
        else { return false }
        pa_threaded_mainloop_lock(loop)
        defer { pa_threaded_mainloop_unlock(loop) }
        let limit = pa_rtclock_now() + pa_usec_t(Self.patience.wholeMicroseconds)
        // Wakes the wait below.
        let alarm = pa_context_rttime_new(
            context, limit,
            { @Sendable _, _, _, data in
                data.map {
                    pa_threaded_mainloop_signal(
                        Unmanaged<SoundServerWatch>.fromOpaque($0).takeUnretainedValue().loop, 0)
                }
            }, Unmanaged.passUnretained(self).toOpaque())
        defer { if let alarm { pa_threaded_mainloop_get_api(loop).pointee.time_free(alarm) } }
        while !isOver, pa_context_get_state(context) != PA_CONTEXT_READY {
            guard pa_rtclock_now() < limit else { return false }
            pa_threaded_mainloop_wait(loop)
        }
        return !isOver
    }

    private var isOver: Bool {
        let state = pa_context_get_state(context)
        return state == PA_CONTEXT_FAILED || state == PA_CONTEXT_TERMINATED
    }

    private func stateChanged() {
        pa_threaded_mainloop_signal(loop, 0)
        if isOver, isWatching.exchange(false, ordering: .acquiringAndReleasing) { onLoss() }
    }
}
