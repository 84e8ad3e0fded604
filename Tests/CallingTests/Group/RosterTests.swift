import Signaling
import TestSupport
import Testing

@testable import Calling

@Suite("Roster of a group call", .timeLimit(.minutes(5)))
struct RosterTests {
    private func number(_ value: Int) -> MemberNumber { GroupSamples.number(value) }

    private func founded(_ guests: Int, joined: Bool = true) -> Roster {
        var roster = Roster(founder: GroupSamples.name)
        for guest in 0..<guests {
            guard let member = roster.invite(GroupSamples.name("G\(guest)"), by: .first, capacity: 8) else { continue }
            if joined { roster.set(.isIn, of: member) }
        }
        return roster
    }

    /// As another member has it.
    private func seen(_ roster: Roster, by member: Int) -> Roster { Roster(roster.list, own: number(member)) }

    @Test func `each change of the host has the next number`() {
        var roster = founded(1, joined: false)
        #expect(roster.list.number == 2)
        let isChanged = roster.set(.isIn, of: number(2))
        #expect(isChanged)
        let isChangedAgain = roster.set(.isIn, of: number(2))
        let isStranger = roster.set(.left, of: number(9))
        #expect(!isChangedAgain && !isStranger)
        #expect(roster.list.number == 3)
        #expect(roster.present == [number(2)])
    }

    @Test func `the numbers of members are never given twice, however many come and go`() {
        var roster = Roster(founder: GroupSamples.name)
        var given: Set<MemberNumber> = [.first]
        while let member = roster.invite(GroupSamples.name, by: .first, capacity: 8) {
            #expect(given.insert(member).inserted)
            roster.set(.noAnswer, of: member)
            #expect(roster.list.members.count <= GroupRoster.maximumMembers)
        }
        #expect(given.count == 255)
    }

    @Test func `there is no room beyond what reaches each other, with those who ring`() {
        var roster = founded(1)
        #expect(roster.invite(GroupSamples.name, by: .first, capacity: 4) == number(3))
        #expect(roster.invite(GroupSamples.name, by: .first, capacity: 4) == number(4))
        #expect(roster.invite(GroupSamples.name, by: .first, capacity: 4) == nil)
        roster.set(.declined, of: number(3))
        #expect(roster.invite(GroupSamples.name, by: .first, capacity: 4) == number(5))
    }

    @Test func `in a full list who went first makes room, whatever their number`() {
        // Seven others were in; the list is full.
        var roster = founded(7)
        for member in [5, 2, 7] { roster.set(.left, of: number(member)) }
        for kept in [[2, 7], [7], []] {
            let member = roster.invite(GroupSamples.name, by: .first, capacity: 8)
            #expect(member != nil)
            #expect([2, 5, 7].filter { roster[number($0)] != nil } == kept)
        }
        let more = roster.invite(GroupSamples.name, by: .first, capacity: 8)
        #expect(more == nil, "all are in or called")
    }

    @Test func `who came back and goes again has gone last`() {
        var roster = founded(7)
        roster.set(.left, of: number(2))
        roster.set(.left, of: number(3))
        roster.set(.isIn, of: number(2))
        roster.set(.left, of: number(2))
        _ = roster.invite(GroupSamples.name, by: .first, capacity: 8)
        #expect(roster[number(2)] != nil && roster[number(3)] == nil)
    }

    @Test func `who can come back keeps the place as long as there are others, and who was put out even longer`() {
        var roster = founded(7)
        let order: [(Int, MemberStanding)] = [(2, .removed), (3, .left), (4, .declined), (5, .noAnswer), (6, .busy)]
        for (member, standing) in order { roster.set(standing, of: number(member)) }
        var dropped: [Int] = []
        for _ in order {
            let before = Set(roster.list.members.map(\.number))
            _ = roster.invite(GroupSamples.name, by: .first, capacity: 8)
            dropped += before.subtracting(roster.list.members.map(\.number)).map { Int($0.value) }
        }
        #expect(dropped == [4, 5, 6, 3, 2])
    }

    @Test func `a host that follows knows who went first before it was one`() {
        var first = founded(7)
        var second = seen(first, by: 2)
        for member in [6, 4] {
            first.set(.left, of: number(member))
            let isTaken = second.merge(first.list)
            #expect(isTaken)
        }
        second.depart(.first)
        second.succeed()
        _ = second.invite(GroupSamples.name, by: number(2), capacity: 8)
        #expect(second[number(6)] == nil && second[number(4)] != nil && second[.first] != nil)
    }

    @Test func `of two lists the higher number counts, then the lower host`() {
        let first = founded(2)
        var second = seen(first, by: 2)
        second.succeed()
        var third = seen(first, by: 3)
        third.succeed()
        #expect(second.list.number == third.list.number)
        var fromSecond = seen(second, by: 4)
        #expect(!fromSecond.merge(third.list) && !fromSecond.merge(second.list))
        var fromThird = seen(third, by: 4)
        #expect(fromThird.merge(second.list) && fromThird.list == fromSecond.list)
        third.set(.left, of: number(2))
        #expect(fromThird.merge(third.list) && fromThird.list.host == number(3))
    }

    @Test func `in whatever order lists come, the same one counts in the end`() {
        var generator = SeededGenerator(seed: 15)
        let start = founded(5)
        for _ in 0..<500 {
            let lists = (0..<5).map { _ in
                var roster = seen(start, by: Int.random(in: 2...6, using: &generator))
                roster.succeed()
                for _ in 0..<Int.random(in: 0...3, using: &generator) {
                    roster.set(
                        MemberStanding.allCases.randomElement(using: &generator) ?? .left,
                        of: number(Int.random(in: 1...6, using: &generator)))
                }
                return roster.list
            }
            // Of one host there are not two lists with one number.
            let unique = Dictionary(lists.map { ("\($0.number) \($0.host)", $0) }) { first, _ in first }.values
            let results = (0..<4).map { _ in
                var roster = seen(start, by: 6)
                for list in unique.shuffled(using: &generator) { _ = roster.merge(list) }
                return roster.list
            }
            #expect(Set(results).count == 1)
        }
    }

    @Test func `the lowest number follows a host that left, and then one that is lost`() {
        var roster = seen(founded(3), by: 3)
        roster.depart(.first)
        #expect(roster.successor(without: []) == number(2))
        #expect(roster.successor(without: [number(2)]) == number(3))
        roster.succeed()
        #expect(roster.isHost && roster.standing(of: .first) == .left && roster.present == [number(2), number(4)])
    }

    @Test func `who says that it leaves is out at once, and stays so until it says that it is back`() {
        var roster = seen(founded(3), by: 3)
        let list = founded(3).list
        roster.depart(number(2))
        #expect(!roster.isPresent(number(2)))
        // The host wrote this before it knew.
        let isTaken = roster.merge(list)
        #expect(!isTaken)
        var later = list
        later.number += 1
        #expect(roster.merge(later) && !roster.isPresent(number(2)))
        roster.comeBack(number(2))
        #expect(roster.isPresent(number(2)))
    }

    @Test func `a list that does not count still uses up numbers, but not all of them`() {
        var roster = founded(1)
        var other = founded(1).list
        (other.number, other.lastGiven) = (1, number(5))
        let isTaken = roster.merge(other)
        #expect(roster.invite(GroupSamples.name, by: .first, capacity: 8) == number(6))
        other.lastGiven = number(255)
        let isTakenAgain = roster.merge(other)
        #expect(!isTaken && !isTakenAgain)
        #expect(roster.invite(GroupSamples.name, by: .first, capacity: 8) == number(15))
    }
}
