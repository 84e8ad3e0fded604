import BaseKit
import Cryptography
import Signaling

/// One call of several, from beginning or ringing to its end.
///
/// A value without I/O: an input goes in together with the time, effects come out. Each input changes one of the parts that
/// ``GroupCompany`` holds together, and then everything is done for every member that these say is to be done.
public struct GroupCallMachine: Sendable {
    private var company: GroupCompany

    // MARK: Beginning

    /// The local person calls contacts.
    ///
    /// - Parameters:
    ///   - origin: the call of two that the first contact is asked to go over from.
    ///   - server: when the call goes over the own call server.
    /// - Throws: ``GroupCallRefusal`` when there are too many.
    public static func call(
        _ contacts: [(contact: ContactID, name: MemberName)], as name: MemberName, media: CallMedia, callID: CallID,
        origin: GroupInvitation.Origin? = nil, server: GroupServerUse = .never, at now: Instant,
        random: @escaping @Sendable (Int) -> SecretBytes = SecretBytes.random
    ) throws(GroupCallRefusal) -> (GroupCallMachine, [GroupCallEffect]) {
        try call(
            contacts, as: name, media: media, callID: callID, origin: origin, server: server,
            capacity: GroupTiming.meshCapacity, at: now, random: random)
    }

    /// The same for more members than reach each other directly.
    static func call(
        _ contacts: [(contact: ContactID, name: MemberName)], as name: MemberName, media: CallMedia, callID: CallID,
        origin: GroupInvitation.Origin? = nil, server: GroupServerUse = .never, capacity: Int, at now: Instant,
        random: @escaping @Sendable (Int) -> SecretBytes
    ) throws(GroupCallRefusal) -> (GroupCallMachine, [GroupCallEffect]) {
        var company = GroupCompany(
            GroupContext(callID, Roster(founder: name), .calling, capacity: capacity, at: now, random: random), media,
            server)
        company.widen()
        company.guests.origin = origin
        for (contact, name) in contacts { try company.guests.add(contact, name, in: &company.call) }
        company.settle()
        return (GroupCallMachine(company: company), company.call.effects)
    }

    /// A contact invites. It rings for 60 seconds.
    ///
    /// - Parameter name: the own name.
    public static func ring(
        _ contact: ContactID, invitation: GroupInvitation, as name: MemberName, callID: CallID,
        server: GroupServerUse = .never, at now: Instant,
        random: @escaping @Sendable (Int) -> SecretBytes = SecretBytes.random
    ) -> (GroupCallMachine, [GroupCallEffect]) {
        ring(
            contact, invitation: invitation, as: name, callID: callID, server: server,
            capacity: GroupTiming.meshCapacity, at: now,
            random: random)
    }

    static func ring(
        _ contact: ContactID, invitation: GroupInvitation, as name: MemberName, callID: CallID,
        server: GroupServerUse = .never, capacity: Int, at now: Instant,
        random: @escaping @Sendable (Int) -> SecretBytes
    ) -> (GroupCallMachine, [GroupCallEffect]) {
        var call = GroupContext(
            callID, Roster(invitation, name: name), .ringing(inviter: invitation.inviter), capacity: capacity, at: now,
            random: random)
        call.lines.know(invitation.inviter, as: contact)
        call.start(.ringing, GroupTiming.ringing)
        return (GroupCallMachine(company: GroupCompany(call, invitation.media, server)), call.effects)
    }

    /// The person comes back into a call that this side has lost, by what was kept of it.
    public static func comeBack(
        _ kept: KeptGroupCall, server: GroupServerUse = .never, at now: Instant,
        random: @escaping @Sendable (Int) -> SecretBytes = SecretBytes.random
    ) -> (GroupCallMachine, [GroupCallEffect]) {
        comeBack(kept, server: server, capacity: GroupTiming.meshCapacity, at: now, random: random)
    }

    static func comeBack(
        _ kept: KeptGroupCall, server: GroupServerUse = .never, capacity: Int, at now: Instant,
        random: @escaping @Sendable (Int) -> SecretBytes
    ) -> (GroupCallMachine, [GroupCallEffect]) {
        // Above all paths of an earlier life but by chance: their messages may still be under way.
        let first = Int(random(1).bytes[0]) << 7 | Int(random(1).bytes[0]) >> 1
        var call = GroupContext(
            kept.callID, Roster(kept.roster, own: kept.own), .joining(through: nil), capacity: capacity, at: now,
            random: random)
        for (member, contact) in kept.contacts { call.lines.know(member, as: contact) }
        for member in kept.lines { call.lines.restore(member) }
        var company = GroupCompany(call, kept.media, server, firstPath: first, firstEpoch: random(1).bytes[0])
        company.media.handover.goOn(after: kept.highestRoom)
        company.openMedia()
        company.call.start(.joining, GroupTiming.joining)
        company.guests.restore(in: &company.call)
        company.askToComeBack()
        company.settle()
        return (GroupCallMachine(company: company), company.call.effects)
    }

    private init(company: GroupCompany) { self.company = company }

    // MARK: What others see

    /// The call.
    public var callID: CallID { company.call.callID }
    /// What was not acted on.
    public var rejections: RejectionCounts { company.call.rejections }
    /// Who is in.
    public var roster: Roster { company.call.roster }
    /// Where the call stands.
    public var stage: GroupCallStage { company.call.stage }
    /// The call as others see it.
    public var update: GroupCallUpdate { GroupCallUpdate(company.call, company.media, company.news, company.guests) }

    /// The members that are contacts of this person, as far as the call knows.
    public var contacts: [MemberNumber: ContactID] { company.call.lines.knownContacts }

    var keys: KeySchedule { company.keys.schedule }
    var paths: GroupPaths { company.media.paths }
    /// Who is heard, by any way.
    var heard: Set<MemberNumber> { company.media.heard }
    /// Whether this side could close the call's room.
    var isKeeper: Bool { company.media.handover.isKeeper }
    /// Whether any clock runs.
    var isWaiting: Bool { company.call.isWaiting }

    /// What outlives the process; nil where the person is not in the call.
    public var kept: KeptGroupCall? {
        guard stage.hasLocalConsent else { return nil }
        return KeptGroupCall(
            callID: callID, media: company.media.wanted, roster: roster.listWithDepartures, own: roster.own,
            contacts: company.call.lines.contactsByMember, lines: company.call.lines.upLines,
            highestRoom: company.media.handover.highest)
    }

    // MARK: Inputs

    /// Takes one input at a moment of the call clock.
    public mutating func handle(_ input: GroupCallInput, at now: Instant) -> [GroupCallEffect] {
        company.call.begin(at: now)
        guard stage != .ended else {
            if case .peer = input { company.call.reject(.late) }
            return []
        }
        switch input {
        case .person(let wish): handle(wish)
        case .peer(let message, let peer): company.receive(message, from: peer)
        case .line(let member, let event): company.handle(event, ofLineTo: member)
        case .taken(let number): company.guests.taken(number, in: &company.call)
        case .lost(let number): company.guests.lost(number, in: &company.call)
        case .receipt(let number): company.confirmed(number)
        case .path(let member, let number, let event): company.handle(event, ofPath: number, to: member)
        case .room(let number, let event): company.handle(event, ofRoom: number)
        case .clock(let timer): if company.call.ranOut(timer) { company.ranOut(timer) }
        }
        company.settle()
        return company.call.effects
    }

    /// Invites somebody during the call.
    ///
    /// - Throws: ``GroupCallRefusal``.
    public mutating func invite(
        _ contact: ContactID, as name: MemberName, at now: Instant
    ) throws(GroupCallRefusal) -> [GroupCallEffect] {
        company.call.begin(at: now)
        try company.guests.invite(contact, as: name, in: &company.call)
        company.settle()
        return company.call.effects
    }

    // MARK: The local person

    private mutating func handle(_ wish: GroupPersonInput) {
        switch wish {
        case .accept(let wanted): accept(wanted)
        case .decline: decline()
        case .hangUp: hangUp()
        case .remove(let member): remove(member)
        case .show(let state): company.news.show(state)
        }
    }

    /// The local person accepts the call that rings. Only here does an incoming call get consent.
    private mutating func accept(_ wanted: CallMedia) {
        guard case .ringing(let inviter) = company.call.progress else { return }
        company.media.limit(to: wanted)
        company.call.progress = .joining(through: inviter)
        company.call.stop(.ringing)
        company.call.start(.joining, GroupTiming.joining)
        company.openMedia()
    }

    private mutating func decline() {
        guard case .ringing(let inviter) = company.call.progress else { return }
        company.call.send(.decline(GroupDecline(member: roster.own, reason: .declined)), to: inviter)
        company.end(.declined)
    }

    private mutating func hangUp() {
        switch company.call.progress {
        case .ringing: decline()
        case .calling: company.end(.cancelled)
        case .joining, .on, .returning: company.end(.hungUp)
        case .ended: break
        }
    }

    private mutating func remove(_ member: MemberNumber) {
        guard stage.hasLocalConsent, roster.isHost, member != roster.own else { return }
        let wasInvited = roster.standing(of: member) == .inviting
        guard roster.isPresent(member) || wasInvited else { return }
        company.call.roster.set(.removed, of: member)
        if wasInvited {
            company.guests.takeBack(member, in: &company.call)
        } else {
            company.media.handover.putOut(in: &company.call)
        }
        company.guests.stopCalling(member, in: &company.call)
    }
}
