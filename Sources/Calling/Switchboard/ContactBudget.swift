import BaseKit

/// How often contacts may cause something: each of them, and all together. Whoever does so without end is borne in a burst and
/// then now and then.
///
/// Pure. Only contacts that have used something of theirs take room.
struct ContactBudget: Sendable {
    private let perContact: Allowance.Limit
    private var contacts: [ContactID: Allowance] = [:]
    private var all: Allowance

    init(perContact: Allowance.Limit, inAll: Allowance.Limit) {
        self.perContact = perContact
        all = Allowance(inAll)
    }

    /// Invitations that ring or leave a missed call. A call that the person takes costs nothing.
    static var ringing: ContactBudget {
        ContactBudget(
            perContact: .init(burst: 8, interval: .seconds(10)), inAll: .init(burst: 20, interval: .seconds(5)))
    }

    /// Transports that take the place of a call's, at the contact's wish. A path that breaks every ten seconds needs no more.
    static var renewals: ContactBudget {
        ContactBudget(
            perContact: .init(burst: 60, interval: .seconds(10)), inAll: .init(burst: 120, interval: .seconds(5)))
    }

    /// Messages of group calls, of each contact and by each line: ten a second, after a burst.
    static var groupMessages: ContactBudget {
        ContactBudget(
            perContact: .init(burst: 200, interval: .milliseconds(100)),
            inAll: .init(burst: 1_000, interval: .milliseconds(20)))
    }

    /// How many contacts take room.
    var contactCount: Int { contacts.count }

    /// Whether it may happen once more because of the contact now; counts it if so.
    mutating func admits(_ contact: ContactID, at now: Instant) -> Bool {
        var own = contacts[contact] ?? Allowance(perContact)
        guard own.admits(at: now), all.admits(at: now) else { return false }
        contacts = contacts.filter { !$0.value.isFull(at: now) }
        contacts[contact] = own
        return true
    }

    /// The last one costs nothing after all.
    mutating func giveBack(_ contact: ContactID) {
        contacts[contact]?.giveBack()
        all.giveBack()
    }
}
