import BaseKit

/// One sending of a notification: goes with the effect, comes back with what became of it.
package struct NotificationSending: Sendable, Hashable {
    let number: Int
    /// The notification that is to be replaced, if one stands.
    package let replacing: UInt32?
}

/// The place of one notification at the server: what was sent, what stands there, and which events are about it.
struct NotificationSlot: Sendable {
    /// What an event means for it.
    enum News: Equatable {
        case nothing
        /// A button was pressed.
        case pressed(String, token: String?)
        /// The person sent it away.
        case dismissed
        /// It went because of something the person did before they can have seen what it is.
        case startled
        /// It went by itself.
        case gone
    }

    /// What is to be done once a sending has arrived.
    struct Arrival: Equatable {
        /// It is not wanted any more.
        var closing: UInt32?
        /// What was told of it meanwhile.
        var events: [NotificationEvent] = []
        /// Something else is to be shown there by now.
        var isOutdated = false
    }

    /// How long it stands before a press counts: what came earlier was meant for what was there before. The windows wait as long.
    static let timeToLook = Duration.seconds(1)
    /// How often it is shown again by itself, whatever the server does.
    static let mostRepeats = 8
    /// How many events may wait for a number.
    static let mostEarlyEvents = 16

    private enum Place: Equatable {
        case nowhere
        case sending(Int, isWanted: Bool, isOutdated: Bool)
        case standing(UInt32)
    }

    private var place = Place.nowhere
    private var number = 0
    private var repeats = 0
    private var since: Instant?
    private var isStartled = false
    /// All numbers it has had at this server: some keep a closed notification on the screen, its buttons alive.
    private var ids: Set<UInt32> = []
    private var tokens: [UInt32: String] = [:]
    private var early: [NotificationEvent] = []

    /// Whether a sending is on its way.
    var isSending: Bool { if case .sending = place { true } else { false } }

    /// Whether it stands, or is about to.
    var isPresent: Bool { place != .nowhere }

    /// Begins to show it; nil while an earlier sending is under way, after which it comes (``Arrival/isOutdated``).
    mutating func show() -> NotificationSending? {
        if case .sending(let number, _, _) = place {
            place = .sending(number, isWanted: true, isOutdated: true)
            return nil
        }
        number += 1
        defer { place = .sending(number, isWanted: true, isOutdated: false) }
        if case .standing(let id) = place { return NotificationSending(number: number, replacing: id) }
        return NotificationSending(number: number, replacing: nil)
    }

    /// Shows it again because the server has lost it; nil once that was too often.
    mutating func showAgain() -> NotificationSending? {
        guard repeats < Self.mostRepeats else { return nil }
        repeats += 1
        return show()
    }

    /// A sending has arrived.
    mutating func shown(_ sending: NotificationSending, as id: UInt32, at now: Instant) -> Arrival {
        // One of a server that has left is of no interest: its numbers mean others' notifications now.
        guard case .sending(sending.number, let isWanted, let isOutdated) = place else { return Arrival() }
        let events = early
        early = []
        guard isWanted else {
            place = .nowhere
            return Arrival(closing: id)
        }
        place = .standing(id)
        ids.insert(id)
        since = now
        isStartled = false
        return Arrival(events: events, isOutdated: isOutdated)
    }

    /// A sending has failed; says whether something else is to be sent by now.
    mutating func notShown(_ sending: NotificationSending) -> Bool {
        guard case .sending(sending.number, let isWanted, let isOutdated) = place else { return false }
        place = .nowhere
        early = []
        return isWanted && isOutdated
    }

    /// Takes it back; gives the number to be closed, if it stands.
    mutating func withdraw() -> UInt32? {
        switch place {
        case .nowhere: return nil
        case .sending(let number, _, _):
            place = .sending(number, isWanted: false, isOutdated: false)
            return nil
        case .standing(let id):
            place = .nowhere
            return id
        }
    }

    /// The server has gone, and all that it showed.
    mutating func forget() {
        place = .nowhere
        ids = []
        tokens = [:]
        early = []
    }

    /// What an event of the server means.
    mutating func receive(_ event: NotificationEvent, at now: Instant) -> News {
        guard let id = event.id else { return .nothing }
        guard ids.contains(id) else {
            if isSending, early.count < Self.mostEarlyEvents { early.append(event) }
            return .nothing
        }
        switch event {
        case .token(_, let token):
            tokens[id] = token
            return .nothing
        case .pressed(_, let key):
            let token = tokens.removeValue(forKey: id)
            guard now.isAfter(since, by: Self.timeToLook) else {
                isStartled = true
                return .nothing
            }
            return .pressed(key, token: token)
        case .closed(_, let closing):
            guard place == .standing(id) else { return .nothing }
            place = .nowhere
            // A server that closes what was pressed does so at once; what comes much later is another wish.
            if isStartled, !now.isAfter(since, by: Self.timeToLook * 2) { return .startled }
            guard closing == .dismissed else { return .gone }
            return now.isAfter(since, by: Self.timeToLook) ? .dismissed : .startled
        case .came, .left: return .nothing
        }
    }
}

extension NotificationEvent {
    /// The notification it is about.
    var id: UInt32? {
        switch self {
        case .closed(let id, _), .pressed(let id, _), .token(let id, _): id
        case .came, .left: nil
        }
    }
}
