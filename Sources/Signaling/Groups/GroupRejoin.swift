import Cryptography

/// What ties an answer to the question for coming back into a call: 16 random bytes.
public struct RejoinNonce: Hashable, Sendable {
    /// The bytes of a nonce.
    public static let count = 16

    /// Its bytes.
    public let bytes: [UInt8]

    /// Takes 16 bytes; nil for any other number.
    public init?(bytes: [UInt8]) {
        guard bytes.count == Self.count else { return nil }
        self.bytes = bytes
    }
}

/// `rejoin`: a member wants to come back.
public struct GroupRejoin: Sendable, Hashable {
    /// Its number; of a contact that was called several times, there may be others.
    public var member: MemberNumber
    /// By what it knows the answers.
    public var nonce: RejoinNonce

    /// Makes a question.
    public init(member: MemberNumber, nonce: RejoinNonce) {
        self.member = member
        self.nonce = nonce
    }
}

/// `rejoined`: a member lets another come back, and says how the call stands.
public struct GroupRejoined: Sendable, Equatable {
    /// That of the question.
    public var nonce: RejoinNonce
    /// Who is in.
    public var roster: GroupRoster
    /// The room that is in use, if there is one.
    public var room: GroupRoom?

    /// Makes an answer.
    public init(nonce: RejoinNonce, roster: GroupRoster, room: GroupRoom? = nil) {
        self.nonce = nonce
        self.roster = roster
        self.room = room
    }
}

extension RejoinNonce {
    var json: JSONValue { .string(Base64URL.encode(bytes)) }
}

extension GroupRejoin {
    init(json: JSONObject) throws(SignalingError) {
        member = try json.member("member")
        nonce = try json.nonce("nonce")
    }

    var json: JSONObject { ["member": member.json, "nonce": nonce.json] }
}

extension GroupRejoined {
    init(json: JSONObject) throws(SignalingError) {
        nonce = try json.nonce("nonce")
        roster = try GroupRoster(json: try json.object("roster"))
        room = nil
        if let object = try json.optionalObject("room") { room = try GroupRoom(json: object) }
    }

    var json: JSONObject {
        var object: JSONObject = ["nonce": nonce.json, "roster": .object(roster.json)]
        object["room"] = room.map { .object($0.json) }
        return object
    }
}

extension JSONObject {
    func nonce(_ name: String) throws(SignalingError) -> RejoinNonce {
        let text = try boundedString(name, limit: 2 * RejoinNonce.count)
        guard let nonce = (try? Base64URL.decode(text)).flatMap(RejoinNonce.init(bytes:)) else {
            throw .invalidField(name)
        }
        return nonce
    }
}
