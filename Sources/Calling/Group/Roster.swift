import Signaling

/// Who is in a group call, as one member knows it: the newest list of a host, and who said since that it has left.
///
/// Only the host writes the list. Of two lists the one with the higher number counts, then that of the lower host. Numbers of members
/// are never given twice.
public struct Roster: Sendable, Hashable {
    /// The newest list.
    public private(set) var list: GroupRoster
    /// The own number.
    public let own: MemberNumber
    /// Who said that it leaves, while the list still shows it.
    private var departed: Set<MemberNumber> = []
    /// The highest number given in any list that was seen, also in one that did not count.
    private var highestGiven: MemberNumber
    /// Who is called and in no more, as far as it was seen here; who went first is first.
    private var gone: [MemberNumber]

    /// The list of who begins a call.
    public init(founder: MemberName) {
        own = .first
        highestGiven = .first
        gone = []
        list = GroupRoster(
            number: 1, host: .first, lastGiven: .first,
            members: [GroupMember(number: .first, name: founder, standing: .isIn)])
    }

    /// A list that came from somebody else.
    public init(_ list: GroupRoster, own: MemberNumber) {
        self.own = own
        self.list = list
        highestGiven = list.lastGiven
        gone = list.members.filter { !$0.standing.isPresent }.map(\.number)
    }

    /// What an invitation says, before the first list: any list counts more.
    public init(_ invitation: GroupInvitation, name: MemberName) {
        own = invitation.own
        var members = invitation.members.map {
            GroupMember(number: $0.number, name: $0.name, standing: .isIn)
        }
        members.append(
            GroupMember(number: own, name: name, standing: .isIn, inviter: invitation.inviter))
        members.sort { $0.number < $1.number }
        highestGiven = members.map(\.number).max() ?? own
        gone = []
        list = GroupRoster(
            number: 0, host: invitation.host, lastGiven: highestGiven, members: members, route: invitation.route)
    }

    // MARK: What it says

    /// Whether this member writes the list.
    public var isHost: Bool { list.host == own }

    /// The others who are in, by number.
    public var present: [MemberNumber] {
        list.members.filter { $0.standing == .isIn && $0.number != own && !departed.contains($0.number) }
            .map(\.number)
    }

    /// The newest list, with those who said that they leave marked as left.
    var listWithDepartures: GroupRoster {
        var list = list
        list.mark(departed, as: .left)
        return list
    }

    /// Whether somebody else is in.
    public func isPresent(_ member: MemberNumber) -> Bool { present.contains(member) }

    /// Whom somebody of the call is calling, by number.
    public var invited: [GroupMember] { list.members.filter { $0.standing == .inviting } }

    /// Where a member stands; nil for one who is not in the list.
    public func standing(of member: MemberNumber) -> MemberStanding? { self[member]?.standing }

    /// The member's line of the list.
    public subscript(member: MemberNumber) -> GroupMember? { list.members.first { $0.number == member } }

    /// Who follows the host: the lowest number that is in and not among those who are lost.
    public func successor(without lost: Set<MemberNumber>) -> MemberNumber? {
        (present + [own]).filter { $0 != list.host && !lost.contains($0) }.min()
    }

    // MARK: The host

    /// Somebody is called. Nil when there is no room or no number left.
    public mutating func invite(_ name: MemberName, by inviter: MemberNumber, capacity: Int) -> MemberNumber? {
        guard list.members.count(where: { $0.standing.isPresent }) < min(capacity, GroupRoster.maximumMembers),
            let number = highestGiven.next
        else { return nil }
        while list.members.count >= GroupRoster.maximumMembers {
            guard let next = leastNeeded else { return nil }
            list.members.removeAll { $0.number == next }
            noteGone()
        }
        list.members.append(GroupMember(number: number, name: name, standing: .inviting, inviter: inviter))
        highestGiven = number
        list.lastGiven = number
        list.number += 1
        return number
    }

    /// A member stands elsewhere now; false when nothing changes.
    @discardableResult
    public mutating func set(_ standing: MemberStanding, of member: MemberNumber) -> Bool {
        guard let index = list.members.firstIndex(where: { $0.number == member }) else { return false }
        if standing == .isIn { departed.remove(member) }
        guard list.members[index].standing != standing else { return false }
        list.members[index].standing = standing
        list.number += 1
        noteGone()
        return true
    }

    /// Of those who have gone, whose line of the list makes room: who can't come back by it before who can, who was put out last, as
    /// by it nothing more comes of what they say; of several the one who went first.
    private var leastNeeded: MemberNumber? {
        func need(_ member: MemberNumber) -> Int {
            switch standing(of: member) {
            case .declined, .busy, .noAnswer: 0
            case .left: 1
            case .removed: 2
            case .inviting, .isIn, nil: 3
            }
        }
        return gone.min { need($0) < need($1) }
    }

    /// Keeps in which order members have gone.
    private mutating func noteGone() {
        let now = list.members.filter { !$0.standing.isPresent }.map(\.number)
        gone = gone.filter(now.contains) + now.filter { !gone.contains($0) }
    }

    /// The host says how media go.
    mutating func setRoute(_ route: GroupRoute) {
        guard list.route != route else { return }
        list.route = route
        list.number += 1
    }

    /// The host says whether it has a call server.
    mutating func setServer(_ hasServer: Bool) {
        guard list.hasServer != hasServer else { return }
        list.hasServer = hasServer
        list.number += 1
    }

    /// This member becomes the host in the place of one who left or is lost.
    public mutating func succeed() {
        let former = list.host
        list.host = own
        list.number += 1
        list.lastGiven = highestGiven
        for member in departed.union([former]).sorted() { set(.left, of: member) }
        set(.isIn, of: own)
        departed = []
    }

    // MARK: Others

    /// Takes a list if it counts more than the own one; false when it does not.
    public mutating func merge(_ other: GroupRoster) -> Bool {
        // Even so its numbers are taken. By how much is bounded: no list can use up all numbers.
        let most = MemberNumber(min(255, Int(highestGiven.value) + GroupRoster.maximumMembers)) ?? highestGiven
        highestGiven = max(highestGiven, min(other.lastGiven, most))
        guard (other.number, list.host.value) > (list.number, other.host.value) else { return false }
        list = other
        noteGone()
        highestGiven = max(highestGiven, list.lastGiven)
        departed.formIntersection(list.members.filter { $0.standing == .isIn }.map(\.number))
        return true
    }

    /// A member says that it leaves.
    mutating func depart(_ member: MemberNumber) {
        if member != own, standing(of: member) == .isIn { departed.insert(member) }
    }

    /// A member that left says that it is back.
    public mutating func comeBack(_ member: MemberNumber) { departed.remove(member) }
}

extension GroupRoster {
    /// Notes that members have left, or are there again. A list needs a host who is in: whoever follows is the host then.
    mutating func mark(_ numbers: Set<MemberNumber>, as standing: MemberStanding) {
        for index in members.indices where numbers.contains(members[index].number) {
            members[index].standing = standing
        }
        let isIn = members.filter { $0.standing == .isIn }.map(\.number)
        if !isIn.contains(host), let next = isIn.min() { host = next }
    }
}
