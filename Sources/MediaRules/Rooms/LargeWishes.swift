import BaseKit

/// Of whom large pictures are wanted here. Members of a room are told, so that nobody makes large ones that nobody looks at: a forwarding
/// server tells no sender what is asked of it.
package struct LargeWishes: Sendable, Equatable {
    /// How long large ones have not been asked for until that is told: each telling is a message of 16 KiB by a relay.
    static let patience: Duration = .seconds(3)

    private var told: [UInt8: Bool] = [:]
    private var unwantedSince: [UInt8: Instant] = [:]

    package init() {}

    /// Takes what is asked for of each member. That large ones are wanted counts at once, and so does what is said of somebody first.
    /// - Returns: of whom they are wanted and of whom not, where that is another answer than before; nil otherwise.
    package mutating func update(_ choice: [UInt8: ForwardedLayer], now: Instant) -> [UInt8: Bool]? {
        let before = told
        unwantedSince = unwantedSince.filter { choice[$0.key] != nil }
        for (member, layer) in choice {
            if layer == .high {
                (told[member], unwantedSince[member]) = (true, nil)
            } else if told[member] != false {
                let since = unwantedSince[member] ?? now
                unwantedSince[member] = since
                if told[member] == nil || now - since >= Self.patience { told[member] = false }
            }
        }
        return told == before ? nil : told
    }
}
