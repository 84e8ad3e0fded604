import BaseKit

/// Of whom large pictures are wanted here. Members of a room are told, so that nobody makes large ones that nobody looks at: a forwarding
/// server tells no sender what is asked of it.
package struct LargeWishes: Sendable, Equatable {
    /// How long large ones have not been asked for until that is told: each telling is a message of 16 KiB by a relay, and what a full way
    /// takes away it mostly gives back sooner.
    static let patience: Duration = .seconds(10)
    /// How long it may take until it is known how large somebody's pictures are shown, once they come.
    static let unknown: Duration = .seconds(2)

    private var told: [UInt8: Bool] = [:]
    /// Since when smaller ones are asked for of whom it was told otherwise.
    private var unwantedSince: [UInt8: Instant] = [:]
    /// Since when pictures come.
    private var seenSince: [UInt8: Instant] = [:]

    package init() {}

    /// Takes what is asked for of each member. Of whom no pictures have come nothing is said, unless none are wanted. That large ones are
    /// wanted counts at once, and so does what is said of somebody first.
    /// - Returns: of whom they are wanted and of whom not, where that is another answer than before; nil otherwise.
    package mutating func update(
        _ choice: [UInt8: ForwardedLayer], of feeds: [UInt8: LayerChoice.Feed], now: Instant
    ) -> [UInt8: Bool]? {
        let before = told
        unwantedSince = unwantedSince.filter { choice[$0.key] != nil }
        for (member, layer) in choice {
            guard let feed = feeds[member], feed.coming != nil || layer == .none else { continue }
            let seen = seenSince[member] ?? now
            seenSince[member] = seen
            if layer == .high {
                unwantedSince[member] = nil
                if told[member] != nil || feed.shown != nil || now - seen >= Self.unknown { told[member] = true }
            } else if told[member] != false {
                let since = unwantedSince[member] ?? now
                unwantedSince[member] = since
                if told[member] == nil || now - since >= Self.patience { told[member] = false }
            }
        }
        return told == before ? nil : told
    }
}
