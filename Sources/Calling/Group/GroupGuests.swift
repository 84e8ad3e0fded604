import Signaling

/// Who is invited: by this member, which may wait for the host to give a number, and by others where this member is the host.
struct GroupGuests: Sendable {
    /// How far the invitation of somebody whom this member calls has come.
    enum Reach: Sendable {
        case sent
        /// No relay has it, after a while.
        case late
        case taken
        /// The guest's device has it.
        case received
    }

    /// Whom this member wants to invite and the host has given no number yet.
    private var asks: [(contact: ContactID, name: MemberName)] = []
    private var sent: Set<MemberNumber> = []
    /// Of whom this member calls, the number of the invitation and how far that has come.
    private var reaches: [MemberNumber: (message: Int, reach: Reach)] = [:]
    /// Whom this member has called, and no relay took the invitation.
    private(set) var unreached: Set<MemberNumber> = []
    /// Who was put off the list while they were only called, by this member as the host, or told so by it as who called them.
    private(set) var takenBack: Set<MemberNumber> = []
    /// The call of two that the first who is invited is in with this member.
    var origin: GroupInvitation.Origin?

    // MARK: Inviting

    /// Invites a contact, or asks the host to give it a number.
    ///
    /// - Throws: ``GroupCallRefusal``.
    mutating func invite(
        _ contact: ContactID, as name: MemberName, in call: inout GroupContext
    ) throws(GroupCallRefusal) {
        switch call.progress {
        case .on, .calling: break
        case .ringing, .joining, .returning, .ended: throw .notNow
        }
        let inCall = call.lines.knownContacts.filter { $0.value == contact }.keys
        guard !inCall.contains(where: { call.roster.standing(of: $0)?.isPresent == true }),
            !asks.contains(where: { $0.contact == contact })
        else { throw .notNow }
        if call.roster.isHost { return try add(contact, name, in: &call) }
        guard call.roster.list.members.count(where: { $0.standing.isPresent }) < call.capacity else {
            throw Self.refusal(in: call)
        }
        guard call.lines.way(to: call.roster.list.host) != nil else { throw .notNow }
        asks.append((contact, name))
        call.send(.ask(name), to: call.roster.list.host)
        call.start(.ask, GroupTiming.ask)
    }

    /// The host puts a contact on the list.
    ///
    /// - Throws: ``GroupCallRefusal`` when there is no room.
    func add(_ contact: ContactID, _ name: MemberName, in call: inout GroupContext) throws(GroupCallRefusal) {
        guard let number = call.roster.invite(name, by: call.own, capacity: call.capacity) else {
            throw Self.refusal(in: call)
        }
        call.lines.know(number, as: contact)
    }

    private static func refusal(in call: GroupContext) -> GroupCallRefusal {
        call.capacity < GroupRoster.maximumMembers ? .needsServer : .full
    }

    /// The host gives a number to somebody whom a member wants to invite.
    func receive(ask name: MemberName, from member: MemberNumber, in call: inout GroupContext) {
        guard call.roster.isHost, call.roster.isPresent(member) else { return call.reject(.wrongRole) }
        if call.roster.invite(name, by: member, capacity: call.capacity) == nil { call.reject(.tooMany) }
    }

    /// The host has not answered: it has no place, or has gone.
    mutating func stopAsking(in call: inout GroupContext) {
        for ask in asks { call.act(.tellNotInvited(ask.contact)) }
        asks = []
    }

    /// The number means somebody else now.
    mutating func forget(_ member: MemberNumber) {
        sent.remove(member)
        reaches[member] = nil
        unreached.remove(member)
        takenBack.remove(member)
    }

    /// Calls who has a number and was not called yet.
    mutating func sendInvitations(_ media: CallMedia, in call: inout GroupContext) {
        let list = call.roster.list
        for member in list.members where member.standing != .inviting && call.runs(.invitation(member.number)) {
            stopCalling(member.number, in: &call)
            // The host has put out whom this member is calling: nobody else can reach it.
            if member.standing == .removed { takeBack(member.number, in: &call) }
        }
        for guest in call.roster.invited where guest.inviter == call.own && sent.insert(guest.number).inserted {
            if call.lines.contactsByMember[guest.number] == nil {
                guard let contact = take(guest.name) else {
                    dismiss(guest.number, .noAnswer, in: &call)
                    continue
                }
                call.lines.know(guest.number, as: contact)
                if asks.isEmpty { call.stop(.ask) }
            }
            let members = call.roster.list.members.filter { $0.standing == .isIn }
            let invitation = GroupInvitation(
                own: guest.number, inviter: call.own, host: call.roster.list.host, media: media,
                members: members.map { .init(number: $0.number, name: $0.name) }, route: call.roster.list.route,
                origin: origin)
            origin = nil
            if let number = call.send(.invitation(invitation), to: guest.number) {
                reaches[guest.number] = (number, .sent)
            }
            call.start(.invitation(guest.number), GroupTiming.ringing)
            call.start(.relay(guest.number), GroupTiming.relay)
        }
    }

    /// A guest who has not come yet is off the list: here by the host, or told by whoever calls them.
    mutating func takeBack(_ guest: MemberNumber, in call: inout GroupContext) {
        takenBack.insert(guest)
        call.send(.over(.invitation), to: guest)
    }

    /// Nobody waits for this guest any more.
    mutating func stopCalling(_ guest: MemberNumber, in call: inout GroupContext) {
        reaches[guest] = nil
        call.stop(.invitation(guest))
        call.stop(.relay(guest))
    }

    // MARK: On its way

    /// How far the invitation of a guest has come; nil for one whom another member calls.
    func reach(of guest: MemberNumber) -> Reach? { reaches[guest]?.reach }

    /// A relay has a message.
    mutating func taken(_ number: Int, in call: inout GroupContext) {
        guard let (guest, entry) = reaches.first(where: { $0.value.message == number }) else { return }
        switch entry.reach {
        case .sent: break
        // What it took to reach the relay is not taken from the guest's time to answer.
        case .late: call.start(.invitation(guest), GroupTiming.ringing)
        case .taken, .received: return
        }
        reaches[guest]?.reach = .taken
        call.stop(.relay(guest))
    }

    /// A guest's device has a message, which a relay has delivered.
    mutating func received(_ number: Int, in call: inout GroupContext) {
        taken(number, in: &call)
        if let guest = reaches.first(where: { $0.value.message == number })?.key { reaches[guest]?.reach = .received }
    }

    /// A message was given up: who it was to call does not come.
    mutating func lost(_ number: Int, in call: inout GroupContext) {
        guard let (guest, entry) = reaches.first(where: { $0.value.message == number }) else { return }
        switch entry.reach {
        case .sent, .late: unreached.insert(guest)
        case .taken, .received: break
        }
        dismiss(guest, .noAnswer, in: &call)
    }

    /// A guest has not answered in time.
    mutating func timeIsOver(for guest: MemberNumber, in call: inout GroupContext) {
        if reaches[guest]?.reach == .late { unreached.insert(guest) }
        dismiss(guest, .noAnswer, in: &call)
    }

    /// Whether this member has called somebody, and no relay took any of the invitations.
    var hasReachedNobody: Bool { !sent.isEmpty && unreached.isSuperset(of: sent) }

    /// No relay has taken the invitation in time.
    mutating func relayIsLate(for guest: MemberNumber) {
        if reaches[guest]?.reach == .sent { reaches[guest]?.reach = .late }
    }

    /// The host has given a number to somebody of this name: who is meant; nil when nobody is any more.
    private mutating func take(_ name: MemberName) -> ContactID? {
        guard let index = asks.firstIndex(where: { $0.name == name }) else { return nil }
        return asks.remove(at: index).contact
    }

    /// Who was invited before a crash may still answer.
    mutating func restore(in call: inout GroupContext) {
        for guest in call.roster.invited where guest.inviter == call.own && sent.insert(guest.number).inserted {
            call.start(.invitation(guest.number), GroupTiming.ringing)
        }
    }

    // MARK: Answers

    /// Somebody whom this member has invited joins, or one whom another has, by whom the host is told.
    ///
    /// - Returns: whether it is an own guest, whose links are to be handed on.
    mutating func receive(_ join: GroupJoin, from member: MemberNumber, in call: inout GroupContext) -> Bool {
        let isOwnGuest = join.member == member && call.roster[member]?.inviter == call.own
        guard isOwnGuest || (call.roster.isHost && call.roster[join.member]?.inviter == member) else {
            call.reject(.wrongRole)
            return false
        }
        let standing = call.roster.standing(of: join.member)
        guard standing == .inviting else {
            call.reject(standing == .isIn ? .duplicate : .late)
            return false
        }
        if call.roster.isHost {
            call.roster.set(.isIn, of: join.member)
        } else {
            let report = GroupJoin(member: join.member, media: join.media)
            call.put(.join(report), .join(join.member), to: call.roster.list.host)
        }
        if isOwnGuest { stopCalling(member, in: &call) }
        return isOwnGuest
    }

    mutating func receive(_ decline: GroupDecline, from member: MemberNumber, in call: inout GroupContext) {
        let guest = call.roster[decline.member]
        guard decline.member == member || (call.roster.isHost && guest?.inviter == member),
            guest?.inviter == (decline.member == member ? call.own : member)
        else { return call.reject(.wrongRole) }
        guard guest?.standing == .inviting else { return call.reject(.late) }
        dismiss(decline.member, decline.reason, in: &call)
    }

    /// Somebody who was invited does not come.
    mutating func dismiss(_ guest: MemberNumber, _ reason: GroupDecline.Reason, in call: inout GroupContext) {
        stopCalling(guest, in: &call)
        guard call.roster.isHost else {
            let report = GroupDecline(member: guest, reason: reason)
            return call.put(.decline(report), .decline(guest), to: call.roster.list.host)
        }
        switch reason {
        case .declined: call.roster.set(.declined, of: guest)
        case .busy: call.roster.set(.busy, of: guest)
        case .noAnswer: call.roster.set(.noAnswer, of: guest)
        }
    }

    /// Whom another member has invited and who is in by that need not be called any more.
    mutating func forgo(_ member: MemberNumber, in call: inout GroupContext) {
        guard let contact = call.lines.knownContacts[member], call.roster.isPresent(member) else { return }
        asks.removeAll { $0.contact == contact }
        for guest in call.roster.invited
        where guest.inviter == call.own && call.lines.contactsByMember[guest.number] == contact {
            dismiss(guest.number, .noAnswer, in: &call)
        }
    }

    /// For the host: whom nobody of the call waits for any more does not come.
    func dismissUnawaited(in call: inout GroupContext) {
        for guest in call.roster.invited {
            guard let inviter = guest.inviter else { continue }
            let isAwaited =
                inviter == call.own
                ? call.runs(.invitation(guest.number)) || !sent.contains(guest.number) : call.roster.isPresent(inviter)
            if !isAwaited { call.roster.set(.noAnswer, of: guest.number) }
        }
    }
}
