import Synchronization

/// A value that changes, for listeners who want to know how it stands first.
public final class CurrentValue<Value: Sendable>: Sendable {
    private struct State {
        var value: Value
        var isFinished = false
    }

    private let state: Mutex<State>
    private let listeners = Broadcaster<Value>()

    public init(_ value: Value) { state = Mutex(State(value: value)) }

    /// How it stands.
    public var value: Value { state.withLock { $0.value } }

    /// Changes it, and tells everybody; nothing after ``finish()``.
    public func send(_ value: Value) {
        state.withLock { state in
            guard !state.isFinished else { return }
            state.value = value
            listeners.send(value)
        }
    }

    /// Ends every listener's stream, present and future, after the latest value.
    public func finish() {
        state.withLock { $0.isFinished = true }
        listeners.finish()
    }

    /// The value as it is, then each one that follows.
    public func stream() -> AsyncStream<Value> {
        state.withLock { listeners.stream(beginning: [$0.value]) }
    }
}
