import BaseKit

/// How often messages are told by notifications: of each person and of all together. What is not told is seen in the list of contacts.
struct MessageNotices {
    private static let intervalOfPerson = Duration.seconds(3)
    private static let mostInAll = 10
    private static let timeInAll = Duration.seconds(30)

    private var last: [ContactItem.ID: Instant] = [:]
    private var recent: [Instant] = []

    /// Whether a message of this person is told now; counts it if so.
    mutating func admits(_ person: ContactItem.ID, at now: Instant) -> Bool {
        recent.removeAll { now - $0 >= Self.timeInAll }
        last = last.filter { now - $0.value < Self.intervalOfPerson }
        guard last[person] == nil, recent.count < Self.mostInAll else { return false }
        last[person] = now
        recent.append(now)
        return true
    }
}
