import Signaling

/// The names of calls that are over or were never taken, so that a message which comes late or again is known as such.
/// It forgets the oldest beyond ``capacity``.
struct CallMemory: Sendable {
    static let capacity = 256

    private var ids: Set<CallID> = []
    private var order: [CallID] = []

    func contains(_ id: CallID) -> Bool { ids.contains(id) }

    mutating func remember(_ id: CallID) {
        guard ids.insert(id).inserted else { return }
        order.append(id)
        if order.count > Self.capacity { ids.remove(order.removeFirst()) }
    }
}
