import Cryptography
import Logging
import RelayRules
import SMP

// What an operator may ask of a relay that runs.
extension RelayServer {
    /// Queues that are looked at before others have their turn.
    private static let slice = 500

    /// Does what an operator asks.
    ///
    /// - Returns: lines for a person, once what was changed is on disk.
    /// - Throws: `ControlError`.
    public func carryOut(_ request: ControlRequest) async throws(ControlError) -> [String] {
        let store = service.core
        switch request {
        case .queues(let count): return largest(count)
        case .block(.queue(let id), let reason):
            try change { store throws(ControlError) in try store.operatorBlocks(id, reason: reason) }
        case .unblock(.queue(let id)):
            try change { store throws(ControlError) in try store.operatorUnblocks(id) }
        case .block(.address(let origin), _):
            try change { store throws(ControlError) in store.operatorBlocks(origin) }
        case .unblock(.address(let origin)):
            try change { store throws(ControlError) in try store.operatorUnblocks(origin) }
        case .drain(let seconds):
            drain(over: .seconds(seconds))
            return ["The relay takes no more connections and ends within \(seconds) s."]
        }
        let position = store.withStore { $0.journal.position }
        await withCheckedContinuation { continuation in
            store.writer.whenWritten(position) { continuation.resume() }
        }
        return ["done"]
    }

    private func change(
        _ body: @escaping @Sendable (inout QueueStore) throws(ControlError) -> Void
    ) throws(ControlError) {
        let result = service.core.withStore { store in Result { () throws(ControlError) in try body(&store) } }
        try result.get()
        service.housekeeper.changed()
        refuseBlockedAddresses()
    }

    /// Has the listeners know which addresses are blocked.
    func refuseBlockedAddresses() { ledger.block(service.core.withStore { $0.blockedOrigins }) }

    private func largest(_ count: Int) -> [String] {
        var walk = service.core.withStore { ExpiryWalk($0) }
        var found: [QueueStore.Sized] = []
        while !walk.isOver {
            let step = walk
            let (sizes, next) = service.core.withStore { store in
                var walk = step
                return (store.sizes(&walk, queues: Self.slice), walk)
            }
            walk = next
            found = Array((found + sizes).sorted { ($0.bytes, $0.messages) > ($1.bytes, $1.messages) }.prefix(count))
        }
        return found.map { queue in
            let note = queue.isBlocked ? " blocked" : ""
            return "\(Base64URL.encode(queue.id.bytes)) \(queue.messages) messages \(queue.bytes) bytes\(note)"
        }
    }
}
