import Signaling

/// The ways by which messages go to the other members: the connection of a contact, or a line made for this call.
///
/// Of two members the one with the higher number makes the link, so that there is one line and not two.
struct GroupLines: Sendable {
    private enum Standing: Hashable {
        /// The link is being made.
        case making
        /// The link is made, for the other to open.
        case offered
        /// The other's link is being opened.
        case joining
        case up
        case failed
    }

    private struct Line {
        var standing: Standing
        var attempts: Int
    }

    private var contacts: [MemberNumber: ContactID] = [:]
    private var lines: [MemberNumber: Line] = [:]
    /// Who by their present line, or the last one, have proved to be contacts; they are still reached by it.
    private var recognised: [MemberNumber: ContactID] = [:]

    /// How often a line is tried.
    private static let mostAttempts = 8
    /// The most lines: of all who may be in, and some who came and went.
    private static let most = 64

    // MARK: What there is

    /// The members that are reached by the connections of contacts.
    var contactsByMember: [MemberNumber: ContactID] { contacts }
    /// The members that are known to be contacts, however they are reached.
    var knownContacts: [MemberNumber: ContactID] { contacts.merging(recognised) { own, _ in own } }
    /// The members with a line that is up.
    var upLines: Set<MemberNumber> { Set(lines.filter { $0.value.standing == .up }.keys) }
    /// All lines there are, up or not.
    var all: Set<MemberNumber> { Set(lines.keys) }

    /// How a member is reached now; nil when it is not.
    func way(to member: MemberNumber) -> GroupPeer? {
        if let contact = contacts[member] { return .contact(contact) }
        return lines[member]?.standing == .up ? .line(member) : nil
    }

    /// Who may be at the other end.
    func members(_ peer: GroupPeer) -> Set<MemberNumber> {
        switch peer {
        case .line(let member): lines[member] == nil ? [] : [member]
        case .contact(let contact): Set(contacts.filter { $0.value == contact }.keys)
        }
    }

    /// Whether nothing has been done yet for a way to this member.
    func lacksLine(_ member: MemberNumber) -> Bool {
        guard contacts[member] == nil else { return false }
        guard let line = lines[member] else { return true }
        return line.standing == .failed && line.attempts < Self.mostAttempts
    }

    /// Whether this member's link is being made.
    var isMakingAny: Bool { lines.values.contains { $0.standing == .making } }

    /// Whether the link for a member is made and not opened yet.
    func isOffered(to member: MemberNumber) -> Bool { lines[member]?.standing == .offered }

    /// How often a line was tried.
    func attempts(_ member: MemberNumber) -> Int { lines[member]?.attempts ?? 0 }

    // MARK: What happens

    mutating func know(_ member: MemberNumber, as contact: ContactID) { contacts[member] = contact }

    /// A line from before a crash.
    mutating func restore(_ member: MemberNumber) { lines[member] = Line(standing: .up, attempts: 1) }

    /// Who speaks by a line has proved to be a contact.
    mutating func recognise(_ member: MemberNumber, as contact: ContactID) {
        if contacts[member] == nil, lines[member]?.standing == .up { recognised[member] = contact }
    }

    mutating func unrecognise(_ member: MemberNumber) { recognised[member] = nil }

    mutating func make(_ member: MemberNumber) {
        recognised[member] = nil
        lines[member] = Line(standing: .making, attempts: attempts(member) + 1)
    }

    /// False when nobody asked for it.
    mutating func made(for member: MemberNumber) -> Bool {
        guard lines[member]?.standing == .making else { return false }
        lines[member]?.standing = .offered
        return true
    }

    /// Another's link is to be opened; false when there is a line already, or there are too many.
    mutating func join(_ member: MemberNumber) -> Bool {
        guard contacts[member] == nil, lines[member]?.standing != .up, lines[member] != nil || lines.count < Self.most
        else { return false }
        recognised[member] = nil
        lines[member] = Line(standing: .joining, attempts: attempts(member) + 1)
        return true
    }

    /// False when there is no such line, or it was up.
    mutating func isUp(_ member: MemberNumber) -> Bool {
        guard let line = lines[member], line.standing != .up else { return false }
        recognised[member] = nil
        lines[member] = Line(standing: .up, attempts: line.attempts)
        return true
    }

    /// Something came by a line; false where nothing was missed, or there are too many.
    mutating func speaks(_ member: MemberNumber) -> Bool {
        guard lines[member]?.standing != .up, lines[member] != nil || lines.count < Self.most else { return false }
        recognised[member] = nil
        lines[member] = Line(standing: .up, attempts: attempts(member))
        return true
    }

    /// The number means somebody else now; true where there was a line.
    mutating func forget(_ member: MemberNumber) -> Bool {
        contacts[member] = nil
        recognised[member] = nil
        return lines.removeValue(forKey: member) != nil
    }

    mutating func failed(_ member: MemberNumber) {
        if lines[member] != nil { lines[member]?.standing = .failed }
    }

    /// Forgets a line that is not up; false where there is none.
    mutating func abandon(_ member: MemberNumber) -> Bool {
        guard let line = lines[member], line.standing != .up else { return false }
        lines[member] = nil
        return true
    }

    /// A line that did not come up in time; false where it did.
    mutating func timeIsOver(_ member: MemberNumber) -> Bool {
        guard let line = lines[member], line.standing != .up else { return false }
        lines[member]?.standing = .failed
        return true
    }
}
