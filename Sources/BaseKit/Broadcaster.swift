/// Hands each value to everybody who listens at that moment.
///
/// Each listener has an `AsyncStream` of its own, so that a slow one delays nobody. Who keeps something that new listeners hear first
/// holds its lock over ``send(_:)`` and ``stream(beginning:buffering:where:onLeave:)``: then nothing is lost or told twice between
/// the two. Neither calls anything back while it holds its own.
public final class Broadcaster<Value: Sendable>: Sendable {
    private struct Listener {
        let continuation: AsyncStream<Value>.Continuation
        let accepts: (@Sendable (Value) -> Bool)?
    }

    private struct State {
        var listeners: [Int: Listener] = [:]
        var next = 0
        var isFinished = false
    }

    private let state = Lock(State())

    public init() {}

    /// Whether anybody listens.
    public var isHeard: Bool { state.withLock { !$0.listeners.isEmpty } }

    /// Tells those who listen for such a value.
    public func send(_ value: Value) {
        state.withLock { state in
            for listener in state.listeners.values where listener.accepts?(value) ?? true {
                listener.continuation.yield(value)
            }
        }
    }

    /// Ends every listener's stream, present and future.
    public func finish() {
        let listeners = state.withLock { state in
            state.isFinished = true
            defer { state.listeners = [:] }
            return state.listeners.values.map(\.continuation)
        }
        // Outside of the lock: finishing calls the termination handler.
        for continuation in listeners { continuation.finish() }
    }

    /// A stream of what is sent from now on.
    ///
    /// - Parameters:
    ///   - beginning: What it begins with.
    ///   - buffering: What happens to values that the listener has not read yet.
    ///   - accepts: Which values it is for, all when nil. Called under the lock.
    ///   - onLeave: Called, a little later, when the listener ends the stream by itself, not when ``finish()`` does.
    public func stream(
        beginning: [Value] = [], buffering: AsyncStream<Value>.Continuation.BufferingPolicy = .unbounded,
        where accepts: (@Sendable (Value) -> Bool)? = nil, onLeave: (@Sendable () -> Void)? = nil
    ) -> AsyncStream<Value> {
        let (stream, continuation) = AsyncStream<Value>.makeStream(bufferingPolicy: buffering)
        for value in beginning { continuation.yield(value) }
        let number: Int? = state.withLock { state in
            guard !state.isFinished else { return nil }
            state.next += 1
            state.listeners[state.next] = Listener(continuation: continuation, accepts: accepts)
            return state.next
        }
        guard let number else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            // Never at once: who cancels the listener's task holds that task's lock now, and a sender that holds ours may be waiting for
            // it, to wake the listener.
            WorkerThreads.shared.run { [weak self] in
                let left = self?.state.withLock { $0.listeners.removeValue(forKey: number) }
                if left != nil { onLeave?() }
            }
        }
        return stream
    }
}

extension Broadcaster<Void> {
    /// Waits until a condition holds, the task is cancelled, or this finishes. Each change of the condition is to be sent here.
    public func wait(isolation: isolated (any Actor)? = #isolation, until isSo: () -> Bool) async {
        let news = stream(buffering: .bufferingNewest(1))
        guard !isSo() else { return }
        for await _ in news where isSo() { return }
    }
}
