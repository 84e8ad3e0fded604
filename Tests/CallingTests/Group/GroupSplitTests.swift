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
}
