import BaseKit
import Calling

/// How many messages are kept of each contact and in all within a time: who writes without end is borne in a burst as long as what is
/// kept of them at most.
struct MessageBudget: Sendable {
    private struct Bucket: Sendable {
        /// The time that what was taken costs and that has not passed yet.
        private var debt = Duration.zero
        private var updatedAt = Instant(sinceStart: .zero)

        mutating func admits(_ burst: Int, _ interval: Duration, at now: Instant) -> Bool {
            debt = max(.zero, debt - max(.zero, now - updatedAt))
            updatedAt = max(updatedAt, now)
            guard debt + interval <= interval * burst else { return false }
            debt += interval
            return true
        }

        func isFull(at now: Instant) -> Bool { now - updatedAt >= debt }
    }

    private static let burstOfContact = MessageIndex.limitOfContact
    private static let intervalOfContact = Duration.seconds(3)
    private static let burstInAll = 2_000
    private static let intervalInAll = Duration.milliseconds(500)

    private var contacts: [ContactID: Bucket] = [:]
    private var all = Bucket()

    /// Whether another message of the contact is kept; counts it if so.
    mutating func admits(_ contact: ContactID, at now: Instant) -> Bool {
        var own = contacts[contact] ?? Bucket()
        guard own.admits(Self.burstOfContact, Self.intervalOfContact, at: now),
            all.admits(Self.burstInAll, Self.intervalInAll, at: now)
        else { return false }
        contacts = contacts.filter { !$0.value.isFull(at: now) }
        contacts[contact] = own
        return true
    }
}
