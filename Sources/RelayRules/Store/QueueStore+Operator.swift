import SMP
import SMPSession

// What an operator decides (SMP fact sheet §9.1).
extension QueueStore {
    /// A queue as an operator sees it.
    package struct Sized: Sendable, Equatable {
        package let id: EntityID
        package let messages: Int
        package let bytes: Int
        package let isBlocked: Bool
    }

    /// The queue that an id names to anybody.
    func queue(named id: EntityID) -> EntityID? { queues[id] != nil ? id : senders[id] ?? links[id] }

    /// The next queues of a walk that hold anything.
    package func sizes(_ walk: inout ExpiryWalk, queues count: Int) -> [Sized] {
        walk.next(count, in: order.count).compactMap { place in
            guard let queue = queues[order[place]], !queue.messages.isEmpty else { return nil }
            let isBlocked = if case .blocked = queue.status { true } else { false }
            let bytes = queue.messages.reduce(0) { $0 + $1.bodyCount + StoreLimits.rowCost }
            return Sized(
                id: queue.recipientID, messages: queue.messages.count, bytes: bytes, isBlocked: isBlocked)
        }
    }

    /// Blocks a queue; one that was switched off stays so.
    package mutating func operatorBlocks(_ id: EntityID, reason: String) throws(ControlError) {
        guard let id = queue(named: id), let queue = queues[id] else { throw .noQueue }
        guard queue.status != .off else { throw .alreadyOff }
        block(id, SMPError.BlockingInfo(reason: reason))
    }

    package mutating func operatorUnblocks(_ id: EntityID) throws(ControlError) {
        guard let id = queue(named: id), let queue = queues[id] else { throw .noQueue }
        guard case .blocked = queue.status else { throw .notBlocked }
        queues[id]?.status = .active
        recordQueue(id)
    }

    package mutating func operatorBlocks(_ origin: ConnectionOrigin) {
        if blockedOrigins.insert(origin).inserted { journal.append(.blockAddress(origin, true)) }
    }

    package mutating func operatorUnblocks(_ origin: ConnectionOrigin) throws(ControlError) {
        guard blockedOrigins.remove(origin) != nil else { throw .notBlocked }
        journal.append(.blockAddress(origin, false))
    }
}
