/// `hello`: who is at the other end of a line.
public struct GroupHello: Sendable, Hashable {
    /// Who speaks.
    public var member: MemberNumber
    /// By what the reader knows the speaker if they are contacts; those of all the speaker's contacts, and random ones.
    public var tags: [MemberTag]

    /// Makes a message.
    public init(_ member: MemberNumber, tags: [MemberTag] = []) {
        self.member = member
        self.tags = tags
    }
}

extension GroupHello {
    init(json: JSONObject) throws(SignalingError) {
        member = try json.member("member")
        tags = try json.tags("tags")
    }

    var json: JSONObject {
        var object: JSONObject = ["member": member.json]
        if !tags.isEmpty { object["tags"] = .array(tags.map(\.json)) }
        return object
    }
}
