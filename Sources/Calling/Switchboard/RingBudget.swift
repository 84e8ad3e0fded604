/// How often invitations may ring, or leave a missed call: of each contact, and of all together. Whoever dials without end
/// is borne in a burst and then rings a few times a minute. A call that the person takes costs nothing.
///
/// Pure; times are milliseconds of a steady clock.
struct RingBudget: Sendable {
    /// Tokens that come back one by one.
    private struct Bucket: Sendable {
        /// Milliseconds that the tokens taken cost and that have not passed yet.
        private var debt: Int64 = 0
        private var updatedAt: Int64 = 0

        /// Takes a token, if there is one.
        mutating func take(of limit: Limit, at now: Int64) -> Bool {
            debt = max(0, debt - max(0, now - updatedAt))
            updatedAt = max(updatedAt, now)
            guard debt + limit.interval <= limit.burst * limit.interval else { return false }
            debt += limit.interval
            return true
        }

        mutating func giveBack(_ limit: Limit) { debt = max(0, debt - limit.interval) }

        func isFull(at now: Int64) -> Bool { now - updatedAt >= debt }
    }

    private struct Limit {
        /// How many at once.
        var burst: Int64
        /// Milliseconds for one more.
        var interval: Int64
    }

    private static let perContact = Limit(burst: 8, interval: 10_000)
    private static let inAll = Limit(burst: 20, interval: 5_000)

    private var contacts: [ContactID: Bucket] = [:]
    private var all = Bucket()

    /// Whether another invitation of the contact may ring now; counts it if so.
    mutating func take(_ contact: ContactID, at now: Int64) -> Bool {
        var own = contacts[contact] ?? Bucket()
        guard own.take(of: Self.perContact, at: now), all.take(of: Self.inAll, at: now) else { return false }
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
