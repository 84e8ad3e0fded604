import BaseKit

/// Decides when a change of the machine's addresses is one to tell.
///
/// Networks come up in several steps: a change counts once nothing has changed for a moment, and without any address there
/// is nothing to begin with.
struct AddressWatch: Sendable, Equatable {
    /// How long the addresses have to stay the same.
    static let settling = Duration.milliseconds(250)

    /// What to do after a look.
    enum Verdict: Sendable, Equatable {
        /// Nothing, until something changes.
        case rest
        /// Look again at this time.
        case look(at: Instant)
        /// Tell it, and look again when something changes.
        case changed(AddressChange)
        /// Tell that there is no address left, and look again when something changes.
        case lost
    }

    private var told: Set<String>
    private var seen: Set<String>
    private var seenSince: Instant
    private var wasWithout = false

    /// Begins with the addresses of now, of which nothing is told.
    init(addresses: Set<String>, now: Instant) {
        told = addresses
        seen = addresses
        seenSince = now
    }

    /// Takes the addresses of now.
    mutating func look(_ addresses: Set<String>, now: Instant) -> Verdict {
        if addresses != seen {
            seen = addresses
            seenSince = now
        }
        guard seen != told || wasWithout else { return .rest }
        guard now - seenSince >= Self.settling else { return .look(at: seenSince + Self.settling) }
        guard !seen.isEmpty else {
            defer { wasWithout = true }
            return wasWithout ? .rest : .lost
        }
        let change = AddressChange(hasLostAddress: !told.isSubset(of: seen))
        told = seen
        wasWithout = false
        return .changed(change)
    }
}

/// The machine's addresses have changed, and there is at least one.
struct AddressChange: Sendable, Equatable {
    /// Whether one that was there is gone: what used it can't go on.
    var hasLostAddress: Bool
}
