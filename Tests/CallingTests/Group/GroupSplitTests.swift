import Cryptography
import Signaling
import TestSupport
import Testing

@testable import Calling

/// What two hosts do that knew nothing of each other, and what a member does between them.
@Suite("A call of several that was cut apart", .timeLimit(.minutes(5)))
struct GroupSplitTests {
    private static let two = GroupSamples.number(2)
    private static let three = GroupSamples.number(3)
    private static let ada = GroupPeer.contact(GroupSamples.ada)
    private static let bo = GroupPeer.contact(GroupSamples.bo)

    private static func offer(_ path: Int) -> GroupMessage {
        .offer(GroupDescription(path: path, description: .init(kind: .offer, sdp: "v=0\r\n"), candidates: []))
    }

    /// Kim has called Ada (2), who is in and heard, and Bo (3), who rings.
    private static func on() throws -> GroupCallMachine {
        let guests = [
            (contact: GroupSamples.ada, name: GroupSamples.name("Ada")),
            (contact: GroupSamples.bo, name: GroupSamples.name("Bo")),
        ]
        let source = SeededSource(seed: 1)
        var (machine, _) = try GroupCallMachine.call(
            guests, as: GroupSamples.name, media: .video, callID: GroupSamples.id, at: at(0),
            random: { SecretBytes(source.bytes($0)) })
        _ = machine.handle(.peer(.join(GroupJoin(member: two, media: .video)), from: ada), at: at(1_000))
        _ = machine.handle(.peer(offer(0), from: ada), at: at(1_100))
        _ = machine.handle(.path(two, 0, .heard), at: at(1_200))
        return machine
    }

    /// A list of Ada's in which 3 is in, of a name.
    private static func list(_ number: Int, third: String) -> GroupRoster {
        GroupRoster(
            number: number, host: two, lastGiven: three,
            members: [
                GroupMember(number: .first, name: GroupSamples.name, standing: .isIn),
                GroupMember(number: two, name: GroupSamples.name("Ada"), standing: .isIn, inviter: .first),
                GroupMember(number: three, name: GroupSamples.name(third), standing: .isIn, inviter: two),
            ])
    }

    private func messages(_ effects: [GroupCallEffect], to peer: GroupPeer) -> [GroupMessage] {
        effects.compactMap { if case .send(let message, peer, _) = $0 { message } else { nil } }
    }

    @Test func `a number that another host gave to somebody else leads nothing to who had it before`() throws {
        var machine = try Self.on()
        let effects = machine.handle(.peer(.roster(Self.list(50, third: "Eve")), from: Self.ada), at: at(2_000))
        #expect(machine.roster.isPresent(Self.three))
        #expect(messages(effects, to: Self.bo) == [])
        #expect(machine.update.members.first { $0.number == Self.three }?.isContact == false)
    }

    @Test func `a host that is sent a list that counts less answers with its own`() throws {
        var machine = try Self.on()
        let list = machine.roster.list
        let effects = machine.handle(.peer(.roster(Self.list(2, third: "Bo")), from: Self.ada), at: at(2_000))
        #expect(messages(effects, to: Self.ada) == [.roster(list)])
        #expect(machine.roster.list == list)
    }

    @Test func `a path in the place of one that was heard is waited for no longer than the first`() throws {
        var machine = try Self.on()
        let effects = machine.handle(.peer(Self.offer(1), from: Self.ada), at: at(2_000))
        #expect(effects.contains(.startTimer(.silence(Self.two), .seconds(40))))
        _ = machine.handle(.clock(.silence(Self.two)), at: at(42_000))
        #expect(machine.roster.standing(of: Self.two) == .left)
    }

    @Test func `a key that comes by a line of a former number takes no key's place`() throws {
        var machine = try Self.on()
        let keys = [5, 4].map { GroupKey(epoch: $0, step: 0, secret: GroupSamples.secret($0)) }
        let used = machine.handle(.peer(.key(keys[0]), from: Self.ada), at: at(2_000))
        #expect(used.contains(.useMemberKey(Self.two, keys[0])))
        let effects = machine.handle(.peer(.key(keys[1]), from: .line(Self.two)), at: at(2_100))
        #expect(!effects.contains { if case .useMemberKey = $0 { true } else { false } })
    }

    // MARK: Who does not know that it is out

    private static func rejoin(_ member: MemberNumber) throws -> GroupMessage {
        .rejoin(GroupRejoin(member: member, nonce: try #require(RejoinNonce(bytes: Array(repeating: 7, count: 16)))))
    }

    /// Ada, the host, has called Kim (2), who has a line to Cy (3). Ada leaves and has not told yet that Cy has joined.
    private static func following() -> GroupCallMachine {
        let invitation = GroupInvitation(
            own: two, inviter: .first, host: .first, media: .video,
            members: [.init(number: .first, name: GroupSamples.name("Ada"))])
        let source = SeededSource(seed: 1)
        var (machine, _) = GroupCallMachine.ring(
            GroupSamples.ada, invitation: invitation, as: GroupSamples.name, callID: GroupSamples.id, at: at(0),
            random: { SecretBytes(source.bytes($0)) })
        _ = machine.handle(.person(.accept(.video)), at: at(1_000))
        let list = GroupRoster(
            number: 9, host: .first, lastGiven: three,
            members: [
                GroupMember(number: .first, name: GroupSamples.name("Ada"), standing: .isIn),
                GroupMember(number: two, name: GroupSamples.name, standing: .isIn, inviter: .first),
                GroupMember(number: three, name: GroupSamples.name("Cy"), standing: .inviting, inviter: .first),
            ])
        _ = machine.handle(.peer(.roster(list), from: ada), at: at(1_100))
        _ = machine.handle(.path(.first, 0, .heard), at: at(1_200))
        let line = GroupLine(maker: three, user: two, link: GroupSamples.link())
        _ = machine.handle(.peer(.line(line), from: ada), at: at(1_300))
        _ = machine.handle(.line(three, .up), at: at(1_400))
        _ = machine.handle(.peer(.leave, from: ada), at: at(2_000))
        return machine
    }

    @Test func `whose joining the host that follows has not heard of is sent the list, and comes back by it`() throws {
        var machine = Self.following()
        #expect(machine.roster.isHost && machine.roster.standing(of: Self.three) == .noAnswer)
        let told = machine.handle(.peer(.wantKey, from: .line(Self.three)), at: at(3_000))
        #expect(messages(told, to: .line(Self.three)) == [.roster(machine.roster.list)])
        let back = machine.handle(.peer(try Self.rejoin(Self.three), from: .line(Self.three)), at: at(3_100))
        #expect(machine.roster.isPresent(Self.three))
        #expect(messages(back, to: .line(Self.three)).contains { if case .rejoined = $0 { true } else { false } })
    }

    @Test func `who asks to come back, is answered and still not in the list asks again after ten seconds`() throws {
        let kept = try #require(try Self.on().kept)
        let source = SeededSource(seed: 3)
        var (machine, effects) = GroupCallMachine.comeBack(
            kept, at: at(50_000), random: { SecretBytes(source.bytes($0)) })
        func asked() -> [RejoinNonce] {
            messages(effects, to: Self.ada).compactMap { message in
                if case .rejoin(let rejoin) = message { rejoin.nonce } else { nil }
            }
        }
        let first = try #require(asked().first)
        var list = Self.list(50, third: "Bo")
        list.members[0].standing = .left
        let answer = GroupMessage.rejoined(GroupRejoined(nonce: first, roster: list))
        effects = machine.handle(.peer(answer, from: Self.ada), at: at(51_000))
        #expect(effects.contains(.startTimer(.rejoin, .seconds(10))) && asked().isEmpty)
        effects = machine.handle(.clock(.rejoin), at: at(61_000))
        #expect(asked().count == 1 && asked().first != first)
        // Nobody answers any more.
        effects = machine.handle(.clock(.rejoin), at: at(71_000))
        #expect(effects.contains(.finished(.connectionLost)))
    }

    @Test func `who has not answered an invitation can't come back and is told nothing`() throws {
        var machine = try Self.on()
        _ = machine.handle(.clock(.invitation(Self.three)), at: at(60_000))
        #expect(machine.roster.standing(of: Self.three) == .noAnswer)
        #expect(messages(machine.handle(.peer(.wantKey, from: Self.bo), at: at(61_000)), to: Self.bo) == [])
        let answer = machine.handle(.peer(try Self.rejoin(Self.three), from: Self.bo), at: at(61_000))
        #expect(answer == [] && !machine.roster.isPresent(Self.three))
    }

    @Test func `who was put out is told again until that is confirmed, but not for ever`() throws {
        var machine = try Self.on()
        _ = machine.handle(.person(.remove(Self.two)), at: at(2_000))
        var (count, time) = (0, Int64(2_000))
        for _ in 0..<40 {
            time += 4_000
            let effects = machine.handle(.clock(.again), at: at(time))
            count += messages(effects, to: Self.ada).count { $0 == .remove(Self.two) }
        }
        #expect(count == 5)
        #expect(messages(machine.handle(.clock(.again), at: at(time + 4_000)), to: Self.ada) == [])
        machine = try Self.on()
        let put = machine.handle(.person(.remove(Self.two)), at: at(2_000))
        for case .send(.remove, _, let number) in put { _ = machine.handle(.receipt(number), at: at(2_500)) }
        #expect(messages(machine.handle(.clock(.again), at: at(6_000)), to: Self.ada) == [])
    }

    @Test func `whom the host has not heard is sent the list again until that is confirmed`() throws {
        var machine = try Self.on()
        _ = machine.handle(.peer(.join(GroupJoin(member: Self.three, media: .video)), from: Self.bo), at: at(2_000))
        _ = machine.handle(.peer(Self.offer(0), from: Self.bo), at: at(2_100))
        _ = machine.handle(.path(Self.three, 0, .heard), at: at(2_200))
        _ = machine.handle(.path(Self.two, 0, .silent), at: at(3_000))
        let out = machine.handle(.clock(.silence(Self.two)), at: at(43_000))
        #expect(messages(out, to: Self.ada) == [.roster(machine.roster.list)])
        let again = machine.handle(.clock(.again), at: at(47_000))
        #expect(messages(again, to: Self.ada) == [.roster(machine.roster.list)])
    }
}
