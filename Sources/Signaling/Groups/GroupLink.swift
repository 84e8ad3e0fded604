/// A one-time link for a line between two members of a group call, as text: it is not looked into here.
public struct GroupLink: Hashable, Sendable {
    /// The most bytes of a link. A full one for a relay with two addresses has about 740.
    public static let maximumBytes = 2_048

    /// The text, as the agent makes it.
    public let text: String

    /// Takes a link; nil for what can be none: empty, too long, or not all visible ASCII.
    public init?(parsing text: String) {
        guard (1...Self.maximumBytes).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        self.text = text
    }
}

extension GroupLink: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Without the link, which is a secret for one person.
    public var description: String { "GroupLink(\(text.utf8.count))" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A link that one member made for another.
public struct LinkForMember: Hashable, Sendable {
    /// Who is to open it.
    public var member: MemberNumber
    /// The link.
    public var link: GroupLink

    /// Pairs the two.
    public init(member: MemberNumber, link: GroupLink) {
        self.member = member
        self.link = link
    }
}

extension JSONObject {
    func link(_ name: String) throws(SignalingError) -> GroupLink {
        guard let link = GroupLink(parsing: try boundedString(name, limit: GroupLink.maximumBytes)) else {
            throw .invalidField(name)
        }
        return link
    }

    func links(_ name: String) throws(SignalingError) -> [LinkForMember] {
        var links: [LinkForMember] = []
        for element in try boundedArray(name, limit: GroupRoster.maximumMembers - 1) {
            guard let object = element.object else { throw .invalidField(name) }
            links.append(LinkForMember(member: try object.member("for"), link: try object.link("link")))
        }
        guard Set(links.map(\.member)).count == links.count else { throw .invalidField(name) }
        return links
    }
}

extension LinkForMember {
    var json: JSONValue { .object(["for": member.json, "link": .string(link.text)]) }
}
