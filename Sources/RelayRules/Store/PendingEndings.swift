import SMP

/// END and DELD wait for the next round (SMP fact sheet §9.2: every 15 s), so that a client that takes thousands of queues
/// over costs its earlier session a few blocks.
package struct PendingEndings: Sendable {
    private var waiting: [SessionNumber: [Push]] = [:]

    package init() {}

    /// Whether nothing waits.
    package var isEmpty: Bool { waiting.isEmpty }

    /// Keeps an event for its session.
    package mutating func add(_ push: Push) { waiting[push.session, default: []].append(push) }

    /// Forgets a session.
    package mutating func endSession(_ session: SessionNumber) { waiting[session] = nil }

    /// Hands all events over, in the order they came.
    package mutating func take() -> [SessionNumber: [Push]] {
        defer { waiting = [:] }
        return waiting
    }
}

extension Push {
    /// Whether the event may wait for the next round.
    package var isEnding: Bool {
        switch reply {
        case .plain(.ended), .plain(.deleted): true
        default: false
        }
    }
}

extension QueueStore {
    /// Whether an END is still true: its session may have subscribed again since.
    package func isDue(_ push: Push) -> Bool {
        if case .plain(.deleted) = push.reply { return true }
        return queues[push.entity]?.subscriber != push.session && desk.subscribers[push.entity] != push.session
    }
}
