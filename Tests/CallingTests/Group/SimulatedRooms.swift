import BaseKit
import Signaling
import TestSupport

@testable import Calling

/// A call server, the rooms on it, and who is in them. One person is in one room at most.
struct SimulatedRooms {
    private struct Entry {
        var number: Int
        var room: Int
        /// The PIN with which it comes.
        var pin: SecretText?
        var own: MemberNumber
        var isInside = false
        /// Since when the server is not heard, and whether that was told.
        var unservedSince: Instant?
        var isLost = false
        /// Who is heard, and since when not any more.
        var heard: [MemberNumber: Instant?] = [:]
    }

    private struct Lock {
        var pin: SecretText
        var secret: SecretText
    }

    private var locks: [Int: Lock] = [:]
    private var entries: [Int: Entry] = [:]
    private(set) var isDown = false

    /// How long nothing has to come until that is noticed.
    static let patience = Duration.seconds(4)

    /// A room; false while there is no server.
    mutating func make(_ room: GroupRoom) -> Bool {
        if !isDown, let pin = room.pin, let secret = room.secret { locks[room.room] = Lock(pin: pin, secret: secret) }
        return !isDown
    }

    mutating func close(_ room: GroupRoom) {
        if !isDown, room.secret == locks[room.room]?.secret { locks[room.room] = nil }
    }

    /// Another lock, and all put out but these; false where that can't be.
    mutating func lock(_ room: GroupRoom, pin: SecretText, secret: SecretText, staying members: Set<MemberNumber>)
        -> Bool
    {
        guard !isDown, locks[room.room] != nil, room.secret == locks[room.room]?.secret else { return false }
        locks[room.room] = Lock(pin: pin, secret: secret)
        entries = entries.filter { $0.value.room != room.room || members.contains($0.value.own) }
        return true
    }

    /// Whether somebody who knows of a room what is in this can enter or close it.
    func isOpen(to room: GroupRoom) -> Bool {
        guard let lock = locks[room.room] else { return false }
        return lock.pin == room.pin || lock.secret == room.secret
    }

    mutating func enter(_ person: Int, _ room: GroupRoom, as own: MemberNumber) {
        entries[person] = Entry(number: room.number, room: room.room, pin: room.pin, own: own)
    }

    /// Nothing of a member is opened any more.
    mutating func deafen(_ person: Int, to member: MemberNumber) { entries[person]?.heard[member] = nil }

    mutating func leave(_ person: Int) { entries[person] = nil }

    /// The room that somebody's media are in.
    func room(of person: Int) -> Int? { entries[person].flatMap { $0.isInside ? $0.room : nil } }

    /// The server ends, with all its rooms, or is not reached for a while.
    mutating func goDown(losesRooms: Bool) {
        isDown = true
        if losesRooms { locks = [:] }
    }

    mutating func comeUp() { isDown = false }

    /// What everybody notices now.
    mutating func look(
        now: Instant, isCut: (Int) -> Bool, opens: (Int, MemberNumber) -> Bool
    ) -> [(person: Int, room: Int, input: GroupRoomInput)] {
        var news: [(person: Int, room: Int, input: GroupRoomInput)] = []
        let served = Set(entries.keys.filter { !isDown && !isCut($0) })
        for (person, before) in entries.sorted(by: { $0.key < $1.key }) {
            var entry = before
            func tell(_ input: GroupRoomInput) { news.append((person, entry.number, input)) }
            if served.contains(person) {
                guard let lock = locks[entry.room], entry.isInside || lock.pin == entry.pin else {
                    entries[person] = nil
                    tell(.failed)
                    continue
                }
                if !entry.isInside || entry.isLost { tell(.inside) }
                (entry.isInside, entry.isLost, entry.unservedSince) = (true, false, nil)
            } else if entry.isInside {
                let since = entry.unservedSince ?? now
                entry.unservedSince = since
                if !entry.isLost, now - since >= Self.patience {
                    entry.isLost = true
                    tell(.lost)
                }
            }
            let audible = Set(
                entries.filter { other, place in
                    other != person && place.room == entry.room && (place.isInside || served.contains(other))
                        && served.contains(other) && served.contains(person) && opens(person, place.own)
                }.map(\.value.own))
            for member in audible.sorted() {
                if entry.heard[member] == nil { tell(.heard(member)) }
                entry.heard[member] = .some(nil)
            }
            for (member, gone) in entry.heard.sorted(by: { $0.key < $1.key }) where !audible.contains(member) {
                let since = gone ?? now
                entry.heard[member] = since
                guard now - since >= Self.patience else { continue }
                entry.heard[member] = nil
                tell(.silent(member))
            }
            entries[person] = entry
        }
        return news
    }
}
