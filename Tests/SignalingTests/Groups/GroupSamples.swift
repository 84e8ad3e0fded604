import Cryptography
import TestSupport

@testable import Signaling

/// Messages of group calls for tests.
enum GroupSamples {
    static let id = CallID(bytes: Array(0..<16)) ?? .random()
    static let idText = "AAECAwQFBgcICQoLDA0ODw=="
    static let secretText = "CQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQk="

    static func number(_ value: Int) -> MemberNumber { MemberNumber(value) ?? .first }

    static func name(_ text: String) -> MemberName {
        guard let name = MemberName(parsing: text) else { preconditionFailure("\(text) is no name") }
        return name
    }

    static func link(_ text: String = "simplex:/invitation#/?v=2-7") -> GroupLink {
        guard let link = GroupLink(parsing: text) else { preconditionFailure("\(text) is no link") }
        return link
    }

    static let roster = GroupRoster(
        number: 7, host: number(1), lastGiven: number(5),
        members: [
            GroupMember(number: number(1), name: name("Anna"), standing: .isIn),
            GroupMember(number: number(4), name: name("Dan"), standing: .inviting, inviter: number(2)),
        ])

    /// Of a host that has a call server.
    static let servedRoster = GroupRoster(
        number: 8, host: number(1), lastGiven: number(5),
        members: [GroupMember(number: number(1), name: name("Anna"), standing: .isIn)], hasServer: true)

    static let room = GroupRoom(
        number: 1, address: "wss://sfu.example/", room: 4_871_200_913_377, pin: SecretText("1234"),
        token: SecretText("t"), feeds: SecretBytes(Array(repeating: 9, count: 32)))

    /// The same, with what closes it.
    private static var keptRoom: GroupRoom {
        var room = room
        room.secret = SecretText("5678")
        return room
    }

    /// One of each, with its exact parameters.
    static let exact: [(message: GroupMessage, event: String, parameters: String)] = [
        (
            .invitation(
                GroupInvitation(
                    own: number(3), inviter: number(2), host: number(1), media: .video,
                    members: [
                        .init(number: number(1), name: name("Anna")), .init(number: number(2), name: name("Ben")),
                    ]
                )), "inv",
            #""you":3,"by":2,"host":1,"media":"video","members":[{"n":1,"name":"Anna"},{"n":2,"name":"Ben"}],"via":"mesh""#
        ),
        (
            .invitation(
                GroupInvitation(
                    own: number(2), inviter: number(1), host: number(1), media: .audio,
                    members: [.init(number: number(1), name: name("Anna"))],
                    origin: .init(call: id, adding: [name("Cleo"), name("Dan")]))), "inv",
            #""you":2,"by":1,"host":1,"media":"audio","members":[{"n":1,"name":"Anna"}],"via":"mesh","from":"\#(idText)","#
                + #""adds":["Cleo","Dan"]"#
        ),
        (
            .join(
                GroupJoin(
                    member: number(3), media: .audio, links: [LinkForMember(member: number(1), link: link())])), "join",
            #""member":3,"media":"audio","lines":[{"for":1,"link":"simplex:/invitation#/?v=2-7"}]"#
        ),
        (
            .line(GroupLine(maker: number(3), user: number(1), link: link())), "line",
            #""member":3,"for":1,"link":"simplex:/invitation#/?v=2-7""#
        ),
        (
            .roster(roster), "roster",
            #""no":7,"host":1,"last":5,"members":[{"n":1,"name":"Anna","is":"in"},"#
                + #"{"n":4,"name":"Dan","is":"inviting","by":2}],"via":"mesh""#
        ),
        (
            .roster(servedRoster), "roster",
            #""no":8,"host":1,"last":5,"members":[{"n":1,"name":"Anna","is":"in"}],"via":"mesh","server":true"#
        ),
        (
            .key(GroupKey(epoch: 2, step: 0, secret: SecretBytes(Array(repeating: 9, count: 32)))), "key",
            #""epoch":2,"step":0,"secret":"\#(secretText)""#
        ),
        (
            .offer(GroupDescription(path: 1, description: .init(kind: .offer, sdp: "v=0\r\n"), candidates: [])),
            "offer",
            #""path":1,"rtcSession":{"rtcSession":"\#(packed("offer"))","rtcIceCandidates":"NoXSA==="}"#
        ),
        (
            .answer(GroupDescription(path: 0, description: .init(kind: .answer, sdp: "v=0\r\n"), candidates: [])),
            "answer", #""path":0,"rtcSession":{"rtcSession":"\#(packed("answer"))","rtcIceCandidates":"NoXSA==="}"#
        ),
        (
            .extra(GroupCandidates(path: 65_535, candidates: [])), "extra",
            #""path":65535,"rtcIceCandidates":"NoXSA===""#
        ),
        (.wantKey, "want-key", ""),
        (.hello(GroupHello(number(255))), "hello", #""member":255"#),
        (
            .hello(GroupHello(number(3), tags: [MemberTag(bytes: Array(0..<12))].compactMap { $0 })), "hello",
            #""member":3,"tags":["AAECAwQFBgcICQoL"]"#
        ),
        (.decline(GroupDecline(member: number(3), reason: .busy)), "decline", #""member":3,"why":"busy""#),
        (.ask(name("Dan")), "ask", #""name":"Dan""#),
        (.remove(number(2)), "remove", #""member":2"#),
        (.leave, "leave", ""),
        (.over(nil), "over", ""), (.over(.call), "over", #""of":"call""#),
        (.over(.invitation), "over", #""of":"invitation""#),
        (.rejoin(GroupRejoin(member: number(2), nonce: nonce)), "rejoin", #""member":2,"nonce":"\#(idText)""#),
        (
            .rejoined(GroupRejoined(nonce: nonce, roster: roster, room: room)), "rejoined",
            #""nonce":"\#(idText)","roster":{"no":7,"host":1,"last":5,"members":[{"n":1,"name":"Anna","is":"in"},"#
                + #"{"n":4,"name":"Dan","is":"inviting","by":2}],"via":"mesh"},"room":{\#(roomText)}"#
        ),
        (.room(room), "room", roomText),
        (.heir(keptRoom), "heir", roomText + #","secret":"5678""#),
        (
            .state(GroupState(microphone: true)), "state", #""mic":true,"camera":false,"screen":false,"hand":false"#
        ),
        (
            .state(GroupState(heard: [number(4), number(1)], seen: [number(255)])), "state",
            #""mic":false,"camera":false,"screen":false,"hand":false,"heard":[1,4],"seen":[255]"#
        ),
        (
            .state(GroupState(camera: true, large: false)), "state",
            #""mic":false,"camera":true,"screen":false,"hand":false,"large":false"#
        ),
        (
            .state(GroupState(large: true)), "state",
            #""mic":false,"camera":false,"screen":false,"hand":false,"large":true"#
        ),
    ]

    static let roomText =
        #""no":1,"url":"wss://sfu.example/","room":4871200913377,"pin":"1234","token":"t","feeds":"\#(secretText)""#

    static var nonce: RejoinNonce {
        guard let nonce = RejoinNonce(bytes: Array(0..<16)) else { preconditionFailure("16 bytes are a nonce") }
        return nonce
    }

    private static func packed(_ kind: String) -> String {
        LZString.compressToBase64(#"{"type":"\#(kind)","sdp":"v=0\r\n"}"#)
    }

    // MARK: By chance

    static func random(_ generator: inout SeededGenerator) -> GroupMessage {
        func number() -> MemberNumber { Self.number(Int.random(in: 1...255, using: &generator)) }
        func text(_ range: ClosedRange<Int>) -> String {
            String(
                (0..<Int.random(in: range, using: &generator)).map { _ in "aÄ😀 e".randomElement(using: &generator)! })
        }
        func name() -> MemberName { MemberName(parsing: text(1...30)) ?? Self.name("x") }
        func link() -> GroupLink {
            Self.link("simplex:/" + Base64URL.encode(generator.bytes(Int.random(in: 1...500, using: &generator))))
        }
        func links(_ count: Int) -> [LinkForMember] {
            (0..<count).map { LinkForMember(member: Self.number($0 * 3 + 1), link: link()) }
        }
        func tags() -> [MemberTag] {
            (0..<[0, 32].randomElement(using: &generator)!).compactMap { _ in MemberTag(bytes: generator.bytes(12)) }
        }
        func flag() -> Bool { Bool.random(using: &generator) }
        func roster() -> GroupRoster {
            let count = Int.random(in: 1...8, using: &generator)
            let host = Int.random(in: 1...count, using: &generator)
            let members = (1...count).map {
                GroupMember(
                    number: Self.number($0 * 9), name: name(),
                    standing: $0 == host ? .isIn : MemberStanding.allCases.randomElement(using: &generator)!,
                    inviter: flag() ? number() : nil)
            }
            return GroupRoster(
                number: Int.random(in: 1...GroupRoster.highestNumber, using: &generator), host: Self.number(host * 9),
                lastGiven: Self.number(count * 9 + Int.random(in: 0...100, using: &generator)), members: members,
                route: flag() ? .mesh : .room, hasServer: flag())
        }
        func room() -> GroupRoom {
            GroupRoom(
                number: Int.random(in: 1...9, using: &generator), address: "ws://[::1]:\(generator.bytes(1)[0])",
                room: Int.random(in: 1...GroupRoom.highestRoom, using: &generator), pin: flag() ? SecretText("é") : nil,
                token: flag() ? SecretText("") : nil, feeds: SecretBytes(generator.bytes(32)))
        }
        func nonce() -> RejoinNonce { RejoinNonce(bytes: generator.bytes(16)) ?? Self.nonce }
        func half(_ kind: SessionDescription.Kind) -> GroupDescription {
            GroupDescription(
                path: Int.random(in: 0...65_535, using: &generator),
                description: SessionDescription(kind: kind, sdp: text(0...80)),
                candidates: [ICECandidate(candidate: text(0...9), sdpMid: "0", sdpMLineIndex: 0)])
        }
        switch Int.random(in: 0..<20, using: &generator) {
        case 0:
            let count = Int.random(in: 1...7, using: &generator)
            return .invitation(
                GroupInvitation(
                    own: Self.number(100), inviter: Self.number(count), host: Self.number(1),
                    media: flag() ? .audio : .video,
                    members: (1...count).map { .init(number: Self.number($0), name: name()) },
                    origin: flag() ? nil : .init(call: .random(), adding: (0...count - 1).map { _ in name() })))
        case 1: return .join(GroupJoin(member: number(), media: .video, links: links(flag() ? 0 : 7)))
        case 2: return .line(GroupLine(maker: Self.number(9), user: Self.number(8), link: link()))
        case 3: return .roster(roster())
        case 4:
            return .key(
                GroupKey(
                    epoch: generator.bytes(1)[0], step: generator.bytes(1)[0], secret: SecretBytes(generator.bytes(32)))
            )
        case 5: return .offer(half(.offer))
        case 6: return .answer(half(.answer))
        case 7: return .extra(GroupCandidates(path: 3, candidates: half(.offer).candidates))
        case 8: return .wantKey
        case 9: return .hello(GroupHello(number(), tags: tags()))
        case 10:
            return .decline(
                GroupDecline(member: number(), reason: GroupDecline.Reason.allCases.randomElement(using: &generator)!))
        case 11: return .ask(name())
        case 12: return .remove(number())
        case 13: return .leave
        case 14: return .over(flag() ? GroupEnding.allCases.randomElement(using: &generator) : nil)
        case 15: return .rejoin(GroupRejoin(member: number(), nonce: nonce()))
        case 16: return .rejoined(GroupRejoined(nonce: nonce(), roster: roster(), room: flag() ? room() : nil))
        case 17: return .room(room())
        case 18: return .heir(room())
        default:
            return .state(
                GroupState(
                    microphone: flag(), camera: flag(), screen: flag(), hand: flag(), large: flag() ? flag() : nil,
                    heard: flag() ? [number(), number()] : [], seen: flag() ? [number()] : []))
        }
    }
}
