import Signaling

/// The names of calls that are over or were never taken, so that a message which comes late or again is known as such.
/// It forgets the oldest beyond ``capacity``.
struct CallMemory: Sendable {
    static let capacity = 256

    /// What is known of a call.
    private struct Trace {
        /// Who was called; nil when this side was.
        var callee: ContactID?
        /// Whether an offer that came late was answered.
        var isAnswered = false
    }

    private var traces: [CallID: Trace] = [:]
    private var order: [CallID] = []

    func contains(_ id: CallID) -> Bool { traces[id] != nil }

    /// - Parameter callee: who was called; nil when this side was.
    mutating func remember(_ id: CallID, callee: ContactID? = nil) {
        guard traces[id] == nil else { return }
        traces[id] = Trace(callee: callee)
        order.append(id)
        if order.count > Self.capacity { traces[order.removeFirst()] = nil }
    }

    /// Whether an offer of this contact accepts a call of ours that is over, and is the first to do so. Notes it if so.
    mutating func isAcceptedLate(_ id: CallID, by contact: ContactID) -> Bool {
        guard let trace = traces[id], trace.callee == contact, !trace.isAnswered else { return false }
        traces[id]?.isAnswered = true
        return true
    }
}
