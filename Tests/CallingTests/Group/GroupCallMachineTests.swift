import BaseKit
import Cryptography
import Signaling
import TestSupport
import Testing

@testable import Calling

@Suite("A call of several", .timeLimit(.minutes(5)))
struct GroupCallMachineTests {
    // MARK: Stories

    @Test func `whoever is called is rung for 60 seconds, and nothing is opened before somebody joins`() {
        let (machine, effects) = GroupMachines.calling()
        #expect(machine.stage == .callingWithOwnConsent)
        for (peer, member) in [(GroupMachines.ada, GroupMachines.two), (GroupMachines.bo, GroupMachines.three)] {
            guard case .invitation(let invitation) = GroupMachines.messages(effects, to: peer).first else {
                Issue.record("nobody rings")
                continue
            }
            #expect(invitation.own == member && invitation.members.map(\.number) == [.first])
            #expect(effects.contains(.startTimer(.invitation(member), .seconds(60))))
        }
        #expect(!effects.contains { $0.needsConsent })
    }

    @Test func `the first who joins is sent the list and the key, hashed on, and media opens`() throws {
        var (machine, _) = GroupMachines.calling()
        let before = machine.keys.current
        let effects = machine.handle(
            .peer(GroupMachines.join(GroupMachines.two), from: GroupMachines.ada), at: at(1_000))
        #expect(machine.stage == .acceptedOn)
        #expect(effects.contains(.openMedia(.video)))
        let sent = GroupMachines.messages(effects, to: GroupMachines.ada)
        guard case .roster(let list) = sent.first, case .key(let key) = sent.dropFirst().first else {
            Issue.record("\(sent)")
            return
        }
        #expect(list.members.first { $0.number == GroupMachines.two }?.standing == .isIn)
        #expect(key.step == 1 && key.secret == GroupKeyStep.next(before.secret, call: GroupSamples.id))
        #expect(GroupMachines.messages(effects, to: GroupMachines.bo).isEmpty)
    }

    @Test func `who accepts opens media, makes links for lower numbers and joins with them`() {
        var machine = GroupMachines.ringing()
        let accepted = machine.handle(.person(.accept(.audio)), at: at(1_000))
        #expect(accepted.contains(.openMedia(.audio)) && accepted.contains(.makeLine(GroupMachines.three)))
        #expect(GroupMachines.messages(accepted, to: GroupMachines.ada).isEmpty)
        let joined = machine.handle(.line(GroupMachines.three, .made(GroupSamples.link())), at: at(1_100))
        let links = [LinkForMember(member: GroupMachines.three, link: GroupSamples.link())]
        #expect(
            GroupMachines.messages(joined, to: GroupMachines.ada).first
                == .join(GroupJoin(member: GroupSamples.number(4), media: .audio, links: links)))
        #expect(joined.contains { if case .openPath(.first, _, .offers) = $0 { true } else { false } })
    }

    @Test func `what is on is told by a line, and again by the next one if that fails`() {
        var machine = GroupMachines.ringing()
        let shown = GroupState(microphone: true)
        _ = machine.handle(.person(.show(shown)), at: at(1_000))
        _ = machine.handle(.person(.accept(.audio)), at: at(1_000))
        func up() -> [GroupMessage] {
            _ = machine.handle(.line(GroupMachines.three, .made(GroupSamples.link())), at: at(2_000))
            return GroupMachines.messages(
                machine.handle(.line(GroupMachines.three, .up), at: at(2_000)), to: .line(GroupMachines.three))
        }
        #expect(up().contains(.state(shown)))
        #expect(!up().contains(.state(shown)))
        _ = machine.handle(.line(GroupMachines.three, .failed), at: at(3_000))
        #expect(up().contains(.state(shown)))
    }

    @Test func `whom this side has met is told when it is somebody more, and not when it is somebody less`() {
        var machine = GroupMachines.on()
        func told(_ state: GroupState) -> Bool {
            let effects = machine.handle(.person(.show(state)), at: at(2_000))
            return GroupMachines.messages(effects, to: GroupMachines.ada).contains(.state(state))
        }
        #expect(told(GroupState(heard: [GroupMachines.two])))
        #expect(told(GroupState(heard: [GroupMachines.two], seen: [GroupMachines.two])))
        #expect(!told(GroupState(heard: [GroupMachines.two])))
        #expect(told(GroupState(heard: [GroupMachines.two, GroupMachines.three])))
        #expect(told(GroupState(hand: true)))
    }

    @Test func `a fifth person is refused with the reason that a call server is needed`() throws {
        var machine = GroupMachines.on()
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
        var machine = GroupMachines.on()
        _ = machine.handle(.peer(GroupMachines.join(GroupMachines.three), from: GroupMachines.bo), at: at(2_000))
        let effects = machine.handle(.person(.remove(GroupMachines.two)), at: at(3_000))
        #expect(GroupMachines.messages(effects, to: GroupMachines.ada) == [.remove(GroupMachines.two)])
        #expect(effects.contains(.dropKeys(GroupMachines.two)) && effects.contains(.closePath(GroupMachines.two)))
        #expect(effects.contains(.startTimer(.rotation, .milliseconds(500))))
        let given = GroupMachines.messages(effects, to: GroupMachines.bo).compactMap {
            if case .key(let key) = $0 { key } else { nil }
        }
        #expect(given.map(\.epoch) == [1])
        let used = machine.handle(.clock(.rotation), at: at(3_500))
        #expect(used.contains(.useKey(given[0])))
        // Whatever it says now, it is told again and nothing else comes of it.
        let answer = machine.handle(.peer(.wantKey, from: GroupMachines.ada), at: at(4_000))
        #expect(
            answer.count == 1 && GroupMachines.messages(answer, to: GroupMachines.ada) == [.remove(GroupMachines.two)])
    }

    @Test func `a key is new after a second where somebody leaves, or as soon as all have confirmed it`() {
        var machine = GroupMachines.on()
        _ = machine.handle(.peer(GroupMachines.join(GroupMachines.three), from: GroupMachines.bo), at: at(2_000))
        let effects = machine.handle(.peer(.leave, from: GroupMachines.ada), at: at(3_000))
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
        var machine = GroupMachines.on()
        _ = machine.handle(.clock(.invitation(GroupMachines.three)), at: at(60_000))
        let alone = machine.handle(.peer(.leave, from: GroupMachines.ada), at: at(70_000))
        #expect(alone.contains(.startTimer(.alone, .seconds(60))))
        let effects = machine.handle(.clock(.alone), at: at(130_000))
        #expect(effects.last == .finished(.alone) && effects.contains(.closeMedia))
    }

    @Test func `who is not heard for 40 seconds is out, and whoever nobody hears is told that the call is lost`() {
        var machine = GroupMachines.on()
        _ = machine.handle(.peer(GroupMachines.join(GroupMachines.three), from: GroupMachines.bo), at: at(2_000))
        _ = machine.handle(.clock(.silence(GroupMachines.three)), at: at(42_000))
        #expect(machine.roster.standing(of: GroupMachines.three) == .left)
        let silent = machine.handle(.path(GroupMachines.two, 0, .silent), at: at(50_000))
        #expect(machine.stage == .acceptedReturning && silent.contains(.startTimer(.returning, .seconds(40))))
        var heard = machine
        _ = heard.handle(.path(GroupMachines.two, 0, .heard), at: at(51_000))
        #expect(heard.stage == .acceptedOn)
        #expect(machine.handle(.clock(.returning), at: at(90_000)).last == .finished(.connectionLost))
    }

    @Test func `a certificate that is another one closes the path, and no new one is taken`() {
        var machine = GroupMachines.on()
        let closed = machine.handle(.path(GroupMachines.two, 0, .wrongCertificate), at: at(2_000))
        #expect(closed.contains(.closePath(GroupMachines.two)))
        #expect(machine.update.members.first?.isUntrusted == true)
        let offer = GroupDescription(path: 1, description: .init(kind: .offer, sdp: ""), candidates: [])
        let refused = machine.handle(.peer(.offer(offer), from: GroupMachines.ada), at: at(3_000))
        #expect(!refused.contains { $0.needsConsent })
    }

    @Test func `a member has paths made in a burst and then now and then, and what is refused changes nothing`() {
        var machine = GroupMachines.on()
        func isTaken(_ path: Int, at milliseconds: Int) -> Bool {
            let offer = GroupDescription(path: path, description: .init(kind: .offer, sdp: ""), candidates: [])
            let effects = machine.handle(.peer(.offer(offer), from: GroupMachines.ada), at: at(milliseconds))
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
        let machine = GroupMachines.on()
        let kept = try #require(machine.kept)
        #expect(!"\(kept)".contains("SecretBytes"))
        var (back, effects) = GroupCallMachine.comeBack(kept, at: at(9_000), random: GroupMachines.random())
        guard case .rejoin(let rejoin) = GroupMachines.messages(effects, to: GroupMachines.ada).first else {
            Issue.record("nobody is asked")
            return
        }
        #expect(effects.contains(.startTimer(.rejoin, .seconds(10))))
        let answer = GroupMessage.rejoined(GroupRejoined(nonce: rejoin.nonce, roster: kept.roster))
        effects = back.handle(.peer(answer, from: GroupMachines.ada), at: at(9_100))
        #expect(effects.contains(.stopTimer(.rejoin)))
        let count = back.rejections[.late]
        #expect(
            back.handle(.peer(answer, from: GroupMachines.ada), at: at(9_200)) == []
                && back.rejections[.late] == count + 1)
    }

    @Test func `who leaves tells those who have left before, too, but for whom the host has put out`() {
        var (machine, _) = GroupMachines.calling()
        _ = machine.handle(.peer(GroupMachines.join(GroupMachines.two), from: GroupMachines.ada), at: at(1_000))
        _ = machine.handle(.peer(GroupMachines.join(GroupMachines.three), from: GroupMachines.bo), at: at(1_000))
        _ = machine.handle(.peer(.leave, from: GroupMachines.ada), at: at(2_000))
        var other = machine
        let effects = machine.handle(.person(.hangUp), at: at(3_000))
        #expect(
            GroupMachines.messages(effects, to: GroupMachines.ada) == [.leave]
                && GroupMachines.messages(effects, to: GroupMachines.bo) == [.leave])
        #expect(machine.update.goesOn)
        _ = other.handle(.person(.remove(GroupMachines.three)), at: at(3_000))
        let last = other.handle(.person(.hangUp), at: at(4_000))
        #expect(
            GroupMachines.messages(last, to: GroupMachines.ada) == [.over(.call)]
                && GroupMachines.messages(last, to: GroupMachines.bo) == [])
        #expect(!other.update.goesOn)
    }

    // MARK: Contacts who were introduced

    @Test func `who proves by a line to be a contact is that contact, is not called again and is logged as one`() {
        var machine = GroupMachines.introduced()
        #expect(machine.contacts == [.first: GroupSamples.ada])
        #expect(machine.handle(.line(GroupMachines.three, .recognised(GroupSamples.bo)), at: at(3_000)) == [])
        #expect(machine.contacts == [.first: GroupSamples.ada, GroupMachines.three: GroupSamples.bo])
        #expect(machine.update.members.first { $0.number == GroupMachines.three }?.isContact == true)
        // The line stays the way, and what is kept for coming back leads by it.
        #expect(machine.kept?.contacts == [.first: GroupSamples.ada] && machine.kept?.lines == [GroupMachines.three])
        #expect(throws: GroupCallRefusal.notNow) {
            try machine.invite(GroupSamples.bo, as: GroupSamples.name("Bo"), at: at(3_100))
        }
        let entry = machine.handle(.person(.hangUp), at: at(4_000)).lazy.compactMap { effect in
            if case .record(let entry) = effect { entry } else { nil }
        }.first
        #expect(entry?.members.map(\.contact) == [GroupSamples.ada, GroupSamples.bo])
    }

    @Test func `a proof is good for the line that it came by, and for no later one`() {
        var machine = GroupMachines.introduced()
        _ = machine.handle(.line(GroupMachines.three, .recognised(GroupSamples.bo)), at: at(3_000))
        // Gone, it is still who it was; what takes its place may lead to anybody.
        _ = machine.handle(.line(GroupMachines.three, .failed), at: at(4_000))
        #expect(machine.contacts[GroupMachines.three] == nil, "another link is being made at once")
        _ = machine.handle(.line(GroupMachines.three, .made(GroupSamples.link())), at: at(5_000))
        _ = machine.handle(.line(GroupMachines.three, .recognised(GroupSamples.bo)), at: at(5_100))
        #expect(machine.contacts[GroupMachines.three] == nil, "there is no line yet")
        _ = machine.handle(.line(GroupMachines.three, .up), at: at(5_200))
        #expect(machine.contacts[GroupMachines.three] == nil)
        _ = machine.handle(.line(GroupMachines.three, .recognised(GroupSamples.bo)), at: at(5_300))
        #expect(machine.contacts[GroupMachines.three] == GroupSamples.bo)
        // Other keys are as good as another line.
        let renewed = machine.handle(.line(GroupMachines.three, .renewed), at: at(6_000))
        #expect(machine.contacts[GroupMachines.three] == nil)
        #expect(
            GroupMachines.messages(renewed, to: .line(GroupMachines.three)) == [
                .hello(GroupHello(GroupSamples.number(4)))
            ])
    }

    @Test func `who is in by another's invitation need not be called by this side any more`() throws {
        var machine = GroupMachines.introduced()
        let five = GroupSamples.number(5)
        // Ada is the host: she gives a number to whom Kim calls.
        _ = try machine.invite(GroupSamples.bo, as: GroupSamples.name("Robert"), at: at(3_000))
        let members = [
            GroupMember(number: .first, name: GroupSamples.name("Ada"), standing: .isIn),
            GroupMember(number: GroupMachines.three, name: GroupSamples.name("Bo"), standing: .isIn, inviter: .first),
            GroupMember(number: GroupSamples.number(4), name: GroupSamples.name, standing: .isIn, inviter: .first),
            GroupMember(
                number: five, name: GroupSamples.name("Robert"), standing: .inviting, inviter: GroupSamples.number(4)),
        ]
        let list = GroupRoster(number: 50, host: .first, lastGiven: five, members: members)
        let rings = machine.handle(.peer(.roster(list), from: GroupMachines.ada), at: at(3_100))
        #expect(rings.contains(.startTimer(.invitation(five), .seconds(60))))
        let known = machine.handle(.line(GroupMachines.three, .recognised(GroupSamples.bo)), at: at(3_200))
        #expect(known.contains(.stopTimer(.invitation(five))))
        #expect(
            GroupMachines.messages(known, to: GroupMachines.ada) == [
                .decline(GroupDecline(member: five, reason: .noAnswer))
            ])
    }

    // MARK: Every message in every stage

    private static func stages() -> [GroupCallMachine] {
        var joining = GroupMachines.ringing()
        _ = joining.handle(.person(.accept(.video)), at: at(100))
        var returning = GroupMachines.on()
        _ = returning.handle(.path(GroupMachines.two, 0, .silent), at: at(5_000))
        var ended = GroupMachines.on()
        _ = ended.handle(.person(.hangUp), at: at(5_000))
        return [GroupMachines.calling().0, GroupMachines.ringing(), joining, GroupMachines.on(), returning, ended]
    }

    private static let list = GroupRoster(
        number: 50, host: GroupMachines.two, lastGiven: GroupMachines.three,
        members: [GroupMember(number: GroupMachines.two, name: GroupSamples.name, standing: .isIn)])

    private static let messages: [GroupMessage] = [
        .invitation(
            GroupInvitation(
                own: GroupMachines.three, inviter: .first, host: .first, media: .video,
                members: [.init(number: .first, name: GroupSamples.name)])),
        GroupMachines.join(GroupMachines.two), GroupMachines.join(GroupMachines.three),
        .line(GroupLine(maker: GroupSamples.number(9), user: .first, link: GroupSamples.link())),
        .line(GroupLine(maker: GroupMachines.three, user: GroupSamples.number(4), link: GroupSamples.link())),
        .roster(list), .key(GroupKey(epoch: 9, step: 0, secret: GroupSamples.secret(3))),
        .offer(GroupDescription(path: 7, description: .init(kind: .offer, sdp: ""), candidates: [])),
        .answer(GroupDescription(path: 0, description: GroupMachines.sdp, candidates: [])),
        .extra(GroupCandidates(path: 0, candidates: [])), .wantKey, .hello(GroupHello(GroupMachines.three)),
        .decline(GroupDecline(member: GroupMachines.two, reason: .declined)), .ask(GroupSamples.name), .remove(.first),
        .remove(GroupSamples.number(4)), .leave, .over(nil), .over(.call), .over(.invitation),
        .rejoin(GroupRejoin(member: GroupMachines.two, nonce: GroupMachines.nonce)),
        .room(GroupRoom(number: 1, address: "wss://a", room: 1, feeds: GroupSamples.secret(2))),
        .heir(
            GroupRoom(
                number: 1, address: "wss://a", room: 1, feeds: GroupSamples.secret(2), secret: SecretText("s"))),
        .state(GroupState(hand: true)),
    ]

    private static let peers: [GroupPeer] = [
        GroupMachines.ada, GroupMachines.bo, .line(GroupMachines.two), .line(GroupMachines.three),
        .contact(ContactID(rawValue: "Eve")),
    ]

    private static let clocks: [GroupTimer] = [
        .ringing, .invitation(GroupMachines.two), .invitation(GroupMachines.three), .relay(GroupMachines.two),
        .relay(GroupMachines.three), .joining, .rejoin, .alone,
        .returning, .silence(GroupMachines.two),
        .silence(.first), .rotation, .again, .line(GroupMachines.three), .path(.first), .ask, .token,
    ]

    private static let others: [GroupCallInput] =
        clocks.map { .clock($0) } + [
            .line(GroupMachines.three, .made(GroupSamples.link())), .line(GroupMachines.three, .up),
            .line(GroupMachines.three, .failed), .receipt(1), .taken(1),
            .lost(1), .lost(2),
            .line(GroupMachines.three, .recognised(GroupSamples.bo)), .line(.first, .recognised(GroupSamples.bo)),
            .line(GroupMachines.three, .renewed),
            .path(GroupMachines.two, 0, .heard), .path(GroupMachines.two, 0, .silent),
            .path(.first, 0, .described(GroupMachines.sdp, [])),
            .path(GroupMachines.two, 0, .failed),
            .path(GroupMachines.two, 0, .wrongCertificate), .path(GroupMachines.two, 0, .candidates([])),
            .path(GroupMachines.two, 0, .unreadable),
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
            var one = GroupMachines.ringing()
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
                #expect(
                    effects.allSatisfy { !$0.needsConsent }
                        && GroupMachines.messages(effects, to: GroupMachines.ada).isEmpty)
                #expect(next.stage == machine.stage)
                #expect(next.rejections.total == machine.rejections.total + 1)
            }
        }
    }

    @Test func `no member but the host can put anybody out, write its list or answer for others' guests`() {
        let machine = GroupMachines.on()
        let messages: [GroupMessage] = [
            .remove(.first), .remove(GroupMachines.three), GroupMachines.join(GroupMachines.three),
            .decline(GroupDecline(member: GroupMachines.three, reason: .declined)),
            .roster(
                GroupRoster(
                    number: 99, host: .first, lastGiven: GroupMachines.three,
                    members: [GroupMember(number: .first, name: GroupSamples.name, standing: .isIn)])),
        ]
        for message in messages {
            var next = machine
            #expect(next.handle(.peer(message, from: GroupMachines.ada), at: at(9_000)) == [], "\(message)")
            #expect(next.rejections[.wrongRole] == machine.rejections[.wrongRole] + 1)
            #expect(next.roster == machine.roster)
        }
    }

    @Test func `20,000 random inputs never trap, and media is open only between consent and the end`() {
        var generator = SeededGenerator(seed: 15)
        let inputs = Self.strange
        let wishes: [GroupCallInput] = [
            .person(.accept(.video)), .person(.remove(GroupMachines.two)), .person(.show(GroupState(camera: true))),
        ]
        for _ in 0..<200 {
            var machine = Self.stages().randomElement(using: &generator) ?? GroupMachines.ringing()
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
