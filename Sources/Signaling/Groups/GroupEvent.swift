import Cryptography

/// A message of a group call with the call it belongs to, as an event of the chat's envelope.
enum GroupEvent {
    static let prefix = "x.parley.group."
    /// The bytes of a group call's identifier.
    static let callCount = 16
    private static let callKey = "call"

    static func name(of message: GroupMessage) -> String {
        let word =
            switch message {
            case .invitation: "inv"
            case .join: "join"
            case .line: "line"
            case .roster: "roster"
            case .key: "key"
            case .offer: "offer"
            case .answer: "answer"
            case .extra: "extra"
            case .wantKey: "want-key"
            case .hello: "hello"
            case .decline: "decline"
            case .ask: "ask"
            case .remove: "remove"
            case .leave: "leave"
            case .over: "over"
            case .rejoin: "rejoin"
            case .rejoined: "rejoined"
            case .room: "room"
            case .heir: "heir"
            case .state: "state"
            }
        return prefix + word
    }

    /// The call's identifier and the message; nil for an event of a later version.
    static func read(_ name: String, _ parameters: JSONObject) throws(SignalingError) -> (CallID, GroupMessage)? {
        guard let message = try message(name.dropFirst(prefix.utf8.count), parameters) else { return nil }
        guard let id = CallID(parsing: try parameters.string(callKey)), id.bytes.count == callCount else {
            throw .invalidField(callKey)
        }
        return (id, message)
    }

    private static func message(
        _ word: Substring, _ parameters: JSONObject
    ) throws(SignalingError) -> GroupMessage? {
        switch word {
        case "inv": .invitation(try GroupInvitation(json: parameters))
        case "join": .join(try GroupJoin(json: parameters))
        case "line": .line(try GroupLine(json: parameters))
        case "roster": .roster(try GroupRoster(json: parameters))
        case "key": .key(try GroupKey(json: parameters))
        case "offer": .offer(try GroupDescription(json: parameters, kind: .offer))
        case "answer": .answer(try GroupDescription(json: parameters, kind: .answer))
        case "extra": .extra(try GroupCandidates(json: parameters))
        case "want-key": .wantKey
        case "hello": .hello(try GroupHello(json: parameters))
        case "decline": .decline(try GroupDecline(json: parameters))
        case "ask": .ask(try parameters.memberName("name"))
        case "remove": .remove(try parameters.member("member"))
        case "leave": .leave
        case "over": .over(try GroupEnding.read(parameters))
        case "rejoin": .rejoin(try GroupRejoin(json: parameters))
        case "rejoined": .rejoined(try GroupRejoined(json: parameters))
        case "room": .room(try GroupRoom(json: parameters))
        case "heir": .heir(try GroupRoom(json: parameters))
        case "state": .state(try GroupState(json: parameters))
        default: nil
        }
    }

    static func parameters(_ call: CallID, _ message: GroupMessage) -> JSONObject {
        let content: JSONObject =
            switch message {
            case .invitation(let invitation): invitation.json
            case .join(let join): join.json
            case .line(let line): line.json
            case .roster(let roster): roster.json
            case .key(let key): key.json
            case .offer(let half), .answer(let half): half.json
            case .extra(let extra): extra.json
            case .wantKey, .leave: [:]
            case .over(let ending): GroupEnding.json(ending)
            case .hello(let hello): hello.json
            case .remove(let member): ["member": member.json]
            case .decline(let decline): decline.json
            case .ask(let name): ["name": .string(name.text)]
            case .rejoin(let rejoin): rejoin.json
            case .rejoined(let rejoined): rejoined.json
            case .room(let room), .heir(let room): room.json
            case .state(let state): state.json
            }
        return JSONObject(members: [.init(name: callKey, value: .string(call.text))] + content.members)
    }
}
