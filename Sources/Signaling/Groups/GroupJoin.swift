/// `join`: an invitation was accepted. It goes to the inviter, who hands the links on.
public struct GroupJoin: Sendable, Hashable {
    /// Who joins.
    public var member: MemberNumber
    /// What it carries.
    public var media: CallMedia
    /// A link for each member that it knew of and that gets one from it.
    public var links: [LinkForMember]

    /// Makes a message.
    public init(member: MemberNumber, media: CallMedia, links: [LinkForMember] = []) {
        self.member = member
        self.media = media
        self.links = links
    }
}

/// `line`: a link of one member for another, handed on by a third who has a line to both.
public struct GroupLine: Sendable, Hashable {
    /// Who made the link.
    public var maker: MemberNumber
    /// Who is to open it.
    public var user: MemberNumber
    /// The link.
    public var link: GroupLink

    /// Makes a message.
    public init(maker: MemberNumber, user: MemberNumber, link: GroupLink) {
        self.maker = maker
        self.user = user
        self.link = link
    }
}

/// `decline`: an invitation was not accepted.
public struct GroupDecline: Sendable, Hashable {
    /// Why not.
    public enum Reason: String, Sendable, Hashable, CaseIterable {
        /// The person does not want to.
        case declined
        /// The person is in another call.
        case busy
        /// Nobody answered; the inviter tells the host.
        case noAnswer
    }

    /// Who was invited.
    public var member: MemberNumber
    /// Why not.
    public var reason: Reason

    /// Makes a message.
    public init(member: MemberNumber, reason: Reason) {
        self.member = member
        self.reason = reason
    }
}

extension GroupJoin {
    init(json: JSONObject) throws(SignalingError) {
        member = try json.member("member")
        media = try json.word("media", CallMedia.self)
        links = try json.links("lines")
    }

    var json: JSONObject {
        ["member": member.json, "media": .string(media.rawValue), "lines": .array(links.map(\.json))]
    }
}

extension GroupLine {
    init(json: JSONObject) throws(SignalingError) {
        maker = try json.member("member")
        user = try json.member("for")
        guard maker != user else { throw .invalidField("for") }
        link = try json.link("link")
    }

    var json: JSONObject {
        ["member": maker.json, "for": user.json, "link": .string(link.text)]
    }
}

extension GroupDecline {
    /// A reason of a later version is none that this one knows; that nobody comes stays true.
    init(json: JSONObject) throws(SignalingError) {
        member = try json.member("member")
        reason = Reason(rawValue: try json.boundedString("why", limit: 64)) ?? .declined
    }

    var json: JSONObject { ["member": member.json, "why": .string(reason.rawValue)] }
}
