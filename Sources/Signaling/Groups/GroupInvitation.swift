/// `inv`: ring for a group call. Nothing in it is looked up or contacted before the person accepts.
public struct GroupInvitation: Sendable, Hashable {
    /// One line of the list of who is in.
    public struct Member: Sendable, Hashable {
        /// The member.
        public var number: MemberNumber
        /// What it is called.
        public var name: MemberName

        /// Makes a line.
        public init(number: MemberNumber, name: MemberName) {
            self.number = number
            self.name = name
        }
    }

    /// The call of two that is to go over into this one.
    public struct Origin: Sendable, Hashable {
        /// The call of inviter and guest.
        public var call: CallID
        /// Whom the inviter wants to add.
        public var adding: [MemberName]

        /// Makes the question.
        public init(call: CallID, adding: [MemberName]) { (self.call, self.adding) = (call, adding) }
    }

    /// The number of who is invited.
    public var own: MemberNumber
    /// The number of who invites.
    public var inviter: MemberNumber
    /// The host's number.
    public var host: MemberNumber
    /// What the call carries.
    public var media: CallMedia
    /// Who is in, by number.
    public var members: [Member]
    /// How media goes.
    public var route: GroupRoute
    /// The call of two that it is meant for; nil: none.
    public var origin: Origin?

    /// Makes an invitation.
    public init(
        own: MemberNumber, inviter: MemberNumber, host: MemberNumber, media: CallMedia, members: [Member],
        route: GroupRoute = .mesh, origin: Origin? = nil
    ) {
        self.origin = origin
        self.own = own
        self.inviter = inviter
        self.host = host
        self.media = media
        self.members = members
        self.route = route
    }
}

extension GroupInvitation {
    /// - Throws: ``SignalingError``; also unless host and inviter are among those who are in, and who is invited is not.
    init(json: JSONObject) throws(SignalingError) {
        own = try json.member("you")
        inviter = try json.member("by")
        host = try json.member("host")
        media = try json.word("media", CallMedia.self)
        route = try json.word("via", GroupRoute.self)
        members = []
        for element in try json.boundedArray("members", limit: GroupRoster.maximumMembers - 1) {
            guard let object = element.object else { throw .invalidField("members") }
            members.append(Member(number: try object.member("n"), name: try object.memberName("name")))
        }
        let numbers = members.map(\.number)
        guard zip(numbers, numbers.dropFirst()).allSatisfy({ $0 < $1 }) else { throw .invalidField("members") }
        guard numbers.contains(host) else { throw .invalidField("host") }
        guard numbers.contains(inviter) else { throw .invalidField("by") }
        guard !numbers.contains(own) else { throw .invalidField("you") }
        guard let from = json["from"], from != .null else { return }
        guard let call = CallID(parsing: try json.string("from")) else { throw .invalidField("from") }
        var adding: [MemberName] = []
        for element in try json.boundedArray("adds", limit: GroupRoster.maximumMembers - 1) {
            guard let text = element.string, text.utf8.count <= MemberName.maximumBytes,
                let name = MemberName(parsing: text)
            else { throw .invalidField("adds") }
            adding.append(name)
        }
        guard !adding.isEmpty else { throw .invalidField("adds") }
        origin = Origin(call: call, adding: adding)
    }

    var json: JSONObject {
        var object: JSONObject = [
            "you": own.json, "by": inviter.json, "host": host.json, "media": .string(media.rawValue),
            "members": .array(
                members.map { .object(["n": $0.number.json, "name": .string($0.name.text)]) }),
            "via": .string(route.rawValue),
        ]
        if let origin {
            object["from"] = .string(origin.call.text)
            object["adds"] = .array(origin.adding.map { .string($0.text) })
        }
        return object
    }
}
