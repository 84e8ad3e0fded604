import BaseKit

/// Whether anybody in a room wants our large pictures, as ``LargeWishes`` of the others say. Who says nothing, as an older program, wants them.
package struct LargeDemand: Sendable, Equatable {
    /// How long somebody who has come may take to say so: until then small ones are shown.
    static let patience: Duration = .seconds(3)
    /// How long the wish of somebody counts who does not send to the room any more: a connection that is made anew is no change of mind.
    static let absence: Duration = .seconds(10)

    private struct Member: Sendable, Equatable {
        let came: Instant
        var seen: Instant
        /// What it said last. Who leaves, or comes back, is forgotten by the call before its feed has gone.
        var wish: Bool?
    }

    private var members: [UInt8: Member] = [:]

    package init() {}

    /// - Parameters:
    ///   - present: who sends to the room.
    ///   - wishes: what members have said.
    package mutating func update(_ present: Set<UInt8>, wishes: [UInt8: Bool], now: Instant) -> Bool {
        for number in present {
            var member = members[number] ?? Member(came: now, seen: now)
            member.seen = now
            members[number] = member
        }
        for (number, wish) in wishes { members[number]?.wish = wish }
        members = members.filter { number, member in
            present.contains(number) || member.wish == true && wishes[number] != nil && now - member.seen < Self.absence
        }
        return members.values.contains { $0.wish ?? (now - $0.came >= Self.patience) }
    }
}
