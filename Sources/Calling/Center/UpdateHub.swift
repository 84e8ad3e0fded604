import Signaling
import Synchronization

/// Hands the updates of all calls to everybody who listens, beginning with the present state.
final class UpdateHub: Sendable {
    /// How many ended calls are remembered for who asks for one call late.
    private static let endedCapacity = 32

    private struct Listener {
        var callID: CallID?
        var continuation: AsyncStream<CallUpdate>.Continuation
    }

    private struct State {
        var live: [CallID: CallUpdate] = [:]
        var ended: [CallUpdate] = []
        var listeners: [Int: Listener] = [:]
        var nextListener = 0
    }

    private let state = Mutex(State())

    /// The updates of all calls, or of one. The stream of one call finishes after its end.
    func stream(of callID: CallID?) -> AsyncStream<CallUpdate> {
        let (stream, continuation) = AsyncStream.makeStream(of: CallUpdate.self)
        let number: Int? = state.withLock { state in
            let ended = state.ended.last { $0.callID == callID }
            for update in state.live.values where callID == nil || callID == update.callID {
                continuation.yield(update)
            }
            if let ended {
                continuation.yield(ended)
                continuation.finish()
                return nil
            }
            state.nextListener += 1
            state.listeners[state.nextListener] = Listener(callID: callID, continuation: continuation)
            return state.nextListener
        }
        if let number {
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { _ = $0.listeners.removeValue(forKey: number) }
            }
        }
        return stream
    }

    /// The last update of a call.
    func latest(_ callID: CallID) -> CallUpdate? {
        state.withLock { state in state.live[callID] ?? state.ended.last { $0.callID == callID } }
    }

    /// Tells an update, unless it is the same as the last one of its call.
    func publish(_ update: CallUpdate) {
        let finished: [AsyncStream<CallUpdate>.Continuation] = state.withLock { state in
            guard state.live[update.callID] != update else { return [] }
            var finished: [AsyncStream<CallUpdate>.Continuation] = []
            for (number, listener) in state.listeners where listener.callID == nil || listener.callID == update.callID {
                listener.continuation.yield(update)
                if listener.callID != nil && update.endReason != nil {
                    finished.append(listener.continuation)
                    state.listeners[number] = nil
                }
            }
            if update.endReason == nil {
                state.live[update.callID] = update
            } else {
                state.live[update.callID] = nil
                state.ended.append(update)
                if state.ended.count > Self.endedCapacity { state.ended.removeFirst() }
            }
            return finished
        }
        // Outside of the lock: finishing calls the termination handler.
        for continuation in finished { continuation.finish() }
    }

    /// Finishes all streams.
    func finish() {
        let continuations = state.withLock { state in
            defer { state.listeners = [:] }
            return state.listeners.values.map(\.continuation)
        }
        for continuation in continuations { continuation.finish() }
    }
}
