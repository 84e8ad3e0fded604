import BaseKit

/// Decides when relays count as unusable: webrtcbin reports neither wrong credentials nor a silent server, there are only no
/// candidates.
package struct RelayWatch: Sendable, Equatable {
    /// The time from the start of gathering after which no more is expected of a relay.
    static let patience: Duration = .seconds(8)
    /// webrtcbin may say that gathering is complete before it has told the last candidates.
    static let settling: Duration = .milliseconds(300)

    private var dueAt: Instant?
    package private(set) var hasRelay = false

    /// Watches `relayCount` TURN servers; none means there is nothing to watch for.
    package init(relayCount: Int, isRelayOnly: Bool) {
        isOver = relayCount == 0 && !isRelayOnly
    }

    private var isOver: Bool

    /// Gathering began.
    mutating func began(now: Instant) {
        dueAt = dueAt ?? now + Self.patience
    }

    /// Gathering was said to be complete.
    package mutating func completed(now: Instant) {
        dueAt = dueAt.map { min($0, now + Self.settling) }
    }

    /// All relays were found to be out of reach.
    package mutating func lost(now: Instant) { completed(now: now) }

    /// A relayed candidate was found.
    package mutating func found() { hasRelay = true }

    /// True once: no relay gave a candidate in its time.
    package mutating func poll(now: Instant) -> Bool {
        guard !isOver, let dueAt else { return false }
        if hasRelay {
            isOver = true
            return false
        }
        guard now >= dueAt else { return false }
        isOver = true
        return true
    }
}
