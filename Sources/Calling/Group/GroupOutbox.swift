import BaseKit
import Signaling

/// Messages that a member has to have, until its device has confirmed them. Of each kind only the newest is of use.
struct GroupOutbox: Sendable {
    /// What a message is about; a newer one takes the place of one about the same.
    enum Subject: Hashable {
        case roster, key, rejoin, room, heir
        /// That the member is not in any more.
        case farewell
        case join(MemberNumber)
        case decline(MemberNumber)
        case line(maker: MemberNumber, user: MemberNumber)
    }

    private struct Entry {
        var number: Int
        var message: GroupMessage
        var next: Instant
        var pause: Duration
        /// How often it is still sent again; nil: until it is confirmed.
        var attempts: Int?
    }

    private struct Place: Hashable {
        var member: MemberNumber
        var subject: Subject
    }

    private var entries: [Place: Entry] = [:]
    private var numbers = 0

    /// How long a confirmation is waited for, at first and at most.
    private static let (firstPause, longestPause): (Duration, Duration) = (.seconds(4), .seconds(16))
    /// Who is not in any more need not confirm anything.
    private static let mostFarewells = 5

    var isEmpty: Bool { entries.isEmpty }

    /// Who has not confirmed everything.
    var receivers: Set<MemberNumber> { Set(entries.keys.map(\.member)) }

    /// A number for a message that is sent once.
    mutating func number() -> Int {
        numbers += 1
        return numbers
    }

    /// A message is sent to a member for the first time; gives its number.
    mutating func put(
        _ message: GroupMessage, _ subject: Subject, to member: MemberNumber, at now: Instant
    ) -> Int {
        let number = number()
        entries[Place(member: member, subject: subject)] = Entry(
            number: number, message: message, next: now + Self.firstPause, pause: Self.firstPause,
            attempts: subject == .farewell ? Self.mostFarewells : nil)
        return number
    }

    /// The member's device has a message: gives who has what, the first time.
    mutating func confirmed(_ number: Int) -> (member: MemberNumber, message: GroupMessage)? {
        guard let (place, entry) = entries.first(where: { $0.value.number == number }) else { return nil }
        entries[place] = nil
        return (place.member, entry.message)
    }

    /// What is to be sent again, with the numbers from before.
    mutating func due(at now: Instant) -> [(member: MemberNumber, message: GroupMessage, number: Int)] {
        let places = entries.filter { $0.value.next <= now }
        for (place, entry) in places {
            let pause = min(entry.pause * 2, Self.longestPause)
            entries[place]?.pause = pause
            entries[place]?.next = now + pause
            guard let attempts = entry.attempts else { continue }
            entries[place]?.attempts = attempts - 1
            if attempts == 1 { entries[place] = nil }
        }
        return places.map { ($0.key.member, $0.value.message, $0.value.number) }.sorted { $0.2 < $1.2 }
    }

    /// The member is not in any more: nothing is to be sent to it but that.
    mutating func forgetButFarewell(_ member: MemberNumber) {
        entries = entries.filter { $0.key.member != member || $0.key.subject == .farewell }
    }

    /// Nothing more is to be sent to a member.
    mutating func forget(_ member: MemberNumber) { entries = entries.filter { $0.key.member != member } }
}
