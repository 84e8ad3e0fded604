import BaseKit

/// The notifications of missed calls: one a person, with how many there were, until they have been seen.
///
/// Each is in one place: with whoever keeps notifications beyond the program's end, if it may last and somebody does; else at the
/// notification server.
package struct MissedCallNotifications: Sendable {
    /// What is to be done.
    package enum Effect: Sendable, Equatable {
        /// Tell how many calls of that person were missed.
        case show(person: String, count: Int, NotificationSending)
        /// Tell the same without buttons, in place of what stands: the program will not be there to hear of them.
        case leave(person: String, count: Int, NotificationSending)
        case close(UInt32)
        /// Have how many calls of that person were missed kept beyond the program's end, by this owner of the keepers' name.
        case keep(person: String, count: Int, owner: String)
        /// Have what is kept of that person taken away.
        case discard(person: String, owner: String)
        /// A server is wanted, and there is none.
        case startServer
        /// The person here wants to call that one; the token lets a window come to the front.
        case callBack(person: String, token: String?)
        /// They want to see the program, as they were told of that person.
        case open(person: String, token: String?)
    }

    /// The key of the button for calling back.
    package static let callBack = "call-back"

    private struct Entry {
        var count = 0
        var slot = NotificationSlot()
        var isLasting = false
        /// Whether its text may stay at the server beyond the program's end.
        var isLeft = false
        /// Who keeps it, if somebody does.
        var keeper: String?
    }

    private var entries: [String: Entry] = [:]
    private var hasServer: Bool
    private var keeper: String?
    /// Whether this keeper has refused what it was to keep.
    private var hasRefused = false
    private var hasEnded = false

    /// None was missed yet; `hasServer` says whether there is somebody to show it.
    package init(hasServer: Bool = false) { self.hasServer = hasServer }

    /// How many calls of a person were missed and not seen.
    package func count(of person: String) -> Int { entries[person]?.count ?? 0 }

    /// A call of this person was missed. What is lasting goes to the keeper, where there is one. What is left is still to be read after
    /// the program's end, wherever it is.
    package mutating func missed(_ person: String, isLasting: Bool = false, isLeft: Bool = true) -> [Effect] {
        entries[person, default: Entry()].count += 1
        entries[person]?.isLasting = isLasting
        entries[person]?.isLeft = isLeft
        return tell(person)
    }

    /// All have been seen.
    package mutating func seen() -> [Effect] { entries.keys.sorted().flatMap { seen($0) } }

    /// Those of one person have been seen.
    package mutating func seen(_ person: String) -> [Effect] {
        guard var entry = entries[person] else { return [] }
        let standing = entry.slot.withdraw()
        let kept = entry.keeper.map { [Effect.discard(person: person, owner: $0)] } ?? []
        entry.count = 0
        entry.keeper = nil
        // What is on its way has to be taken back when it has arrived.
        entries[person] = entry.slot.isSending ? entry : nil
        return kept + (standing.map { [.close($0)] } ?? [])
    }

    /// The program ends. What is kept stays where it is; what stands at the server stays to be read, without buttons, or is taken back.
    package mutating func end() -> [Effect] {
        hasEnded = true
        return entries.keys.sorted().flatMap { person in
            guard let entry = entries[person], entry.count > 0, entry.keeper == nil, entry.isLeft else {
                entries[person]?.keeper = nil
                return seen(person)
            }
            return entry.slot.isPresent ? show(person, again: false) : []
        }
    }

    /// The keepers' name has this owner from now on, or nobody has it. What another one kept is gone.
    package mutating func keeper(is owner: String?) -> [Effect] {
        guard owner != keeper else { return [] }
        keeper = owner
        hasRefused = false
        for person in entries.keys { entries[person]?.keeper = nil }
        let lasting = entries.filter { $0.value.isLasting && $0.value.count > 0 }.keys.sorted()
        return owner != nil || hasServer ? lasting.flatMap { show($0, again: false) } : []
    }

    /// A keeper has not kept what it was to keep of a person: it is told the other way, and so is what follows.
    mutating func notKept(_ person: String, by owner: String) -> [Effect] {
        guard owner == keeper, entries[person]?.keeper == owner else { return [] }
        hasRefused = true
        entries[person]?.keeper = nil
        // One that only took too long has it all the same.
        return [.discard(person: person, owner: owner)] + tell(person)
    }

    /// Something came from the server.
    package mutating func receive(_ event: NotificationEvent, at now: Instant) -> [Effect] {
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
        guard !hasEnded else { return [] }
        return entries.keys.sorted().flatMap { receive(event, of: $0, at: now) }
    }

    /// The server has taken a sending for a person, under this number.
    package mutating func shown(
        _ person: String, _ sending: NotificationSending, as id: UInt32, at now: Instant
    ) -> [Effect] {
        guard let arrival = entries[person]?.slot.shown(sending, as: id, at: now) else { return [] }
        var effects: [Effect] = []
        if let id = arrival.closing {
            // What is kept elsewhere by now counts on.
            if count(of: person) == 0 { entries[person] = nil }
            effects.append(.close(id))
        }
        if !hasEnded { effects += arrival.events.flatMap { receive($0, of: person, at: now) } }
        if arrival.isOutdated { effects += show(person, again: false) }
        return effects
    }

    /// The server has not taken a sending for a person.
    mutating func notShown(_ person: String, _ sending: NotificationSending) -> [Effect] {
        guard let isOutdated = entries[person]?.slot.notShown(sending) else { return [] }
        if count(of: person) == 0 { entries[person] = nil }
        return isOutdated ? show(person, again: false) : []
    }

    private mutating func tell(_ person: String) -> [Effect] {
        hasServer || whoKeeps(person) != nil ? show(person, again: false) : [.startServer]
    }

    /// Who is to keep what there is of a person; nil where the server is to show it.
    private func whoKeeps(_ person: String) -> String? {
        entries[person]?.isLasting == true && !hasRefused && !hasEnded ? keeper : nil
    }

    private mutating func show(_ person: String, again: Bool) -> [Effect] {
        guard var entry = entries[person], entry.count > 0 else { return [] }
        defer { entries[person] = entry }
        if let owner = whoKeeps(person) {
            if again, entry.keeper == owner { return [] }
            let standing = entry.slot.withdraw()
            entry.keeper = owner
            return (standing.map { [.close($0)] } ?? []) + [.keep(person: person, count: entry.count, owner: owner)]
        }
        guard hasServer else { return [] }
        let kept = entry.keeper.map { [Effect.discard(person: person, owner: $0)] } ?? []
        entry.keeper = nil
        let sending = again ? entry.slot.showAgain() : entry.slot.show()
        guard let sending else { return kept }
        let effect: Effect =
            hasEnded
            ? .leave(person: person, count: entry.count, sending) : .show(person: person, count: entry.count, sending)
        return kept + [effect]
    }

    private mutating func receive(_ event: NotificationEvent, of person: String, at now: Instant) -> [Effect] {
        switch entries[person]?.slot.receive(event, at: now) {
        // What expires is not shown again, but counts on.
        case nil, .nothing, .gone: []
        case .pressed(Self.callBack, let token): [.callBack(person: person, token: token)] + seen(person)
        case .pressed(DesktopNotification.defaultAction, let token):
            [.open(person: person, token: token)] + seen(person)
        case .pressed: []
        case .dismissed: seen(person)
        case .startled: show(person, again: true)
        }
    }
}
