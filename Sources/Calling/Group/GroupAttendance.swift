import Signaling

/// Who is there: who was noticed since it came, who was not heard for long, and who takes the host's place.
struct GroupAttendance: Sendable {
    /// Who counts as in since it was noticed.
    private(set) var known: Set<MemberNumber> = []
    /// Who was in at some time.
    private(set) var everIn: Set<MemberNumber> = []
    /// Who was not heard for so long that it counts as gone here, whatever the list says.
    private var lost: Set<MemberNumber> = []
    /// Whom each number meant in the last list that showed it.
    private var meant: [MemberNumber: GroupMember] = [:]

    /// The members whose number means somebody else now: two hosts that knew nothing of each other have both given it.
    mutating func takeReplaced(in call: GroupContext) -> [MemberNumber] {
        var replaced: [MemberNumber] = []
        for member in call.roster.list.members where member.number != call.own {
            let former = meant.updateValue(member, forKey: member.number)
            if former.map({ !$0.isSamePerson(as: member) }) == true { replaced.append(member.number) }
        }
        return replaced
    }

    /// True when the member was not noticed before.
    mutating func notice(_ member: MemberNumber, in call: inout GroupContext) -> Bool {
        guard known.insert(member).inserted else { return false }
        everIn.insert(member)
        call.startUnlessRunning(.silence(member), GroupTiming.silence)
        return true
    }

    mutating func hear(_ member: MemberNumber) { lost.remove(member) }

    /// A member was not heard for long.
    mutating func lose(_ member: MemberNumber) { if known.contains(member) { lost.insert(member) } }

    /// The member has gone, or begins anew.
    mutating func forget(_ member: MemberNumber) {
        known.remove(member)
        lost.remove(member)
    }

    /// Whether the member counts as gone here because it was not heard.
    func isLost(_ member: MemberNumber) -> Bool { lost.contains(member) }

    // MARK: The list

    /// Whether nobody is heard by this member, which is not the host.
    func isLost(in call: GroupContext) -> Bool {
        let present = call.roster.present
        return !call.roster.isHost && !present.isEmpty && lost.isSuperset(of: present)
    }

    /// Whom the host has not heard for long is out.
    func letGo(in call: inout GroupContext) {
        for member in lost { call.roster.set(.left, of: member) }
    }

    /// The host has gone: who has the lowest number of the others takes its place. Who hears nobody does not.
    ///
    /// - Returns: whether this member is the host from now on.
    func succeed(in call: inout GroupContext) -> Bool {
        let host = call.roster.list.host
        switch call.progress {
        case .returning, .joining: return false
        case .calling, .ringing, .on, .ended: break
        }
        guard !call.roster.isHost, !call.roster.isPresent(host) || lost.contains(host),
            call.roster.successor(without: lost) == call.own, reachesAny(in: call)
        else { return false }
        call.roster.succeed()
        letGo(in: &call)
        return true
    }

    /// Whether this member can speak to one of those who are left, if there are any.
    private func reachesAny(in call: GroupContext) -> Bool {
        let others = call.roster.present.filter { $0 != call.roster.list.host && !lost.contains($0) }
        return others.isEmpty || others.contains { call.lines.way(to: $0) != nil }
    }
}

extension GroupMember {
    /// An invitation doesn't say who has invited the others.
    fileprivate func isSamePerson(as other: GroupMember) -> Bool {
        name == other.name && (inviter == other.inviter || inviter == nil || other.inviter == nil)
    }
}
