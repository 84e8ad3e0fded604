import BaseKit
import Cryptography
import Signaling
import TestSupport
import Testing

@testable import Calling

/// Going over between direct ways and a room on a call server, as one side does it.
@Suite(.timeLimit(.minutes(5))) struct GroupHandoverTests {
    private static let names = ["Ada", "Bo", "Cy", "Di"]

    private static func contact(_ index: Int) -> ContactID { ContactID(rawValue: names[index]) }
    private static func number(_ index: Int) -> MemberNumber { GroupSamples.number(index + 2) }
    private static func peer(_ index: Int) -> GroupPeer { .contact(contact(index)) }

    private static func room(_ number: Int, id: Int = 7, secret: Bool = false, token: String? = nil) -> GroupRoom {
        GroupRoom(
            number: number, address: "wss://a/", room: id, token: token.map { SecretText($0) },
            feeds: GroupSamples.secret(3),
            secret: secret ? SecretText("keeper") : nil)
    }

    private static func random() -> @Sendable (Int) -> SecretBytes {
        let source = SeededSource(seed: 2)
        return { SecretBytes(source.bytes($0)) }
    }

    /// Kim, the host with a server, and so many who have joined.
    private static func host(
        with count: Int, _ use: GroupServerUse = .whenNeeded
    ) throws -> (GroupCallMachine, [GroupCallEffect]) {
        let guests = (0..<count).map { (contact: contact($0), name: GroupSamples.name(names[$0])) }
        var (machine, effects) = try GroupCallMachine.call(
            guests, as: GroupSamples.name, media: .video, callID: GroupSamples.id, server: use, at: at(0),
            random: random())
        for index in 0..<count {
            let join = GroupJoin(member: number(index), media: .video)
            effects += machine.handle(.peer(.join(join), from: peer(index)), at: at(1_000 + Int64(index)))
        }
        return (machine, effects)
    }

    /// The same, in the room.
    private static func hostInRoom(with count: Int, _ use: GroupServerUse = .whenNeeded) throws -> GroupCallMachine {
        var (machine, _) = try host(with: count, use)
        _ = machine.handle(.room(1, .made(room(1, secret: true))), at: at(2_000))
        _ = machine.handle(.room(1, .inside), at: at(2_100))
        for index in 0..<count { _ = machine.handle(.room(1, .heard(number(index))), at: at(2_200)) }
        return machine
    }

    /// Kim is called by Ada, who is the host, and has accepted. Bo is in.
    private static func guest(hasAccepted: Bool = true) -> GroupCallMachine {
        let invitation = GroupInvitation(
            own: GroupSamples.number(4), inviter: .first, host: .first, media: .video,
            members: [.init(number: .first, name: GroupSamples.name("Ada"))])
        var (machine, _) = GroupCallMachine.ring(
            contact(0), invitation: invitation, as: GroupSamples.name, callID: GroupSamples.id, at: at(0),
            random: random())
        guard hasAccepted else { return machine }
        _ = machine.handle(.person(.accept(.video)), at: at(1_000))
        _ = machine.handle(.peer(.roster(list(.room)), from: peer(0)), at: at(1_100))
        return machine
    }

    /// Kim (4) is called by Ada (1), the host, and these are in who reach each other directly; the list says whether Ada has a server.
    private static func direct(_ numbers: [Int] = [1, 2, 3, 4], hostHasServer: Bool) -> GroupCallMachine {
        var guest = guest()
        let members = numbers.map {
            GroupMember(
                number: GroupSamples.number($0), name: GroupSamples.name($0 == 1 ? "Ada" : "M\($0)"), standing: .isIn)
        }
        let list = GroupRoster(
            number: 20, host: .first, lastGiven: GroupSamples.number(5), members: members, hasServer: hostHasServer)
        _ = guest.handle(.peer(.roster(list), from: peer(0)), at: at(1_200))
        _ = guest.handle(.path(.first, 0, .heard), at: at(1_400))
        return guest
    }

    private static func list(_ route: GroupRoute, number: Int = 9) -> GroupRoster {
        GroupRoster(
            number: number, host: .first, lastGiven: GroupSamples.number(4),
            members: [
                GroupMember(number: .first, name: GroupSamples.name("Ada"), standing: .isIn),
                GroupMember(
                    number: GroupSamples.number(4), name: GroupSamples.name, standing: .isIn, inviter: .first),
            ], route: route)
    }

    private static func messages(_ effects: [GroupCallEffect], to peer: GroupPeer) -> [GroupMessage] {
        effects.compactMap { if case .send(let message, peer, _) = $0 { message } else { nil } }
    }

    @Test func `the fifth person has the host make a room, and four don't`() throws {
        #expect(try !Self.host(with: 3).1.contains(.makeRoom(number: 1)))
        #expect(try Self.host(with: 4).1.contains(.makeRoom(number: 1)))
        #expect(try Self.host(with: 1, .always).1.contains(.makeRoom(number: 1)))
    }

    @Test func `without a server there is no fifth person`() {
        #expect(throws: GroupCallRefusal.needsServer) { try Self.host(with: 4, .never) }
    }

    @Test func `who is not the host asks it for a fifth person where the list says that it has a server`() throws {
        var member = Self.direct(hostHasServer: true)
        #expect(member.stage == .acceptedOn)
        #expect(member.update.capacity == 8)
        let effects = try member.invite(Self.contact(3), as: GroupSamples.name("Di"), at: at(2_000))
        #expect(Self.messages(effects, to: Self.peer(0)) == [.ask(GroupSamples.name("Di"))])
        #expect(Self.messages(effects, to: Self.peer(3)) == [])
    }

    @Test func `where the host has no server, a member that is not the host can't invite a fifth person`() {
        var member = Self.direct(hostHasServer: false)
        #expect(member.update.capacity == 4)
        #expect(throws: GroupCallRefusal.needsServer) {
            try member.invite(Self.contact(3), as: GroupSamples.name("Di"), at: at(2_000))
        }
    }

    @Test func `a host that is asked for a fifth person goes over in the list that gives the number`() throws {
        var (machine, _) = try Self.host(with: 3)
        let effects = machine.handle(.peer(.ask(GroupSamples.name("Di")), from: Self.peer(0)), at: at(2_000))
        #expect(effects.contains(.makeRoom(number: 1)))
        let lists = Self.messages(effects, to: Self.peer(0)).compactMap { message -> GroupRoster? in
            if case .roster(let list) = message { list } else { nil }
        }
        #expect(lists.count == 1 && lists.first?.route == .room)
        let guest = lists.first?.members.last
        #expect(guest?.standing == .inviting && guest?.inviter == Self.number(0))
    }

    @Test func `a host without a server gives no number to a fifth person`() throws {
        var (machine, _) = try Self.host(with: 3, .never)
        let effects = machine.handle(.peer(.ask(GroupSamples.name("Di")), from: Self.peer(0)), at: at(2_000))
        #expect(effects == [])
        #expect(machine.rejections[.tooMany] == 1)
    }

    @Test func `each member alone is told whether its large pictures are wanted, when that has changed`() throws {
        var machine = try Self.hostInRoom(with: 3, .always)
        func told(_ wishes: [MemberNumber: Bool], room: Int = 1) -> [[GroupMessage]] {
            let effects = machine.handle(.room(room, .large(wishes)), at: at(3_000))
            return (0..<3).map { Self.messages(effects, to: Self.peer($0)) }
        }
        func state(_ large: Bool) -> [GroupMessage] { [.state(GroupState(large: large))] }
        #expect(told([Self.number(0): true, Self.number(1): false]) == [state(true), state(false), []])
        #expect(told([Self.number(0): true, Self.number(1): false]) == [[], [], []])
        // In another room not all are known yet; of the last one nothing is believed any more.
        #expect(told([Self.number(1): true]) == [[], state(true), []])
        #expect(told([Self.number(2): false]) == [[], [], state(false)])
        #expect(told([Self.number(0): false], room: 0) == [[], [], []])
    }

    @Test func `what is on is told with whether large pictures are wanted`() throws {
        var machine = try Self.hostInRoom(with: 2, .always)
        _ = machine.handle(.room(1, .large([Self.number(0): false])), at: at(3_000))
        let effects = machine.handle(.person(.show(GroupState(hand: true))), at: at(4_000))
        #expect(Self.messages(effects, to: Self.peer(0)).contains(.state(GroupState(hand: true, large: false))))
        #expect(Self.messages(effects, to: Self.peer(1)).contains(.state(GroupState(hand: true))))
    }

    @Test func `the list says whether its host has a server, and who follows says it of itself`() throws {
        #expect(try Self.host(with: 1).0.roster.list.hasServer)
        #expect(try !Self.host(with: 1, .never).0.roster.list.hasServer)
        var member = Self.direct([1, 4, 5], hostHasServer: true)
        Self.makeLine(to: &member)
        _ = member.handle(.line(GroupSamples.number(5), .up), at: at(1_700))
        _ = member.handle(.peer(.leave, from: Self.peer(0)), at: at(2_000))
        #expect(member.roster.isHost && !member.roster.list.hasServer)
        #expect(member.update.capacity == 4)
    }

    @Test func `who reaches none of the others yet does not take the host's place before it does`() {
        var member = Self.direct([1, 4, 5], hostHasServer: false)
        Self.makeLine(to: &member)
        _ = member.handle(.peer(.leave, from: Self.peer(0)), at: at(2_000))
        #expect(!member.roster.isHost)
        _ = member.handle(.line(GroupSamples.number(5), .up), at: at(2_500))
        #expect(member.roster.isHost)
    }

    @Test func `everybody who is in is told of the room, and nobody of what closes it`() throws {
        var (machine, _) = try Self.host(with: 4)
        let effects = machine.handle(.room(1, .made(Self.room(1, secret: true))), at: at(2_000))
        #expect(effects.contains(.enterRoom(Self.room(1))))
        let told = effects.compactMap { effect -> GroupPeer? in
            guard case .send(.room(let room), let peer, _) = effect else { return nil }
            #expect(room == Self.room(1))
            return peer
        }
        #expect(Set(told) == Set((0..<4).map(Self.peer)))
        #expect(machine.roster.list.route == .room)
    }

    @Test func `a room that comes when nobody waits for it any more is closed`() throws {
        var (machine, _) = try Self.host(with: 4)
        _ = machine.handle(.clock(.room), at: at(22_000))
        let late = machine.handle(.room(1, .made(Self.room(1, secret: true))), at: at(23_000))
        #expect(late == [.leaveRoom(Self.room(1, secret: true))])
    }

    @Test func `who has accepted enters the room of the host, and who rings does not`() {
        var ringing = Self.guest(hasAccepted: false)
        #expect(ringing.handle(.peer(.room(Self.room(1)), from: Self.peer(0)), at: at(2_000)) == [])
        #expect(ringing.rejections[.outOfTurn] == 1)
        var guest = Self.guest()
        let effects = guest.handle(.peer(.room(Self.room(1)), from: Self.peer(0)), at: at(2_000))
        #expect(effects.contains(.enterRoom(Self.room(1))))
    }

    @Test func `a lower number of a room than before is not acted on`() {
        var guest = Self.guest()
        _ = guest.handle(.peer(.room(Self.room(5)), from: Self.peer(0)), at: at(2_000))
        let effects = guest.handle(.peer(.room(Self.room(4, id: 8)), from: Self.peer(0)), at: at(3_000))
        #expect(!effects.contains(.enterRoom(Self.room(4, id: 8))))
        #expect(guest.rejections[.late] == 1)
    }

    @Test func `nobody is sent from room to room all the time`() {
        var guest = Self.guest()
        var entered = 0
        for number in 1...30 {
            let effects = guest.handle(.peer(.room(Self.room(number, id: number)), from: Self.peer(0)), at: at(2_000))
            entered += effects.count { if case .enterRoom = $0 { true } else { false } }
        }
        #expect(entered <= 9)
        #expect(guest.rejections[.tooOften] > 0)
    }

    @Test func `who is heard by the room counts as heard`() {
        var guest = Self.guest()
        _ = guest.handle(.peer(.room(Self.room(1)), from: Self.peer(0)), at: at(2_000))
        #expect(guest.stage == .acceptedJoining)
        _ = guest.handle(.room(1, .inside), at: at(2_100))
        _ = guest.handle(.room(1, .heard(.first)), at: at(2_200))
        #expect(guest.stage == .acceptedOn)
        #expect(guest.update.members.first?.stage == .connected)
        #expect(guest.update.members.first?.isByRoom == true)
    }

    @Test func `a way to a member goes five seconds after the room brings the member, and not before`() throws {
        var (machine, _) = try Self.host(with: 4)
        let offer = GroupDescription(path: 0, description: .init(kind: .offer, sdp: "v=0\r\n"), candidates: [])
        _ = machine.handle(.peer(.offer(offer), from: Self.peer(0)), at: at(1_100))
        _ = machine.handle(.path(Self.number(0), 0, .heard), at: at(1_200))
        _ = machine.handle(.room(1, .made(Self.room(1, secret: true))), at: at(2_000))
        _ = machine.handle(.room(1, .inside), at: at(2_100))
        let heard = machine.handle(.room(1, .heard(Self.number(0))), at: at(2_200))
        #expect(heard.contains(.startTimer(.overlap(Self.number(0)), .seconds(5))))
        #expect(!heard.contains(.closePath(Self.number(0))))
        let over = machine.handle(.clock(.overlap(Self.number(0))), at: at(7_200))
        #expect(over.contains(.closePath(Self.number(0))))
        #expect(machine.heard.contains(Self.number(0)))
    }

    @Test func `a room that is away for ten seconds is tried again, and few go directly meanwhile`() throws {
        var machine = try Self.hostInRoom(with: 2, .always)
        #expect(machine.handle(.room(1, .lost), at: at(10_000)).contains(.startTimer(.roomLost, .seconds(10))))
        let over = machine.handle(.clock(.roomLost), at: at(20_000))
        #expect(over.contains(.leaveRoom(Self.room(1))))
        #expect(machine.roster.list.route == .mesh)
        let again = machine.handle(.clock(.room), at: at(22_000))
        #expect(again.contains { if case .makeRoom = $0 { true } else { false } })
    }

    @Test func `where so many are gone that nobody needs the room it is left after a while`() throws {
        var machine = try Self.hostInRoom(with: 4)
        let gone = machine.handle(.peer(.leave, from: Self.peer(3)), at: at(30_000))
        #expect(gone.contains(.startTimer(.calm, .seconds(20))))
        _ = machine.handle(.clock(.calm), at: at(50_000))
        #expect(machine.roster.list.route == .mesh)
        // Its keeper closes it when the others have had time.
        let over = machine.handle(.clock(.retreat), at: at(60_000))
        #expect(over.contains(.leaveRoom(Self.room(1, secret: true))))
    }

    @Test func `who leaves gives the room to the host that follows, and who is last closes it`() throws {
        var machine = try Self.hostInRoom(with: 4)
        let left = machine.handle(.person(.hangUp), at: at(30_000))
        let handed = left.compactMap { effect -> GroupPeer? in
            guard case .send(.room(let room), let peer, _) = effect, room.secret != nil else { return nil }
            return peer
        }
        #expect(handed == [Self.peer(0)])
        #expect(left.contains(.leaveRoom(Self.room(1))))
        var last = try Self.hostInRoom(with: 1, .always)
        _ = last.handle(.peer(.leave, from: Self.peer(0)), at: at(30_000))
        #expect(last.handle(.person(.hangUp), at: at(31_000)).contains(.leaveRoom(Self.room(1, secret: true))))
    }

    @Test func `the host that follows closes the room that was handed over to it`() {
        var guest = Self.guest()
        _ = guest.handle(.peer(.room(Self.room(1)), from: Self.peer(0)), at: at(2_000))
        _ = guest.handle(.room(1, .inside), at: at(2_100))
        _ = guest.handle(.room(1, .heard(.first)), at: at(2_200))
        _ = guest.handle(.peer(.room(Self.room(1, secret: true)), from: Self.peer(0)), at: at(3_000))
        _ = guest.handle(.peer(.leave, from: Self.peer(0)), at: at(3_001))
        let effects = guest.handle(.person(.hangUp), at: at(4_000))
        #expect(effects.contains(.leaveRoom(Self.room(1, secret: true))))
    }

    /// Ada hands Kim (4) the link to Bo (5).
    private static func makeLine(to guest: inout GroupCallMachine) {
        let line = GroupLine(maker: GroupSamples.number(5), user: GroupSamples.number(4), link: GroupSamples.link())
        _ = guest.handle(.peer(.line(line), from: peer(0)), at: at(1_600))
    }

    /// Kim (4) and Bo (5) in the room of Ada (1), the host, who has told Kim how it is closed, unless somebody else says so.
    private static func heir(toldBy teller: Int = 0) -> GroupCallMachine {
        var guest = guest()
        let members = [1, 4, 5].map {
            GroupMember(
                number: GroupSamples.number($0), name: GroupSamples.name($0 == 1 ? "Ada" : $0 == 5 ? "Bo" : "Kim"),
                standing: .isIn)
        }
        let list = GroupRoster(
            number: 10, host: .first, lastGiven: GroupSamples.number(5), members: members, route: .room)
        _ = guest.handle(.peer(.roster(list), from: peer(0)), at: at(1_500))
        Self.makeLine(to: &guest)
        _ = guest.handle(.line(GroupSamples.number(5), .up), at: at(1_700))
        _ = guest.handle(.peer(.room(room(1)), from: peer(0)), at: at(2_000))
        _ = guest.handle(.room(1, .inside), at: at(2_100))
        for number in [1, 5] { _ = guest.handle(.room(1, .heard(GroupSamples.number(number))), at: at(2_200)) }
        let peer = teller == 0 ? peer(0) : .line(GroupSamples.number(5))
        _ = guest.handle(.peer(.heir(room(1, secret: true)), from: peer), at: at(2_300))
        return guest
    }

    @Test func `the keeper tells whoever would follow it how the room is closed, and nobody else`() throws {
        var (machine, _) = try Self.host(with: 4)
        let effects = machine.handle(.room(1, .made(Self.room(1, secret: true))), at: at(2_000))
        func heirs(_ effects: [GroupCallEffect]) -> [GroupPeer] {
            effects.compactMap { if case .send(.heir, let peer, _) = $0 { peer } else { nil } }
        }
        #expect(heirs(effects) == [Self.peer(0)])
        #expect(Self.messages(effects, to: Self.peer(0)).contains(.heir(Self.room(1, secret: true))))
        #expect(heirs(machine.handle(.room(1, .inside), at: at(2_100))).isEmpty, "once")
        #expect(heirs(machine.handle(.peer(.leave, from: Self.peer(0)), at: at(3_000))) == [Self.peer(1)])
    }

    @Test func `whoever follows a host that went without a word closes its room as the last one`() {
        var heir = Self.heir()
        _ = heir.handle(.room(1, .silent(.first)), at: at(10_000))
        _ = heir.handle(.clock(.silence(.first)), at: at(50_000))
        #expect(heir.roster.isHost)
        var last = heir
        let left = heir.handle(.person(.hangUp), at: at(51_000))
        #expect(Self.messages(left, to: .line(GroupSamples.number(5))).contains(.room(Self.room(1, secret: true))))
        #expect(left.contains(.leaveRoom(Self.room(1))))
        _ = last.handle(.peer(.leave, from: .line(GroupSamples.number(5))), at: at(51_000))
        #expect(last.handle(.person(.hangUp), at: at(52_000)).contains(.leaveRoom(Self.room(1, secret: true))))
    }

    @Test func `a keeper that comes back is told again how the room is closed by the one whom it had told`() throws {
        // Ada comes back and asks Kim, whom she has told.
        var heir = Self.heir()
        let nonce = try #require(RejoinNonce(bytes: [UInt8](repeating: 5, count: RejoinNonce.count)))
        let asked = heir.handle(
            .peer(.rejoin(GroupRejoin(member: .first, nonce: nonce)), from: Self.peer(0)), at: at(9_000))
        func answered(_ effects: [GroupCallEffect], _ peer: GroupPeer) -> GroupRoom? {
            Self.messages(effects, to: peer).lazy.compactMap {
                if case .rejoined(let answer) = $0 { answer.room } else { nil }
            }.first
        }
        #expect(answered(asked, Self.peer(0)) == Self.room(1, secret: true))
        // Bo, who comes back too, is told of the room alone.
        let line = GroupPeer.line(GroupSamples.number(5))
        let other = heir.handle(
            .peer(.rejoin(GroupRejoin(member: GroupSamples.number(5), nonce: nonce)), from: line), at: at(9_100))
        #expect(answered(other, line) == Self.room(1))
    }

    @Test func `a host that comes back into its room can lock it, tells its heir, and closes it`() throws {
        let kept = try #require(Self.hostInRoom(with: 2, .always).kept)
        var (machine, effects) = GroupCallMachine.comeBack(kept, server: .always, at: at(50_000), random: Self.random())
        for case .send(.rejoin(let rejoin), let peer, _) in effects {
            let answer = GroupRejoined(
                nonce: rejoin.nonce, roster: kept.roster, room: Self.room(1, secret: peer == Self.peer(0)))
            effects += machine.handle(.peer(.rejoined(answer), from: peer), at: at(50_100))
        }
        effects += machine.handle(.room(1, .inside), at: at(50_500))
        #expect(Self.messages(effects, to: Self.peer(0)).contains(.heir(Self.room(1, secret: true))))
        effects = machine.handle(.person(.remove(Self.number(1))), at: at(60_000))
        #expect(effects.contains(.lockRoom(Self.room(1, secret: true), staying: [.first, Self.number(0)])))
        effects = machine.handle(.peer(.leave, from: Self.peer(0)), at: at(61_000))
        #expect(effects.contains(.leaveRoom(Self.room(1, secret: true))))
    }

    @Test func `while its keeper is there nobody else closes the room`() {
        var heir = Self.heir()
        let left = heir.handle(.person(.hangUp), at: at(10_000))
        #expect(left.contains(.leaveRoom(Self.room(1))))
        #expect(!left.contains { if case .send(.room, _, _) = $0 { true } else { false } })
    }

    @Test func `how the room is closed is believed of the host alone`() {
        var heir = Self.heir(toldBy: 1)
        _ = heir.handle(.peer(.leave, from: .line(GroupSamples.number(5))), at: at(3_000))
        _ = heir.handle(.peer(.leave, from: Self.peer(0)), at: at(4_000))
        #expect(heir.handle(.person(.hangUp), at: at(5_000)).contains(.leaveRoom(Self.room(1))))
    }

    @Test func `a host that comes back makes a room that takes the place of those before`() throws {
        let kept = try #require(Self.hostInRoom(with: 1, .always).kept)
        #expect(kept.highestRoom == 1)
        var (machine, effects) = GroupCallMachine.comeBack(kept, server: .always, at: at(50_000), random: Self.random())
        for case .send(.rejoin(let rejoin), let peer, _) in effects {
            let answer = GroupRejoined(nonce: rejoin.nonce, roster: kept.roster)
            _ = machine.handle(.peer(.rejoined(answer), from: peer), at: at(50_100))
        }
        let offer = GroupDescription(path: 0, description: .init(kind: .offer, sdp: "v=0\r\n"), candidates: [])
        _ = machine.handle(.peer(.offer(offer), from: Self.peer(0)), at: at(50_200))
        effects = machine.handle(.path(Self.number(0), 0, .heard), at: at(50_300))
        #expect(effects.contains(.makeRoom(number: 2)))
    }

    /// Lists of Ada (1) and of Bo (2), in each of which the other is gone and Kim (4) is in.
    private static func part(of host: Int, number: Int) -> GroupRoster {
        GroupRoster(
            number: number, host: GroupSamples.number(host), lastGiven: GroupSamples.number(4),
            members: [
                GroupMember(number: .first, name: GroupSamples.name("Ada"), standing: host == 1 ? .isIn : .left),
                GroupMember(
                    number: Self.number(0), name: GroupSamples.name("Bo"), standing: host == 2 ? .isIn : .left,
                    inviter: GroupSamples.number(4)),
                GroupMember(
                    number: GroupSamples.number(4), name: GroupSamples.name, standing: .isIn, inviter: .first),
            ], route: .room)
    }

    /// Kim with a line to Bo.
    private static func between() -> GroupCallMachine {
        var guest = guest()
        _ = guest.handle(.peer(.roster(part(of: 1, number: 10)), from: peer(0)), at: at(1_200))
        _ = guest.handle(.line(number(0), .up), at: at(1_250))
        _ = guest.handle(.peer(.hello(GroupHello(number(0))), from: .line(number(0))), at: at(1_300))
        return guest
    }

    @Test func `a room of who has gone on without is entered when their list counts`() {
        var guest = Self.between()
        let room = Self.room(1, id: 9)
        let told = guest.handle(.peer(.room(room), from: .line(Self.number(0))), at: at(2_000))
        #expect(!told.contains(.enterRoom(room)))
        let list = GroupMessage.roster(Self.part(of: 2, number: 30))
        let effects = guest.handle(.peer(list, from: .line(Self.number(0))), at: at(3_000))
        #expect(effects.contains(.enterRoom(room)))
    }

    @Test func `who goes on with another host and comes back enters the room of before without being told again`() {
        var guest = Self.between()
        _ = guest.handle(.peer(.room(Self.room(1)), from: Self.peer(0)), at: at(2_000))
        _ = guest.handle(.room(1, .inside), at: at(2_100))
        _ = guest.handle(.peer(.room(Self.room(1, id: 9)), from: .line(Self.number(0))), at: at(2_200))
        let away = guest.handle(
            .peer(.roster(Self.part(of: 2, number: 30)), from: .line(Self.number(0))), at: at(3_000))
        #expect(away.contains(.enterRoom(Self.room(1, id: 9))))
        let back = guest.handle(.peer(.roster(Self.part(of: 1, number: 40)), from: Self.peer(0)), at: at(4_000))
        #expect(back.contains(.enterRoom(Self.room(1))))
    }

    // MARK: Tokens

    /// The host of a room for which its server wants a token, with some others.
    private static func hostWithToken(
        with count: Int = 3, _ use: GroupServerUse = .always
    ) throws -> (GroupCallMachine, [GroupCallEffect]) {
        var (machine, _) = try host(with: count, use)
        let effects = machine.handle(.room(1, .made(room(1, secret: true, token: "old"))), at: at(2_000))
        _ = machine.handle(.room(1, .inside), at: at(2_100))
        return (machine, effects)
    }

    @Test func `an hour before it runs out a token is made anew, and all are told of the same room with it`() throws {
        var (machine, effects) = try Self.hostWithToken()
        #expect(effects.contains(.startTimer(.token, .seconds(11 * 3_600))))
        let due = machine.handle(.clock(.token), at: at(39_602_000))
        #expect(due == [.renewToken(Self.room(1, token: "old")), .startTimer(.token, .seconds(300))])
        effects = machine.handle(.room(1, .renewed(SecretText("new"))), at: at(39_602_100))
        #expect(effects.contains(.startTimer(.token, .seconds(11 * 3_600))))
        #expect(effects.contains(.useAccess(Self.room(1, token: "new"))))
        for index in 0..<3 {
            #expect(Self.messages(effects, to: Self.peer(index)) == [.room(Self.room(1, token: "new"))])
        }
        #expect(!effects.contains { if case .enterRoom = $0 { true } else { false } })
    }

    @Test func `a token that was not to be had is asked for again after five minutes`() throws {
        var (machine, _) = try Self.hostWithToken()
        _ = machine.handle(.clock(.token), at: at(39_602_000))
        #expect(machine.handle(.clock(.token), at: at(39_902_000)).contains(.renewToken(Self.room(1, token: "old"))))
    }

    @Test func `where no token is wanted none is made anew, nor where the room was closed`() throws {
        var machine = try Self.hostInRoom(with: 3, .always)
        #expect(machine.handle(.clock(.token), at: at(39_602_000)) == [])
        (machine, _) = try Self.hostWithToken(with: 4, .whenNeeded)
        _ = machine.handle(.peer(.leave, from: Self.peer(3)), at: at(30_000))
        _ = machine.handle(.clock(.calm), at: at(50_000))
        #expect(machine.handle(.clock(.retreat), at: at(60_000)).contains(.stopTimer(.token)))
        #expect(machine.handle(.room(1, .renewed(SecretText("new"))), at: at(60_100)) == [])
    }

    @Test func `who is told of another token stays in the room and uses it`() {
        var guest = Self.guest()
        _ = guest.handle(.peer(.room(Self.room(1, token: "old")), from: Self.peer(0)), at: at(2_000))
        _ = guest.handle(.room(1, .inside), at: at(2_100))
        let again = guest.handle(.peer(.room(Self.room(1, token: "old")), from: Self.peer(0)), at: at(3_000))
        #expect(again == [])
        let told = guest.handle(.peer(.room(Self.room(1, token: "new")), from: Self.peer(0)), at: at(4_000))
        #expect(told == [.useAccess(Self.room(1, token: "new"))])
        #expect(guest.handle(.peer(.room(Self.room(1, token: "new")), from: Self.peer(0)), at: at(4_100)) == [])
        // What makes it leave the room has it enter with the newest.
        _ = guest.handle(.room(1, .failed), at: at(5_000))
        let entered = guest.handle(.clock(.room), at: at(7_000))
        #expect(entered.contains(.enterRoom(Self.room(1, token: "new"))))
    }

    // MARK: Who is put out

    /// The effects of putting the last of three out of a call over a room.
    private static func putOut() throws -> (GroupCallMachine, [GroupCallEffect]) {
        var machine = try hostInRoom(with: 3, .always)
        let effects = machine.handle(.person(.remove(number(2))), at: at(9_000))
        return (machine, effects)
    }

    @Test func `a room is given another lock when somebody is put out, of which who stays is told`() throws {
        var (machine, effects) = try Self.putOut()
        #expect(
            effects.contains(.lockRoom(Self.room(1, secret: true), staying: [.first, Self.number(0), Self.number(1)])))
        effects = machine.handle(.room(1, .locked(pin: SecretText("9"), secret: SecretText("new"))), at: at(9_500))
        var room = Self.room(1)
        room.pin = SecretText("9")
        #expect(effects.contains(.useAccess(room)))
        #expect(Self.messages(effects, to: Self.peer(1)).contains(.room(room)))
        #expect(Self.messages(effects, to: Self.peer(2)) == [])
        // Who would follow knows how the room is closed now, and the room is closed by that.
        room.secret = SecretText("new")
        #expect(Self.messages(effects, to: Self.peer(0)).contains(.heir(room)))
    }

    @Test func `a room is locked again only with the secret that the lock before has left`() throws {
        var (machine, effects) = try Self.putOut()
        effects = machine.handle(.person(.remove(Self.number(1))), at: at(9_100))
        #expect(!effects.contains { if case .lockRoom = $0 { true } else { false } })
        effects = machine.handle(.room(1, .locked(pin: SecretText("9"), secret: SecretText("new"))), at: at(9_500))
        var room = Self.room(1)
        (room.pin, room.secret) = (SecretText("9"), SecretText("new"))
        #expect(effects.contains(.lockRoom(room, staying: [.first, Self.number(0)])))
    }

    @Test func `where the server is not reached a room is locked when it is again`() throws {
        var (machine, effects) = try Self.putOut()
        #expect(machine.handle(.room(1, .notLocked), at: at(15_000)) == [])
        _ = machine.handle(.room(1, .lost), at: at(16_000))
        effects = machine.handle(.room(1, .inside), at: at(18_500))
        #expect(
            effects.contains(.lockRoom(Self.room(1, secret: true), staying: [.first, Self.number(0), Self.number(1)])))
    }

    @Test func `who is only invited knows no room to be put out of`() throws {
        let guests = (0..<2).map { (contact: Self.contact($0), name: GroupSamples.name(Self.names[$0])) }
        var (machine, _) = try GroupCallMachine.call(
            guests, as: GroupSamples.name, media: .video, callID: GroupSamples.id, server: .always, at: at(0),
            random: Self.random())
        _ = machine.handle(
            .peer(.join(GroupJoin(member: Self.number(0), media: .video)), from: Self.peer(0)), at: at(1_000))
        _ = machine.handle(.room(1, .made(Self.room(1, secret: true))), at: at(2_000))
        _ = machine.handle(.room(1, .inside), at: at(2_100))
        let effects = machine.handle(.person(.remove(Self.number(1))), at: at(9_000))
        #expect(Self.messages(effects, to: Self.peer(1)) == [.over(.invitation)])
        #expect(!effects.contains { if case .lockRoom = $0 { true } else { false } })
    }

    @Test func `who is told of another PIN stays in the room and uses it`() {
        var guest = Self.guest()
        _ = guest.handle(.peer(.room(Self.room(1)), from: Self.peer(0)), at: at(2_000))
        _ = guest.handle(.room(1, .inside), at: at(2_100))
        var locked = Self.room(1)
        locked.pin = SecretText("9")
        #expect(guest.handle(.peer(.room(locked), from: Self.peer(0)), at: at(4_000)) == [.useAccess(locked)])
        _ = guest.handle(.room(1, .failed), at: at(5_000))
        #expect(guest.handle(.clock(.room), at: at(7_000)).contains(.enterRoom(locked)))
    }

    @Test func `another token from somebody who is not the host is not used, nor are many`() {
        var guest = Self.between()
        let other = GroupPeer.line(Self.number(0))
        for peer in [Self.peer(0), other] {
            _ = guest.handle(.peer(.room(Self.room(1, token: "0")), from: peer), at: at(2_000))
        }
        let told = guest.handle(.peer(.room(Self.room(1, token: "guess")), from: other), at: at(2_500))
        #expect(!told.contains { if case .useAccess = $0 { true } else { false } })
        var used = 0
        for token in 1...30 {
            let effects = guest.handle(.peer(.room(Self.room(1, token: "\(token)")), from: Self.peer(0)), at: at(3_000))
            used += effects.count { if case .useAccess = $0 { true } else { false } }
        }
        #expect((1...8).contains(used))
        #expect(guest.rejections[.tooOften] > 0)
    }
}
