import Synchronization

/// Hands each value to every listener, and the latest one to a listener that comes late.
///
/// Listeners are `AsyncStream`s of their own; a slow one delays nobody.
final class Broadcaster<Value: Sendable>: Sendable {
    private struct State {
        var latest: Value?
        var isFinished = false
        var nextListener = 0
        var listeners: [Int: AsyncStream<Value>.Continuation] = [:]
    }

    private let state: Mutex<State>

    init(_ initial: Value? = nil) {
        state = Mutex(State(latest: initial))
    }

    var latest: Value? { state.withLock { $0.latest } }

    func send(_ value: Value) {
        let listeners = state.withLock { state -> [AsyncStream<Value>.Continuation] in
            guard !state.isFinished else { return [] }
            state.latest = value
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.yield(value) }
    }

    /// Ends every listener's stream, present and future, after the latest value.
    func finish() {
        let listeners = state.withLock { state -> [AsyncStream<Value>.Continuation] in
            state.isFinished = true
            defer { state.listeners = [:] }
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.finish() }
    }

    /// A stream that begins with the latest value, if there is one.
    func stream() -> AsyncStream<Value> {
        let (stream, continuation) = AsyncStream<Value>.makeStream()
        state.withLock { state in
            if let latest = state.latest { continuation.yield(latest) }
            guard !state.isFinished else { return continuation.finish() }
            let listener = state.nextListener
            state.nextListener += 1
            state.listeners[listener] = continuation
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { _ = $0.listeners.removeValue(forKey: listener) }
            }
        }
        return stream
    }
}
