import BaseKit

/// How often invitations may ring, or leave a missed call: of each contact, and of all together. Whoever dials without end
/// is borne in a burst and then rings a few times a minute. A call that the person takes costs nothing.
struct RingBudget: Sendable {
    /// Tokens that come back one by one.
    private struct Bucket: Sendable {
        /// The time that the tokens taken cost and that has not passed yet.
        private var debt = Duration.zero
        private var updatedAt = Instant(sinceStart: .zero)

        /// Whether there is a token; takes it if so.
        mutating func admits(within limit: Limit, at now: Instant) -> Bool {
            debt = max(.zero, debt - max(.zero, now - updatedAt))
            updatedAt = max(updatedAt, now)
            guard debt + limit.interval <= limit.interval * limit.burst else { return false }
            debt += limit.interval
            return true
        }

        mutating func giveBack(_ limit: Limit) { debt = max(.zero, debt - limit.interval) }

        func isFull(at now: Instant) -> Bool { now - updatedAt >= debt }
    }

    private struct Limit {
        /// How many at once.
        var burst: Int
        /// How long until one more.
        var interval: Duration
    }

    private static let perContact = Limit(burst: 8, interval: .seconds(10))
    private static let inAll = Limit(burst: 20, interval: .seconds(5))

    private var contacts: [ContactID: Bucket] = [:]
    private var all = Bucket()

    /// Whether another invitation of the contact may ring now; counts it if so.
    mutating func admits(_ contact: ContactID, at now: Instant) -> Bool {
        var own = contacts[contact] ?? Bucket()
        guard own.admits(within: Self.perContact, at: now), all.admits(within: Self.inAll, at: now) else {
            return false
        }
        contacts = contacts.filter { !$0.value.isFull(at: now) }
        contacts[contact] = own
        return true
    }

    /// The person took the call.
    mutating func giveBack(_ contact: ContactID) {
        contacts[contact]?.giveBack(Self.perContact)
        all.giveBack(Self.inAll)
    }
}
