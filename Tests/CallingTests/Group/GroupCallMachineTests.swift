import BaseKit
import Cryptography
import Signaling
import TestSupport
import Testing

@testable import Calling

@Suite("A call of several", .timeLimit(.minutes(5)))
struct GroupCallMachineTests {
    private static let two = GroupSamples.number(2)
    private static let three = GroupSamples.number(3)
    private static let ada = GroupPeer.contact(GroupSamples.ada)
    private static let bo = GroupPeer.contact(GroupSamples.bo)

    private static func random() -> @Sendable (Int) -> SecretBytes {
        let source = SeededSource(seed: 1)
        return { SecretBytes(source.bytes($0)) }
    }

    /// Kim calls Ada (2) and Bo (3).
    private static func calling() -> (GroupCallMachine, [GroupCallEffect]) {
        let guests = [
            (contact: GroupSamples.ada, name: GroupSamples.name("Ada")),
            (contact: GroupSamples.bo, name: GroupSamples.name("Bo")),
        ]
        guard
            let call = try? GroupCallMachine.call(
                guests, as: GroupSamples.name, media: .video, callID: GroupSamples.id, at: at(0), random: random())
        else { preconditionFailure("two can be called") }
        return call
    }

    /// Ada calls; Bo (3) is in.
    private static func ringing() -> GroupCallMachine {
        let invitation = GroupInvitation(
            own: GroupSamples.number(4), inviter: .first, host: .first, media: .video,
            members: [
                .init(number: .first, name: GroupSamples.name("Ada")),
                .init(number: three, name: GroupSamples.name("Bo")),
            ])
        return GroupCallMachine.ring(
            GroupSamples.ada, invitation: invitation, as: GroupSamples.name, callID: GroupSamples.id, at: at(0),
            random: random()
        ).0
    }

    private static func join(_ member: MemberNumber) -> GroupMessage { .join(GroupJoin(member: member, media: .video)) }

    private static let sdp = SessionDescription(kind: .answer, sdp: "v=0\r\n")

    /// The call of ``calling()`` with Ada in and heard.
    private static func on() -> GroupCallMachine {
        var (machine, _) = calling()
        _ = machine.handle(.peer(join(two), from: ada), at: at(1_000))
        let offer = GroupDescription(path: 0, description: .init(kind: .offer, sdp: "v=0\r\n"), candidates: [])
        _ = machine.handle(.peer(.offer(offer), from: ada), at: at(1_100))
        _ = machine.handle(.path(two, 0, .heard), at: at(1_200))
        return machine
    }

    private func messages(_ effects: [GroupCallEffect], to peer: GroupPeer) -> [GroupMessage] {
        effects.compactMap { if case .send(let message, peer, _) = $0 { message } else { nil } }
    }

    // MARK: Stories

    @Test func `whoever is called is rung for 60 seconds, and nothing is opened before somebody joins`() {
        let (machine, effects) = Self.calling()
        #expect(machine.stage == .callingWithOwnConsent)
        for (peer, member) in [(Self.ada, Self.two), (Self.bo, Self.three)] {
            guard case .invitation(let invitation) = messages(effects, to: peer).first else {
                Issue.record("nobody rings")
                continue
            }
            #expect(invitation.own == member && invitation.members.map(\.number) == [.first])
            #expect(effects.contains(.startTimer(.invitation(member), .seconds(60))))
        }
        #expect(!effects.contains { $0.needsConsent })
    }

    @Test func `the first who joins is sent the list and the key, hashed on, and media opens`() throws {
        var (machine, _) = Self.calling()
        let before = machine.keys.current
        let effects = machine.handle(.peer(Self.join(Self.two), from: Self.ada), at: at(1_000))
        #expect(machine.stage == .acceptedOn)
        #expect(effects.contains(.openMedia(.video)))
        let sent = messages(effects, to: Self.ada)
        guard case .roster(let list) = sent.first, case .key(let key) = sent.dropFirst().first else {
            Issue.record("\(sent)")
            return
        }
        #expect(list.members.first { $0.number == Self.two }?.standing == .isIn)
        #expect(key.step == 1 && key.secret == GroupKeyStep.next(before.secret, call: GroupSamples.id))
        #expect(messages(effects, to: Self.bo).isEmpty)
    }

    @Test func `who accepts opens media, makes links for lower numbers and joins with them`() {
        var machine = Self.ringing()
        let accepted = machine.handle(.person(.accept(.audio)), at: at(1_000))
        #expect(accepted.contains(.openMedia(.audio)) && accepted.contains(.makeLine(Self.three)))
        #expect(messages(accepted, to: Self.ada).isEmpty)
        let joined = machine.handle(.line(Self.three, .made(GroupSamples.link())), at: at(1_100))
        let links = [LinkForMember(member: Self.three, link: GroupSamples.link())]
        #expect(
            messages(joined, to: Self.ada).first
                == .join(GroupJoin(member: GroupSamples.number(4), media: .audio, links: links)))
        #expect(joined.contains { if case .openPath(.first, _, .offers) = $0 { true } else { false } })
    }

    @Test func `what is on is told by a line, and again by the next one if that fails`() {
        var machine = Self.ringing()
        let shown = GroupState(microphone: true)
        _ = machine.handle(.person(.show(shown)), at: at(1_000))
        _ = machine.handle(.person(.accept(.audio)), at: at(1_000))
        func up() -> [GroupMessage] {
            _ = machine.handle(.line(Self.three, .made(GroupSamples.link())), at: at(2_000))
            return messages(machine.handle(.line(Self.three, .up), at: at(2_000)), to: .line(Self.three))
        }
        #expect(up().contains(.state(shown)))
        #expect(!up().contains(.state(shown)))
        _ = machine.handle(.line(Self.three, .failed), at: at(3_000))
        #expect(up().contains(.state(shown)))
    }

    @Test func `whom this side has met is told when it is somebody more, and not when it is somebody less`() {
        var machine = Self.on()
        func told(_ state: GroupState) -> Bool {
            let effects = machine.handle(.person(.show(state)), at: at(2_000))
            return messages(effects, to: Self.ada).contains(.state(state))
        }
        #expect(told(GroupState(heard: [Self.two])))
        #expect(told(GroupState(heard: [Self.two], seen: [Self.two])))
        #expect(!told(GroupState(heard: [Self.two])))
        #expect(told(GroupState(heard: [Self.two, Self.three])))
        #expect(told(GroupState(hand: true)))
    }

    @Test func `a fifth person is refused with the reason that a call server is needed`() throws {
        var machine = Self.on()
        _ = try machine.invite(ContactID(rawValue: "Cy"), as: GroupSamples.name("Cy"), at: at(2_000))
        #expect(throws: GroupCallRefusal.needsServer) {
            try machine.invite(ContactID(rawValue: "Di"), as: GroupSamples.name("Di"), at: at(2_001))
        }
        #expect(throws: GroupCallRefusal.notNow) {
            try machine.invite(GroupSamples.ada, as: GroupSamples.name("Ada"), at: at(2_002))
        }
    }

    @Test func `a removed member is told, its keys are dropped and the others' key is new after half a second at most`()
    {
        var machine = Self.on()
        _ = machine.handle(.peer(Self.join(Self.three), from: Self.bo), at: at(2_000))
        let effects = machine.handle(.person(.remove(Self.two)), at: at(3_000))
        #expect(messages(effects, to: Self.ada) == [.remove(Self.two)])
        #expect(effects.contains(.dropKeys(Self.two)) && effects.contains(.closePath(Self.two)))
        #expect(effects.contains(.startTimer(.rotation, .milliseconds(500))))
        let given = messages(effects, to: Self.bo).compactMap { if case .key(let key) = $0 { key } else { nil } }
        #expect(given.map(\.epoch) == [1])
        let used = machine.handle(.clock(.rotation), at: at(3_500))
        #expect(used.contains(.useKey(given[0])))
        // Whatever it says now, it is told again and nothing else comes of it.
        let answer = machine.handle(.peer(.wantKey, from: Self.ada), at: at(4_000))
        #expect(answer.count == 1 && messages(answer, to: Self.ada) == [.remove(Self.two)])
    }

    @Test func `a key is new after a second where somebody leaves, or as soon as all have confirmed it`() {
        var machine = Self.on()
        _ = machine.handle(.peer(Self.join(Self.three), from: Self.bo), at: at(2_000))
        let effects = machine.handle(.peer(.leave, from: Self.ada), at: at(3_000))
        #expect(effects.contains(.startTimer(.rotation, .seconds(1))))
        let number = effects.compactMap { effect -> Int? in
            if case .send(.key, _, let number) = effect { number } else { nil }
        }
        #expect(number.count == 1)
        let used = machine.handle(.receipt(number[0]), at: at(3_100))
        #expect(used.contains(.useKey(machine.keys.current)) && used.contains(.stopTimer(.rotation)))
        #expect(machine.keys.current.epoch == 1)
    }

    @Test func `alone for 60 seconds ends the call`() {
        var machine = Self.on()
        _ = machine.handle(.clock(.invitation(Self.three)), at: at(60_000))
        let alone = machine.handle(.peer(.leave, from: Self.ada), at: at(70_000))
        #expect(alone.contains(.startTimer(.alone, .seconds(60))))
        let effects = machine.handle(.clock(.alone), at: at(130_000))
        #expect(effects.last == .finished(.alone) && effects.contains(.closeMedia))
    }

    @Test func `a call that nobody answers ends, and who still rings is told`() {
        var (machine, _) = Self.calling()
        let late = machine.handle(.clock(.invitation(Self.two)), at: at(60_000))
        #expect(messages(late, to: Self.ada) == [.over(.invitation)])
        let effects = machine.handle(
            .peer(.decline(GroupDecline(member: Self.three, reason: .busy)), from: Self.bo), at: at(60_100))
        #expect(effects.last == .finished(.nobodyJoined))
        #expect(machine.update.members.map(\.stage) == [.noAnswer, .busy])
    }

    @Test func `who is not heard for 40 seconds is out, and whoever nobody hears is told that the call is lost`() {
        var machine = Self.on()
        _ = machine.handle(.peer(Self.join(Self.three), from: Self.bo), at: at(2_000))
        _ = machine.handle(.clock(.silence(Self.three)), at: at(42_000))
        #expect(machine.roster.standing(of: Self.three) == .left)
        let silent = machine.handle(.path(Self.two, 0, .silent), at: at(50_000))
        #expect(machine.stage == .acceptedReturning && silent.contains(.startTimer(.returning, .seconds(40))))
        var heard = machine
        _ = heard.handle(.path(Self.two, 0, .heard), at: at(51_000))
        #expect(heard.stage == .acceptedOn)
        #expect(machine.handle(.clock(.returning), at: at(90_000)).last == .finished(.connectionLost))
    }

    @Test func `a certificate that is another one closes the path, and no new one is taken`() {
        var machine = Self.on()
        let closed = machine.handle(.path(Self.two, 0, .wrongCertificate), at: at(2_000))
        #expect(closed.contains(.closePath(Self.two)))
        #expect(machine.update.members.first?.isUntrusted == true)
        let offer = GroupDescription(path: 1, description: .init(kind: .offer, sdp: ""), candidates: [])
        let refused = machine.handle(.peer(.offer(offer), from: Self.ada), at: at(3_000))
        #expect(!refused.contains { $0.needsConsent })
    }

    @Test func `a member has paths made in a burst and then now and then, and what is refused changes nothing`() {
        var machine = Self.on()
        func isTaken(_ path: Int, at milliseconds: Int) -> Bool {
            let offer = GroupDescription(path: path, description: .init(kind: .offer, sdp: ""), candidates: [])
            let effects = machine.handle(.peer(.offer(offer), from: Self.ada), at: at(milliseconds))
            return effects.contains { if case .openPath(_, number: path, _) = $0 { true } else { false } }
        }
        let burst = (1...200).filter { isTaken($0, at: 200_000) }
        #expect(burst == Array(1...30))
        #expect(machine.rejections[.tooOften] == 170)
        #expect(!isTaken(31, at: 203_000))
        #expect(isTaken(31, at: 204_000), "the number that was refused is not taken")
        #expect((32...631).count { isTaken($0, at: 204_000 + ($0 - 31) * 1_000) } == 150)
    }

    @Test func `what is kept for coming back holds no key, and coming back asks everybody with a new one`() throws {
        let machine = Self.on()
        let kept = try #require(machine.kept)
        #expect(!"\(kept)".contains("SecretBytes"))
        var (back, effects) = GroupCallMachine.comeBack(kept, at: at(9_000), random: Self.random())
        guard case .rejoin(let rejoin) = messages(effects, to: Self.ada).first else {
            Issue.record("nobody is asked")
            return
        }
        #expect(effects.contains(.startTimer(.rejoin, .seconds(10))))
        let answer = GroupMessage.rejoined(GroupRejoined(nonce: rejoin.nonce, roster: kept.roster))
        effects = back.handle(.peer(answer, from: Self.ada), at: at(9_100))
        #expect(effects.contains(.stopTimer(.rejoin)))
        let count = back.rejections[.late]
        #expect(back.handle(.peer(answer, from: Self.ada), at: at(9_200)) == [] && back.rejections[.late] == count + 1)
    }

    @Test func `who leaves tells those who have left before, too, but for whom the host has put out`() {
        var (machine, _) = Self.calling()
        _ = machine.handle(.peer(Self.join(Self.two), from: Self.ada), at: at(1_000))
        _ = machine.handle(.peer(Self.join(Self.three), from: Self.bo), at: at(1_000))
        _ = machine.handle(.peer(.leave, from: Self.ada), at: at(2_000))
        var other = machine
        let effects = machine.handle(.person(.hangUp), at: at(3_000))
        #expect(messages(effects, to: Self.ada) == [.leave] && messages(effects, to: Self.bo) == [.leave])
        #expect(machine.update.goesOn)
        _ = other.handle(.person(.remove(Self.three)), at: at(3_000))
        let last = other.handle(.person(.hangUp), at: at(4_000))
        #expect(messages(last, to: Self.ada) == [.over(.call)] && messages(last, to: Self.bo) == [])
        #expect(!other.update.goesOn)
    }

    @Test func `who goes while the call goes on takes back the own invitations, and says that it is only these`() {
        var machine = Self.on()
        let effects = machine.handle(.person(.hangUp), at: at(2_000))
        #expect(messages(effects, to: Self.ada) == [.leave])
        #expect(messages(effects, to: Self.bo) == [.over(.invitation)])
    }

    @Test func `of whom the inviter knows that they accept nothing is taken back, also where the list does not say so`()
        throws
    {
        var machine = Self.on()
        let (four, dan) = (GroupSamples.number(4), ContactID(rawValue: "Dan"))
        // Ada is the host from here on.
        func list(_ number: Int, _ more: [GroupMember]) -> GroupMessage {
            let members = [
                GroupMember(number: .first, name: GroupSamples.name, standing: .isIn),
                GroupMember(number: Self.two, name: GroupSamples.name("Ada"), standing: .isIn, inviter: .first),
            ]
            return .roster(
                GroupRoster(number: number, host: Self.two, lastGiven: four, members: members + more))
        }
        _ = machine.handle(.peer(list(50, []), from: Self.ada), at: at(2_000))
        _ = try machine.invite(dan, as: GroupSamples.name("Dan"), at: at(2_100))
        let guest = GroupMember(number: four, name: GroupSamples.name("Dan"), standing: .inviting, inviter: .first)
        _ = machine.handle(.peer(list(51, [guest]), from: Self.ada), at: at(2_200))
        _ = machine.handle(.peer(Self.join(four), from: .contact(dan)), at: at(2_300))
        let effects = machine.handle(.person(.hangUp), at: at(2_400))
        #expect(messages(effects, to: Self.ada) == [.leave] && messages(effects, to: .contact(dan)) == [])
    }

    @Test(arguments: [GroupEnding.invitation, nil]) func `what is taken back rings no longer`(ending: GroupEnding?) {
        var machine = Self.ringing()
        #expect(machine.handle(.peer(.over(ending), from: Self.ada), at: at(1_000)).last == .finished(.missed))
    }

    @Test func `who accepts what is taken back waits no longer, also where others are in`() {
        var machine = Self.ringing()
        _ = machine.handle(.person(.accept(.audio)), at: at(1_000))
        _ = machine.handle(.line(Self.three, .made(GroupSamples.link())), at: at(1_100))
        let effects = machine.handle(.peer(.over(.invitation), from: Self.ada), at: at(1_200))
        #expect(effects.last == .finished(.over) && !machine.update.goesOn)
    }

    @Test(arguments: [false, true]) func `who is called back in and put off the list may come back if they were not in`(
        wasIn: Bool
    ) throws {
        let four = GroupSamples.number(4)
        var machine = Self.on()
        _ = machine.handle(.peer(.leave, from: Self.ada), at: at(2_000))
        _ = try machine.invite(GroupSamples.ada, as: GroupSamples.name("Ada"), at: at(3_000))
        if wasIn { _ = machine.handle(.peer(Self.join(four), from: Self.ada), at: at(4_000)) }
        _ = machine.handle(.person(.remove(four)), at: at(5_000))
        let rejoin = GroupRejoin(member: Self.two, nonce: Self.nonce)
        let effects = machine.handle(.peer(.rejoin(rejoin), from: Self.ada), at: at(6_000))
        #expect(machine.roster.standing(of: Self.two) == (wasIn ? .left : .isIn))
        #expect(messages(effects, to: Self.ada).contains(.remove(four)) == wasIn)
    }

    @Test func `an invitation that is taken back ends nothing for who comes back without it`() throws {
        let kept = try #require(Self.on().kept)
        var (machine, _) = GroupCallMachine.comeBack(kept, at: at(9_000), random: Self.random())
        var other = machine
        _ = machine.handle(.peer(.over(.invitation), from: Self.ada), at: at(9_100))
        #expect(machine.stage == .acceptedJoining)
        _ = other.handle(.peer(.over(.call), from: Self.ada), at: at(9_100))
        #expect(other.stage == .ended)
    }

    @Test func `whom the host puts out while another member calls it is told by that member`() throws {
        var machine = Self.on()
        let (four, dan) = (GroupSamples.number(4), ContactID(rawValue: "Dan"))
        // Ada is the host from here on.
        func list(_ number: Int, _ standing: MemberStanding?) -> GroupMessage {
            var members = [
                GroupMember(number: .first, name: GroupSamples.name, standing: .isIn),
                GroupMember(number: Self.two, name: GroupSamples.name("Ada"), standing: .isIn, inviter: .first),
                GroupMember(number: Self.three, name: GroupSamples.name("Bo"), standing: .noAnswer, inviter: .first),
            ]
            if let standing {
                members.append(
                    GroupMember(
                        number: four, name: GroupSamples.name("Dan"), standing: standing, inviter: .first))
            }
            return .roster(
                GroupRoster(
                    number: number, host: Self.two, lastGiven: standing == nil ? Self.three : four, members: members))
        }
        _ = machine.handle(.peer(list(50, nil), from: Self.ada), at: at(2_000))
        _ = try machine.invite(dan, as: GroupSamples.name("Dan"), at: at(2_100))
        let rings = machine.handle(.peer(list(51, .inviting), from: Self.ada), at: at(2_200))
        guard case .invitation = messages(rings, to: .contact(dan)).first else {
            Issue.record("he is not called")
            return
        }
        let effects = machine.handle(.peer(list(52, .removed), from: Self.ada), at: at(2_300))
        #expect(messages(effects, to: .contact(dan)) == [.over(.invitation)])
        let again = machine.handle(.peer(list(53, .removed), from: Self.ada), at: at(2_400))
        #expect(messages(again, to: .contact(dan)) == [], "once")
    }

    // MARK: Who is called

    /// The number of the invitation that goes to a contact.
    private static func invitation(_ effects: [GroupCallEffect], to peer: GroupPeer) -> Int? {
        effects.lazy.compactMap { if case .send(.invitation, peer, let number) = $0 { number } else { nil } }.first
    }

    @Test func `an invitation is on its way until the guest's device has it, and rings from then on`() throws {
        var (machine, effects) = Self.calling()
        func stages() -> [GroupCallUpdate.MemberStage] { machine.update.members.map(\.stage) }
        let number = try #require(Self.invitation(effects, to: Self.ada))
        #expect(effects.contains(.startTimer(.relay(Self.two), .seconds(3))))
        #expect(stages() == [.inviting, .inviting])
        effects = machine.handle(.taken(number), at: at(100))
        #expect(effects == [.stopTimer(.relay(Self.two))] && stages() == [.inviting, .inviting])
        #expect(machine.handle(.receipt(number), at: at(200)) == [])
        #expect(stages() == [.ringing, .inviting])
        // Once more, and what was never sent, says nothing.
        for input in [GroupCallInput.taken(number), .receipt(number), .taken(900), .receipt(900), .lost(900)] {
            #expect(machine.handle(input, at: at(300)) == [] && stages() == [.ringing, .inviting])
        }
        _ = machine.handle(.peer(Self.join(Self.two), from: Self.ada), at: at(1_000))
        #expect(stages() == [.connecting, .inviting])
    }

    @Test func `a receipt says that the relay has it, too`() throws {
        var (machine, effects) = Self.calling()
        let number = try #require(Self.invitation(effects, to: Self.bo))
        #expect(machine.handle(.receipt(number), at: at(100)) == [.stopTimer(.relay(Self.three))])
        #expect(machine.update.members.map(\.stage) == [.inviting, .ringing])
        effects = machine.handle(.clock(.relay(Self.three)), at: at(3_000))
        #expect(effects == [] && machine.update.members.map(\.stage) == [.inviting, .ringing])
    }

    @Test
    func `whose relay takes nothing for three seconds is told as out of reach, and has the whole time once it does`()
        throws
    {
        var (machine, effects) = Self.calling()
        let number = try #require(Self.invitation(effects, to: Self.ada))
        effects = machine.handle(.clock(.relay(Self.two)), at: at(3_000))
        #expect(effects == [] && machine.update.members.map(\.stage) == [.unreachable, .inviting])
        effects = machine.handle(.taken(number), at: at(50_000))
        #expect(effects == [.startTimer(.invitation(Self.two), .seconds(60))])
        #expect(machine.update.members.map(\.stage) == [.inviting, .inviting])
        #expect(machine.handle(.taken(number), at: at(51_000)) == [], "once")
    }

    @Test func `whose relay took nothing in the whole time was not reached, and whose did has not answered`() throws {
        var (machine, effects) = Self.calling()
        _ = machine.handle(.taken(try #require(Self.invitation(effects, to: Self.bo))), at: at(100))
        _ = machine.handle(.clock(.relay(Self.two)), at: at(3_000))
        for member in [Self.two, Self.three] {
            effects = machine.handle(.clock(.invitation(member)), at: at(60_000))
        }
        #expect(machine.update.members.map(\.stage) == [.notReached, .noAnswer])
        #expect(effects.last == .finished(.nobodyJoined))
    }

    @Test func `where no relay of anybody took the invitation nobody was reached`() {
        var (machine, effects) = Self.calling()
        for member in [Self.two, Self.three] { _ = machine.handle(.clock(.relay(member)), at: at(3_000)) }
        for member in [Self.two, Self.three] {
            effects = machine.handle(.clock(.invitation(member)), at: at(60_000))
        }
        #expect(effects.last == .finished(.nobodyReached))
        #expect(GroupCallEndReason.nobodyReached.logged.result(.outgoing, wasOn: false) == .dialFailed)
    }

    @Test func `who can't be sent the invitation is called no longer`() throws {
        var (machine, effects) = Self.calling()
        let number = try #require(Self.invitation(effects, to: Self.ada))
        effects = machine.handle(.lost(number), at: at(1_000))
        #expect(effects.contains(.stopTimer(.invitation(Self.two))) && effects.contains(.stopTimer(.relay(Self.two))))
        #expect(machine.update.members.map(\.stage) == [.notReached, .inviting])
        let other = try #require(Self.invitation(Self.calling().1, to: Self.bo))
        #expect(machine.handle(.lost(other), at: at(2_000)).last == .finished(.nobodyReached))
    }

    @Test func `whom the host gives no place is told to who wants to invite them, once, and who gets one is not`()
        throws
    {
        var machine = Self.introduced()
        let dan = ContactID(rawValue: "Dan")
        let asked = try machine.invite(dan, as: GroupSamples.name("Dan"), at: at(3_000))
        #expect(messages(asked, to: Self.ada) == [.ask(GroupSamples.name("Dan"))])
        #expect(asked.contains(.startTimer(.ask, .seconds(10))))
        var other = machine
        #expect(machine.handle(.clock(.ask), at: at(13_000)) == [.tellNotInvited(dan)])
        #expect(machine.handle(.clock(.ask), at: at(23_000)) == [])
        let again = try machine.invite(dan, as: GroupSamples.name("Dan"), at: at(24_000))
        #expect(messages(again, to: Self.ada) == [.ask(GroupSamples.name("Dan"))], "it can be tried again")
        let five = GroupSamples.number(5)
        var members = other.roster.list.members
        members.append(
            GroupMember(
                number: five, name: GroupSamples.name("Dan"), standing: .inviting, inviter: GroupSamples.number(4)))
        let list = GroupRoster(number: 50, host: .first, lastGiven: five, members: members)
        let given = other.handle(.peer(.roster(list), from: Self.ada), at: at(4_000))
        #expect(given.contains(.stopTimer(.ask)) && !given.contains(.tellNotInvited(dan)))
        #expect(other.handle(.clock(.ask), at: at(13_000)) == [])
    }

    // MARK: Contacts who were introduced

    /// Kim (4) in the call of ``ringing()``, with a line to Bo (3) that is up.
    private static func introduced() -> GroupCallMachine {
        var machine = ringing()
        _ = machine.handle(.person(.accept(.audio)), at: at(1_000))
        _ = machine.handle(.line(three, .made(GroupSamples.link())), at: at(2_000))
        _ = machine.handle(.line(three, .up), at: at(2_100))
        let offer = GroupDescription(path: 0, description: sdp, candidates: [])
        _ = machine.handle(.peer(.answer(offer), from: ada), at: at(2_200))
        _ = machine.handle(.path(.first, 0, .heard), at: at(2_300))
        return machine
    }

    @Test func `who proves by a line to be a contact is that contact, is not called again and is logged as one`() {
        var machine = Self.introduced()
        #expect(machine.contacts == [.first: GroupSamples.ada])
        #expect(machine.handle(.line(Self.three, .recognised(GroupSamples.bo)), at: at(3_000)) == [])
        #expect(machine.contacts == [.first: GroupSamples.ada, Self.three: GroupSamples.bo])
        #expect(machine.update.members.first { $0.number == Self.three }?.isContact == true)
        // The line stays the way, and what is kept for coming back leads by it.
        #expect(machine.kept?.contacts == [.first: GroupSamples.ada] && machine.kept?.lines == [Self.three])
        #expect(throws: GroupCallRefusal.notNow) {
            try machine.invite(GroupSamples.bo, as: GroupSamples.name("Bo"), at: at(3_100))
        }
        let entry = machine.handle(.person(.hangUp), at: at(4_000)).lazy.compactMap { effect in
            if case .record(let entry) = effect { entry } else { nil }
        }.first
        #expect(entry?.members.map(\.contact) == [GroupSamples.ada, GroupSamples.bo])
    }

    @Test func `a proof is good for the line that it came by, and for no later one`() {
        var machine = Self.introduced()
        _ = machine.handle(.line(Self.three, .recognised(GroupSamples.bo)), at: at(3_000))
        // Gone, it is still who it was; what takes its place may lead to anybody.
        _ = machine.handle(.line(Self.three, .failed), at: at(4_000))
        #expect(machine.contacts[Self.three] == nil, "another link is being made at once")
        _ = machine.handle(.line(Self.three, .made(GroupSamples.link())), at: at(5_000))
        _ = machine.handle(.line(Self.three, .recognised(GroupSamples.bo)), at: at(5_100))
        #expect(machine.contacts[Self.three] == nil, "there is no line yet")
        _ = machine.handle(.line(Self.three, .up), at: at(5_200))
        #expect(machine.contacts[Self.three] == nil)
        _ = machine.handle(.line(Self.three, .recognised(GroupSamples.bo)), at: at(5_300))
        #expect(machine.contacts[Self.three] == GroupSamples.bo)
        // Other keys are as good as another line.
        let renewed = machine.handle(.line(Self.three, .renewed), at: at(6_000))
        #expect(machine.contacts[Self.three] == nil)
        #expect(messages(renewed, to: .line(Self.three)) == [.hello(GroupHello(GroupSamples.number(4)))])
    }

    @Test func `who is in by another's invitation need not be called by this side any more`() throws {
        var machine = Self.introduced()
        let five = GroupSamples.number(5)
        // Ada is the host: she gives a number to whom Kim calls.
        _ = try machine.invite(GroupSamples.bo, as: GroupSamples.name("Robert"), at: at(3_000))
        let members = [
            GroupMember(number: .first, name: GroupSamples.name("Ada"), standing: .isIn),
            GroupMember(number: Self.three, name: GroupSamples.name("Bo"), standing: .isIn, inviter: .first),
            GroupMember(number: GroupSamples.number(4), name: GroupSamples.name, standing: .isIn, inviter: .first),
            GroupMember(
                number: five, name: GroupSamples.name("Robert"), standing: .inviting, inviter: GroupSamples.number(4)),
        ]
        let list = GroupRoster(number: 50, host: .first, lastGiven: five, members: members)
        let rings = machine.handle(.peer(.roster(list), from: Self.ada), at: at(3_100))
        #expect(rings.contains(.startTimer(.invitation(five), .seconds(60))))
        let known = machine.handle(.line(Self.three, .recognised(GroupSamples.bo)), at: at(3_200))
        #expect(known.contains(.stopTimer(.invitation(five))))
        #expect(
            messages(known, to: Self.ada) == [.decline(GroupDecline(member: five, reason: .noAnswer))])
    }

    // MARK: Every message in every stage

    private static func stages() -> [GroupCallMachine] {
        var joining = ringing()
        _ = joining.handle(.person(.accept(.video)), at: at(100))
        var returning = on()
        _ = returning.handle(.path(two, 0, .silent), at: at(5_000))
        var ended = on()
        _ = ended.handle(.person(.hangUp), at: at(5_000))
        return [calling().0, ringing(), joining, on(), returning, ended]
    }

    private static let list = GroupRoster(
        number: 50, host: two, lastGiven: three,
        members: [GroupMember(number: two, name: GroupSamples.name, standing: .isIn)])

    private static let messages: [GroupMessage] = [
        .invitation(
            GroupInvitation(
                own: three, inviter: .first, host: .first, media: .video,
                members: [.init(number: .first, name: GroupSamples.name)])),
        join(two), join(three),
        .line(GroupLine(maker: GroupSamples.number(9), user: .first, link: GroupSamples.link())),
        .line(GroupLine(maker: three, user: GroupSamples.number(4), link: GroupSamples.link())),
        .roster(list), .key(GroupKey(epoch: 9, step: 0, secret: GroupSamples.secret(3))),
        .offer(GroupDescription(path: 7, description: .init(kind: .offer, sdp: ""), candidates: [])),
        .answer(GroupDescription(path: 0, description: sdp, candidates: [])),
        .extra(GroupCandidates(path: 0, candidates: [])), .wantKey, .hello(GroupHello(three)),
        .decline(GroupDecline(member: two, reason: .declined)), .ask(GroupSamples.name), .remove(.first),
        .remove(GroupSamples.number(4)), .leave, .over(nil), .over(.call), .over(.invitation),
        .rejoin(GroupRejoin(member: two, nonce: nonce)),
        .room(GroupRoom(number: 1, address: "wss://a", room: 1, feeds: GroupSamples.secret(2))),
        .heir(
            GroupRoom(
                number: 1, address: "wss://a", room: 1, feeds: GroupSamples.secret(2), secret: SecretText("s"))),
        .state(GroupState(hand: true)),
    ]

    private static var nonce: RejoinNonce {
        guard let nonce = RejoinNonce(bytes: Array(0..<16)) else { preconditionFailure("16 bytes are a nonce") }
        return nonce
    }

    private static let peers: [GroupPeer] = [ada, bo, .line(two), .line(three), .contact(ContactID(rawValue: "Eve"))]

    private static let clocks: [GroupTimer] = [
        .ringing, .invitation(two), .invitation(three), .relay(two), .relay(three), .joining, .rejoin, .alone,
        .returning, .silence(two),
        .silence(.first), .rotation, .again, .line(three), .path(.first), .ask, .token,
    ]

    private static let others: [GroupCallInput] =
        clocks.map { .clock($0) } + [
            .line(three, .made(GroupSamples.link())), .line(three, .up), .line(three, .failed), .receipt(1), .taken(1),
            .lost(1), .lost(2),
            .line(three, .recognised(GroupSamples.bo)), .line(.first, .recognised(GroupSamples.bo)),
            .line(three, .renewed),
            .path(two, 0, .heard), .path(two, 0, .silent), .path(.first, 0, .described(sdp, [])),
            .path(two, 0, .failed),
            .path(two, 0, .wrongCertificate), .path(two, 0, .candidates([])), .path(two, 0, .unreadable),
            .room(1, .renewed(SecretText("t"))),
        ]

    private static var strange: [GroupCallInput] {
        messages.flatMap { message in peers.map { .peer(message, from: $0) } } + others
    }

    @Test func `from ringing, no input but the person's acceptance touches anything, in any order of two`() {
        let wishes: [GroupCallInput] = [
            .person(.decline), .person(.hangUp), .person(.remove(.first)), .person(.show(GroupState(hand: true))),
        ]
        let inputs = Self.strange + wishes
        var touched: [String] = []
        for first in inputs {
            var one = Self.ringing()
            if one.handle(first, at: at(1)).contains(where: \.needsConsent) { touched.append("\(first)") }
            #expect(!one.stage.hasLocalConsent)
            for second in inputs {
                var two = one
                if two.handle(second, at: at(2)).contains(where: \.needsConsent) {
                    touched.append("\(first) \(second)")
                }
            }
        }
        #expect(touched == [])
    }

    @Test func `a stranger's messages change nothing in any stage but are counted`() {
        for machine in Self.stages() {
            for message in Self.messages {
                var next = machine
                let effects = next.handle(.peer(message, from: .contact(ContactID(rawValue: "Eve"))), at: at(9_000))
                #expect(effects.allSatisfy { !$0.needsConsent } && messages(effects, to: Self.ada).isEmpty)
                #expect(next.stage == machine.stage)
                #expect(next.rejections.total == machine.rejections.total + 1)
            }
        }
    }

    @Test func `no member but the host can put anybody out, write its list or answer for others' guests`() {
        let machine = Self.on()
        let messages: [GroupMessage] = [
            .remove(.first), .remove(Self.three), Self.join(Self.three),
            .decline(GroupDecline(member: Self.three, reason: .declined)),
            .roster(
                GroupRoster(
                    number: 99, host: .first, lastGiven: Self.three,
                    members: [GroupMember(number: .first, name: GroupSamples.name, standing: .isIn)])),
        ]
        for message in messages {
            var next = machine
            #expect(next.handle(.peer(message, from: Self.ada), at: at(9_000)) == [], "\(message)")
            #expect(next.rejections[.wrongRole] == machine.rejections[.wrongRole] + 1)
            #expect(next.roster == machine.roster)
        }
    }

    @Test func `20,000 random inputs never trap, and media is open only between consent and the end`() {
        var generator = SeededGenerator(seed: 15)
        let inputs = Self.strange
        let wishes: [GroupCallInput] = [
            .person(.accept(.video)), .person(.remove(Self.two)), .person(.show(GroupState(camera: true))),
        ]
        for _ in 0..<200 {
            var machine = Self.stages().randomElement(using: &generator) ?? Self.ringing()
            var isOver = machine.stage == .ended
            for step in 0..<100 {
                let pool = Int.random(in: 0..<20, using: &generator) == 0 ? wishes : inputs
                guard let input = pool.randomElement(using: &generator) else { continue }
                let effects = machine.handle(input, at: at(10_000 + step * 100))
                #expect(!isOver || effects.isEmpty)
                if effects.contains(where: \.needsConsent), machine.stage == .ringingWithoutConsent {
                    Issue.record("\(input) opens something")
                }
                isOver = machine.stage == .ended
                if isOver { #expect(!machine.isWaiting) }
            }
        }
    }
}
