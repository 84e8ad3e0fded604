import BaseKit
import Signaling
import Synchronization

/// Hands the updates of all calls to everybody who listens, beginning with the present state.
final class UpdateHub: Sendable {
    /// How many ended calls are remembered for who asks for one call late.
    private static let endedCapacity = 32

    private struct State {
        var live: [CallID: CallUpdate] = [:]
        var ended: [CallUpdate] = []
    }

    private let state = Mutex(State())
    private let updates = Broadcaster<CallUpdate>()

    /// The updates of all calls, or of one. The stream of one call finishes after its end.
    func stream(of callID: CallID?) -> AsyncStream<CallUpdate> {
        state.withLock { state in
            guard let callID else { return updates.stream(beginning: Array(state.live.values)) }
            if let ended = state.ended.last(where: { $0.callID == callID }) {
                let (stream, continuation) = AsyncStream.makeStream(of: CallUpdate.self)
                continuation.yield(ended)
                continuation.finish()
                return stream
            }
            return updates.stream(
                beginning: state.live[callID].map { [$0] } ?? [], where: { $0.callID == callID },
                through: { $0.endReason != nil })
        }
    }

    /// The last update of a call.
    func latest(_ callID: CallID) -> CallUpdate? {
        state.withLock { state in state.live[callID] ?? state.ended.last { $0.callID == callID } }
    }

    /// Tells an update, unless it is the same as the last one of its call.
    func publish(_ update: CallUpdate) {
        state.withLock { state in
            guard state.live[update.callID] != update else { return }
            if update.endReason == nil {
                state.live[update.callID] = update
            } else {
                state.live[update.callID] = nil
                state.ended.append(update)
                if state.ended.count > Self.endedCapacity { state.ended.removeFirst() }
            }
            updates.send(update)
        }
    }

    /// Finishes all streams.
    func finish() { updates.finish() }
}
