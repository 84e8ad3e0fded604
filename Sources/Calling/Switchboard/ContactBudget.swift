import BaseKit

/// How often contacts may cause something: each of them, and all together. Whoever does so without end is borne in a burst and
/// then now and then.
///
/// Pure. Only contacts that have used something of theirs take room.
struct ContactBudget: Sendable {
    /// So many at once, and one more after each interval.
    struct Limit: Sendable, Equatable {
        /// How many at once.
        var burst: Int
        /// How long until one more.
        var interval: Duration
    }

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

    private let perContact: Limit
    private let inAll: Limit
    private var contacts: [ContactID: Bucket] = [:]
    private var all = Bucket()

    init(perContact: Limit, inAll: Limit) {
        self.perContact = perContact
        self.inAll = inAll
    }

    /// Invitations that ring or leave a missed call. A call that the person takes costs nothing.
    static var ringing: ContactBudget {
        ContactBudget(
            perContact: Limit(burst: 8, interval: .seconds(10)), inAll: Limit(burst: 20, interval: .seconds(5)))
    }

    /// Transports that take the place of a call's, at the contact's wish. A path that breaks every ten seconds needs no more.
    static var renewals: ContactBudget {
        ContactBudget(
            perContact: Limit(burst: 60, interval: .seconds(10)), inAll: Limit(burst: 120, interval: .seconds(5)))
    }

    /// How many contacts take room.
    var contactCount: Int { contacts.count }

    /// Whether it may happen once more because of the contact now; counts it if so.
    mutating func admits(_ contact: ContactID, at now: Instant) -> Bool {
        var own = contacts[contact] ?? Bucket()
        guard own.admits(within: perContact, at: now), all.admits(within: inAll, at: now) else { return false }
        contacts = contacts.filter { !$0.value.isFull(at: now) }
        contacts[contact] = own
        return true
    }

    /// The last one costs nothing after all.
    mutating func giveBack(_ contact: ContactID) {
        contacts[contact]?.giveBack(perContact)
        all.giveBack(inAll)
    }
}
