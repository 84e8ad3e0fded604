import BaseKit
import Signaling

/// Hands the updates of all calls to everybody who listens, beginning with the present state.
final class UpdateHub: Sendable {
    /// How many ended calls are remembered for who asks for one call late.
    private static let endedCapacity = 32

    private struct State {
        var live: [CallID: CallUpdate] = [:]
        var ended: [CallUpdate] = []
    }

    private let state = Lock(State())
    private let updates = Broadcaster<CallUpdate>()

    /// The updates of all calls.
    func stream() -> AsyncStream<CallUpdate> {
        state.withLock { updates.stream(beginning: Array($0.live.values)) }
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
