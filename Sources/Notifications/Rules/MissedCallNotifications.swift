import BaseKit

/// The notifications of missed calls: one a person, with how many there were, until they have been seen.
public struct MissedCallNotifications: Sendable {
    /// What is to be done.
    public enum Effect: Sendable, Equatable {
        /// Tell how many calls of that person were missed.
        case show(person: String, count: Int, NotificationSending)
        case close(UInt32)
        /// A server is wanted, and there is none.
        case startServer
        /// The person here wants to call that one; the token lets a window come to the front.
        case callBack(person: String, token: String?)
        /// They want to see the program.
        case open(token: String?)
    }

    /// The key of the button for calling back.
    public static let callBack = "call-back"

    private struct Entry {
        var count = 0
        var slot = NotificationSlot()
    }

    private var entries: [String: Entry] = [:]
    private var hasServer: Bool

    /// None was missed yet; `hasServer` says whether there is somebody to show it.
    public init(hasServer: Bool = false) { self.hasServer = hasServer }

    /// How many calls of a person were missed and not seen.
    public func count(of person: String) -> Int { entries[person]?.count ?? 0 }

    /// A call of this person was missed.
    public mutating func missed(_ person: String) -> [Effect] {
        entries[person, default: Entry()].count += 1
        return hasServer ? show(person, again: false) : [.startServer]
    }

    /// All have been seen.
    public mutating func seen() -> [Effect] { entries.keys.sorted().flatMap { seen($0) } }

    /// Those of one person have been seen.
    public mutating func seen(_ person: String) -> [Effect] {
        guard var entry = entries[person] else { return [] }
        let standing = entry.slot.withdraw()
        entry.count = 0
        // What is on its way has to be taken back when it has arrived.
        entries[person] = entry.slot.isSending ? entry : nil
        return standing.map { [.close($0)] } ?? []
    }

    /// Something came from the server.
    public mutating func receive(_ event: NotificationEvent, at now: Instant) -> [Effect] {
        switch event {
        case .came:
            hasServer = true
            return entries.keys.sorted().flatMap { show($0, again: true) }
        case .left:
            hasServer = false
            for person in entries.keys { entries[person]?.slot.forget() }
            entries = entries.filter { $0.value.count > 0 }
            return []
        case .closed, .pressed, .token: break
        }
        return entries.keys.sorted().flatMap { take(event, of: $0, at: now) }
    }

    /// The server has taken a sending for a person, under this number.
    public mutating func shown(
        _ person: String, _ sending: NotificationSending, as id: UInt32, at now: Instant
    ) -> [Effect] {
        guard let arrival = entries[person]?.slot.shown(sending, as: id, at: now) else { return [] }
        var effects: [Effect] = []
        if let id = arrival.closing {
            entries[person] = nil
            effects.append(.close(id))
        }
        effects += arrival.events.flatMap { take($0, of: person, at: now) }
        if arrival.isOutdated { effects += show(person, again: false) }
        return effects
    }

    /// The server has not taken a sending for a person.
    public mutating func notShown(_ person: String, _ sending: NotificationSending) -> [Effect] {
        guard let isOutdated = entries[person]?.slot.notShown(sending) else { return [] }
        if count(of: person) == 0 { entries[person] = nil }
        return isOutdated ? show(person, again: false) : []
    }

    private mutating func show(_ person: String, again: Bool) -> [Effect] {
        guard hasServer, let count = entries[person]?.count, count > 0,
            let sending = again ? entries[person]?.slot.showAgain() : entries[person]?.slot.show()
        else { return [] }
        return [.show(person: person, count: count, sending)]
    }

    private mutating func take(_ event: NotificationEvent, of person: String, at now: Instant) -> [Effect] {
        switch entries[person]?.slot.take(event, at: now) {
        // What expires is not shown again, but counts on.
        case nil, .nothing, .gone: []
        case .pressed(Self.callBack, let token): [.callBack(person: person, token: token)] + seen(person)
        case .pressed(DesktopNotification.defaultAction, let token): [.open(token: token)] + seen(person)
        case .pressed: []
        case .dismissed: seen(person)
        case .startled: show(person, again: true)
        }
    }
}
