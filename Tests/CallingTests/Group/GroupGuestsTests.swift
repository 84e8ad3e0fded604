import Signaling
import TestSupport
import Testing

@testable import Calling

/// Who is called into a group call: how far the invitation comes, and how it is taken back.
@Suite("Guests of a call of several", .timeLimit(.minutes(5)))
struct GroupGuestsTests {
    /// The number of the invitation that goes to a contact.
    private static func invitation(_ effects: [GroupCallEffect], to peer: GroupPeer) -> Int? {
        effects.lazy.compactMap { if case .send(.invitation, peer, let number) = $0 { number } else { nil } }.first
    }

    @Test func `an invitation is on its way until the guest's device has it, and rings from then on`() throws {
        var (machine, effects) = GroupMachines.calling()
        func stages() -> [GroupCallUpdate.MemberStage] { machine.update.members.map(\.stage) }
        let number = try #require(Self.invitation(effects, to: GroupMachines.ada))
        #expect(effects.contains(.startTimer(.relay(GroupMachines.two), .seconds(3))))
        #expect(stages() == [.inviting, .inviting])
        effects = machine.handle(.taken(number), at: at(100))
        #expect(effects == [.stopTimer(.relay(GroupMachines.two))] && stages() == [.inviting, .inviting])
        #expect(machine.handle(.receipt(number), at: at(200)) == [])
        #expect(stages() == [.ringing, .inviting])
        // Once more, and what was never sent, says nothing.
        for input in [GroupCallInput.taken(number), .receipt(number), .taken(900), .receipt(900), .lost(900)] {
            #expect(machine.handle(input, at: at(300)) == [] && stages() == [.ringing, .inviting])
        }
        _ = machine.handle(.peer(GroupMachines.join(GroupMachines.two), from: GroupMachines.ada), at: at(1_000))
        #expect(stages() == [.connecting, .inviting])
    }

    @Test func `a receipt says that the relay has it, too`() throws {
        var (machine, effects) = GroupMachines.calling()
        let number = try #require(Self.invitation(effects, to: GroupMachines.bo))
        #expect(machine.handle(.receipt(number), at: at(100)) == [.stopTimer(.relay(GroupMachines.three))])
        #expect(machine.update.members.map(\.stage) == [.inviting, .ringing])
        effects = machine.handle(.clock(.relay(GroupMachines.three)), at: at(3_000))
        #expect(effects == [] && machine.update.members.map(\.stage) == [.inviting, .ringing])
    }

    @Test
    func `whose relay takes nothing for three seconds is told as out of reach, and has the whole time once it does`()
        throws
    {
        var (machine, effects) = GroupMachines.calling()
        let number = try #require(Self.invitation(effects, to: GroupMachines.ada))
        effects = machine.handle(.clock(.relay(GroupMachines.two)), at: at(3_000))
        #expect(effects == [] && machine.update.members.map(\.stage) == [.unreachable, .inviting])
        effects = machine.handle(.taken(number), at: at(50_000))
        #expect(effects == [.startTimer(.invitation(GroupMachines.two), .seconds(60))])
        #expect(machine.update.members.map(\.stage) == [.inviting, .inviting])
        #expect(machine.handle(.taken(number), at: at(51_000)) == [], "once")
    }

    @Test func `whose relay took nothing in the whole time was not reached, and whose did has not answered`() throws {
        var (machine, effects) = GroupMachines.calling()
        _ = machine.handle(.taken(try #require(Self.invitation(effects, to: GroupMachines.bo))), at: at(100))
        _ = machine.handle(.clock(.relay(GroupMachines.two)), at: at(3_000))
        for member in [GroupMachines.two, GroupMachines.three] {
            effects = machine.handle(.clock(.invitation(member)), at: at(60_000))
        }
        #expect(machine.update.members.map(\.stage) == [.notReached, .noAnswer])
        #expect(effects.last == .finished(.nobodyJoined))
    }

    @Test func `where no relay of anybody took the invitation nobody was reached`() {
        var (machine, effects) = GroupMachines.calling()
        for member in [GroupMachines.two, GroupMachines.three] {
            _ = machine.handle(.clock(.relay(member)), at: at(3_000))
        }
        for member in [GroupMachines.two, GroupMachines.three] {
            effects = machine.handle(.clock(.invitation(member)), at: at(60_000))
        }
        #expect(effects.last == .finished(.nobodyReached))
        #expect(GroupCallEndReason.nobodyReached.logged.result(.outgoing, wasOn: false) == .dialFailed)
    }

    @Test func `who can't be sent the invitation is called no longer`() throws {
        var (machine, effects) = GroupMachines.calling()
        let number = try #require(Self.invitation(effects, to: GroupMachines.ada))
        effects = machine.handle(.lost(number), at: at(1_000))
        #expect(
            effects.contains(.stopTimer(.invitation(GroupMachines.two)))
                && effects.contains(.stopTimer(.relay(GroupMachines.two))))
        #expect(machine.update.members.map(\.stage) == [.notReached, .inviting])
        let other = try #require(Self.invitation(GroupMachines.calling().1, to: GroupMachines.bo))
        #expect(machine.handle(.lost(other), at: at(2_000)).last == .finished(.nobodyReached))
    }

    @Test func `whom the host gives no place is told to who wants to invite them, once, and who gets one is not`()
        throws
    {
        var machine = GroupMachines.introduced()
        let dan = ContactID(rawValue: "Dan")
        let asked = try machine.invite(dan, as: GroupSamples.name("Dan"), at: at(3_000))
        #expect(GroupMachines.messages(asked, to: GroupMachines.ada) == [.ask(GroupSamples.name("Dan"))])
        #expect(asked.contains(.startTimer(.ask, .seconds(10))))
        var other = machine
        #expect(machine.handle(.clock(.ask), at: at(13_000)) == [.tellNotInvited(dan)])
        #expect(machine.handle(.clock(.ask), at: at(23_000)) == [])
        let again = try machine.invite(dan, as: GroupSamples.name("Dan"), at: at(24_000))
        #expect(
            GroupMachines.messages(again, to: GroupMachines.ada) == [.ask(GroupSamples.name("Dan"))],
            "it can be tried again")
        let five = GroupSamples.number(5)
        var members = other.roster.list.members
        members.append(
            GroupMember(
                number: five, name: GroupSamples.name("Dan"), standing: .inviting, inviter: GroupSamples.number(4)))
        let list = GroupRoster(number: 50, host: .first, lastGiven: five, members: members)
        let given = other.handle(.peer(.roster(list), from: GroupMachines.ada), at: at(4_000))
        #expect(given.contains(.stopTimer(.ask)) && !given.contains(.tellNotInvited(dan)))
        #expect(other.handle(.clock(.ask), at: at(13_000)) == [])
    }

    // MARK: No answer, and none wanted any more

    @Test func `a call that nobody answers ends, and who still rings is told`() {
        var (machine, _) = GroupMachines.calling()
        let late = machine.handle(.clock(.invitation(GroupMachines.two)), at: at(60_000))
        #expect(GroupMachines.messages(late, to: GroupMachines.ada) == [.over(.invitation)])
        let effects = machine.handle(
            .peer(.decline(GroupDecline(member: GroupMachines.three, reason: .busy)), from: GroupMachines.bo),
            at: at(60_100))
        #expect(effects.last == .finished(.nobodyJoined))
        #expect(machine.update.members.map(\.stage) == [.noAnswer, .busy])
    }

    @Test func `who goes while the call goes on takes back the own invitations, and says that it is only these`() {
        var machine = GroupMachines.on()
        let effects = machine.handle(.person(.hangUp), at: at(2_000))
        #expect(GroupMachines.messages(effects, to: GroupMachines.ada) == [.leave])
        #expect(GroupMachines.messages(effects, to: GroupMachines.bo) == [.over(.invitation)])
    }

    @Test func `of whom the inviter knows that they accept nothing is taken back, also where the list does not say so`()
        throws
    {
        var machine = GroupMachines.on()
        let (four, dan) = (GroupSamples.number(4), ContactID(rawValue: "Dan"))
        // Ada is the host from here on.
        func list(_ number: Int, _ more: [GroupMember]) -> GroupMessage {
            let members = [
                GroupMember(number: .first, name: GroupSamples.name, standing: .isIn),
                GroupMember(
                    number: GroupMachines.two, name: GroupSamples.name("Ada"), standing: .isIn, inviter: .first),
            ]
            return .roster(
                GroupRoster(number: number, host: GroupMachines.two, lastGiven: four, members: members + more))
        }
        _ = machine.handle(.peer(list(50, []), from: GroupMachines.ada), at: at(2_000))
        _ = try machine.invite(dan, as: GroupSamples.name("Dan"), at: at(2_100))
        let guest = GroupMember(number: four, name: GroupSamples.name("Dan"), standing: .inviting, inviter: .first)
        _ = machine.handle(.peer(list(51, [guest]), from: GroupMachines.ada), at: at(2_200))
        _ = machine.handle(.peer(GroupMachines.join(four), from: .contact(dan)), at: at(2_300))
        let effects = machine.handle(.person(.hangUp), at: at(2_400))
        #expect(
            GroupMachines.messages(effects, to: GroupMachines.ada) == [.leave]
                && GroupMachines.messages(effects, to: .contact(dan)) == [])
    }

    @Test(arguments: [GroupEnding.invitation, nil]) func `what is taken back rings no longer`(ending: GroupEnding?) {
        var machine = GroupMachines.ringing()
        #expect(machine.handle(.peer(.over(ending), from: GroupMachines.ada), at: at(1_000)).last == .finished(.missed))
    }

    @Test func `who accepts what is taken back waits no longer, also where others are in`() {
        var machine = GroupMachines.ringing()
        _ = machine.handle(.person(.accept(.audio)), at: at(1_000))
        _ = machine.handle(.line(GroupMachines.three, .made(GroupSamples.link())), at: at(1_100))
        let effects = machine.handle(.peer(.over(.invitation), from: GroupMachines.ada), at: at(1_200))
        #expect(effects.last == .finished(.over) && !machine.update.goesOn)
    }

    @Test(arguments: [false, true]) func `who is called back in and put off the list may come back if they were not in`(
        wasIn: Bool
    ) throws {
        let four = GroupSamples.number(4)
        var machine = GroupMachines.on()
        _ = machine.handle(.peer(.leave, from: GroupMachines.ada), at: at(2_000))
        _ = try machine.invite(GroupSamples.ada, as: GroupSamples.name("Ada"), at: at(3_000))
        if wasIn { _ = machine.handle(.peer(GroupMachines.join(four), from: GroupMachines.ada), at: at(4_000)) }
        _ = machine.handle(.person(.remove(four)), at: at(5_000))
        let rejoin = GroupRejoin(member: GroupMachines.two, nonce: GroupMachines.nonce)
        let effects = machine.handle(.peer(.rejoin(rejoin), from: GroupMachines.ada), at: at(6_000))
        #expect(machine.roster.standing(of: GroupMachines.two) == (wasIn ? .left : .isIn))
        #expect(GroupMachines.messages(effects, to: GroupMachines.ada).contains(.remove(four)) == wasIn)
    }

    @Test func `an invitation that is taken back ends nothing for who comes back without it`() throws {
        let kept = try #require(GroupMachines.on().kept)
        var (machine, _) = GroupCallMachine.comeBack(kept, at: at(9_000), random: GroupMachines.random())
        var other = machine
        _ = machine.handle(.peer(.over(.invitation), from: GroupMachines.ada), at: at(9_100))
        #expect(machine.stage == .acceptedJoining)
        _ = other.handle(.peer(.over(.call), from: GroupMachines.ada), at: at(9_100))
        #expect(other.stage == .ended)
    }

    @Test func `whom the host puts out while another member calls it is told by that member`() throws {
        var machine = GroupMachines.on()
        let (four, dan) = (GroupSamples.number(4), ContactID(rawValue: "Dan"))
        // Ada is the host from here on.
        func list(_ number: Int, _ standing: MemberStanding?) -> GroupMessage {
            var members = [
                GroupMember(number: .first, name: GroupSamples.name, standing: .isIn),
                GroupMember(
                    number: GroupMachines.two, name: GroupSamples.name("Ada"), standing: .isIn, inviter: .first),
                GroupMember(
                    number: GroupMachines.three, name: GroupSamples.name("Bo"), standing: .noAnswer, inviter: .first),
            ]
            if let standing {
                members.append(
                    GroupMember(
                        number: four, name: GroupSamples.name("Dan"), standing: standing, inviter: .first))
            }
            return .roster(
                GroupRoster(
                    number: number, host: GroupMachines.two, lastGiven: standing == nil ? GroupMachines.three : four,
                    members: members))
        }
        _ = machine.handle(.peer(list(50, nil), from: GroupMachines.ada), at: at(2_000))
        _ = try machine.invite(dan, as: GroupSamples.name("Dan"), at: at(2_100))
        let rings = machine.handle(.peer(list(51, .inviting), from: GroupMachines.ada), at: at(2_200))
        guard case .invitation = GroupMachines.messages(rings, to: .contact(dan)).first else {
            Issue.record("he is not called")
            return
        }
        let effects = machine.handle(.peer(list(52, .removed), from: GroupMachines.ada), at: at(2_300))
        #expect(GroupMachines.messages(effects, to: .contact(dan)) == [.over(.invitation)])
        let again = machine.handle(.peer(list(53, .removed), from: GroupMachines.ada), at: at(2_400))
        #expect(GroupMachines.messages(again, to: .contact(dan)) == [], "once")
    }
}
