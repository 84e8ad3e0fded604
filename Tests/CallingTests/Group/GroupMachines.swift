import BaseKit
import Cryptography
import Signaling
import TestSupport

@testable import Calling

/// Machines of a group call as they are at certain points.
enum GroupMachines {
    static let two = GroupSamples.number(2)
    static let three = GroupSamples.number(3)
    static let ada = GroupPeer.contact(GroupSamples.ada)
    static let bo = GroupPeer.contact(GroupSamples.bo)

    static func random() -> @Sendable (Int) -> SecretBytes {
        let source = SeededSource(seed: 1)
        return { SecretBytes(source.bytes($0)) }
    }

    /// Kim calls Ada (2) and Bo (3).
    static func calling() -> (GroupCallMachine, [GroupCallEffect]) {
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
    static func ringing() -> GroupCallMachine {
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

    static func join(_ member: MemberNumber) -> GroupMessage { .join(GroupJoin(member: member, media: .video)) }

    static let sdp = SessionDescription(kind: .answer, sdp: "v=0\r\n")

    /// The call of ``calling()`` with Ada in and heard.
    static func on() -> GroupCallMachine {
        var (machine, _) = calling()
        _ = machine.handle(.peer(join(two), from: ada), at: at(1_000))
        let offer = GroupDescription(path: 0, description: .init(kind: .offer, sdp: "v=0\r\n"), candidates: [])
        _ = machine.handle(.peer(.offer(offer), from: ada), at: at(1_100))
        _ = machine.handle(.path(two, 0, .heard), at: at(1_200))
        return machine
    }

    /// Kim (4) in the call of ``ringing()``, with a line to Bo (3) that is up.
    static func introduced() -> GroupCallMachine {
        var machine = ringing()
        _ = machine.handle(.person(.accept(.audio)), at: at(1_000))
        _ = machine.handle(.line(three, .made(GroupSamples.link())), at: at(2_000))
        _ = machine.handle(.line(three, .up), at: at(2_100))
        let offer = GroupDescription(path: 0, description: sdp, candidates: [])
        _ = machine.handle(.peer(.answer(offer), from: ada), at: at(2_200))
        _ = machine.handle(.path(.first, 0, .heard), at: at(2_300))
        return machine
    }

    static var nonce: RejoinNonce {
        guard let nonce = RejoinNonce(bytes: Array(0..<16)) else { preconditionFailure("16 bytes are a nonce") }
        return nonce
    }

    /// What is sent to somebody.
    static func messages(_ effects: [GroupCallEffect], to peer: GroupPeer) -> [GroupMessage] {
        effects.compactMap { if case .send(let message, peer, _) = $0 { message } else { nil } }
    }
}
