/// How the members of a group call reach each other's media.
public enum GroupRoute: String, Sendable, Hashable, CaseIterable {
    /// Each directly.
    case mesh
    /// Through a forwarding server.
    case room = "sfu"
}

/// Where a member of a group call stands, as the host says it.
public enum MemberStanding: String, Sendable, Hashable, CaseIterable {
    /// Is being called.
    case inviting
    /// Has joined.
    case isIn = "in"
    /// Has left, or was not heard any more.
    case left
    /// Was put out by the host.
    case removed
    /// Declined.
    case declined
    /// Is in another call.
    case busy
    /// Did not answer.
    case noAnswer

    /// Whether the member takes part or may yet.
    public var isPresent: Bool { self == .inviting || self == .isIn }
}

/// One line of a roster.
public struct GroupMember: Sendable, Hashable {
    /// The member.
    public var number: MemberNumber
    /// What it is called.
    public var name: MemberName
    /// Where it stands.
    public var standing: MemberStanding
    /// Who invited it; nil for who began the call.
    public var inviter: MemberNumber?

    /// Makes a line.
    public init(
        number: MemberNumber, name: MemberName, standing: MemberStanding, inviter: MemberNumber? = nil
    ) {
        self.number = number
        self.name = name
        self.standing = standing
        self.inviter = inviter
    }
}

/// Who is in a group call: what its host says, numbered.
public struct GroupRoster: Sendable, Hashable {
    /// The most members of a roster.
    public static let maximumMembers = 8
    /// The highest number of a roster.
    public static let highestNumber = Int(UInt32.max)

    /// Which one it is, from 1; a higher one takes the place of a lower one.
    public var number: Int
    /// Who wrote it.
    public var host: MemberNumber
    /// The highest number that any member was given.
    public var lastGiven: MemberNumber
    /// The members, by number. Who is not among them has left.
    public var members: [GroupMember]
    /// How media goes.
    public var route: GroupRoute
    /// Whether the host has a call server, so that more may be called than reach each other directly.
    public var hasServer: Bool

    /// Makes a roster.
    public init(
        number: Int, host: MemberNumber, lastGiven: MemberNumber, members: [GroupMember], route: GroupRoute = .mesh,
        hasServer: Bool = false
    ) {
        self.number = number
        self.host = host
        self.lastGiven = lastGiven
        self.members = members
        self.route = route
        self.hasServer = hasServer
    }
}

extension GroupRoster {
    /// - Throws: ``SignalingError``; also for a member that is there twice or has a number that was not given, and for a host
    ///   who is not in the call.
    init(json: JSONObject) throws(SignalingError) {
        number = try json.integer("no", in: 1...Self.highestNumber)
        host = try json.member("host")
        lastGiven = try json.member("last")
        route = try json.word("via", GroupRoute.self)
        hasServer = try json.flag("server")
        members = []
        for element in try json.boundedArray("members", limit: Self.maximumMembers) {
            guard let object = element.object else { throw .invalidField("members") }
            members.append(try GroupMember(json: object))
        }
        let (last, numbers) = (lastGiven, members.map(\.number))
        guard zip(numbers, numbers.dropFirst()).allSatisfy({ $0 < $1 }), numbers.allSatisfy({ $0 <= last }) else {
            throw .invalidField("members")
        }
        guard members.contains(where: { [host] in $0.number == host && $0.standing == .isIn }) else {
            throw .invalidField("host")
        }
    }

    var json: JSONObject {
        var object: JSONObject = [
            "no": .integer(number), "host": host.json, "last": lastGiven.json,
            "members": .array(members.map { .object($0.json) }), "via": .string(route.rawValue),
        ]
        if hasServer { object["server"] = .bool(true) }
        return object
    }
}

extension GroupMember {
    init(json: JSONObject) throws(SignalingError) {
        number = try json.member("n")
        name = try json.memberName("name")
        standing = try json.word("is", MemberStanding.self)
        inviter = try json.optionalMember("by")
    }

    var json: JSONObject {
        var object: JSONObject = ["n": number.json, "name": .string(name.text), "is": .string(standing.rawValue)]
        object["by"] = inviter?.json
        return object
    }
}
