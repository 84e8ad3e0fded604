import CGLib
import Synchronization

/// Who listens on a connection. Called on GDBus's thread with every message that comes in.
final class BusListeners: Sendable {
    private struct State {
        var next = 0
        var streams: [Int: (filter: BusSignalFilter, continuation: AsyncStream<BusSignal>.Continuation)] = [:]
        var isFinished = false
        var service: (@Sendable (OpaquePointer) -> Bool)?
    }

    private let state = Mutex(State())

    func add(_ filter: BusSignalFilter, _ continuation: AsyncStream<BusSignal>.Continuation) -> Int {
        state.withLock { state in
            state.next += 1
            guard !state.isFinished else {
                continuation.finish()
                return state.next
            }
            state.streams[state.next] = (filter, continuation)
            return state.next
        }
    }

    /// Whether it was still there.
    func remove(_ listener: Int) -> Bool { state.withLock { $0.streams.removeValue(forKey: listener) != nil } }

    func serve(_ body: @escaping @Sendable (OpaquePointer) -> Bool) { state.withLock { $0.service = body } }

    func finish() {
        let streams = state.withLock { state in
            defer {
                state.streams = [:]
                state.service = nil
                state.isFinished = true
            }
            return state.streams.values.map(\.continuation)
        }
        for stream in streams { stream.finish() }
    }

    /// Passes a message on; gives nil when it has been dealt with.
    func filter(_ message: OpaquePointer) -> OpaquePointer? {
        if let signal = BusSignal(message) {
            let wanted = state.withLock { $0.streams.values.filter { $0.filter.accepts(signal) }.map(\.continuation) }
            for continuation in wanted { continuation.yield(signal) }
            return message
        }
        guard g_dbus_message_get_message_type(message) == G_DBUS_MESSAGE_TYPE_METHOD_CALL,
            let service = state.withLock({ $0.service }), service(message)
        else { return message }
        g_object_unref(UnsafeMutableRawPointer(message))
        return nil
    }
}
