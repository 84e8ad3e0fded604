import Agent
import BaseKit
import Calling
import Media
import MediaRules
import Signaling

// Calls of several (docs/groups.md).
extension Account {
    /// Whether calls of several are made and taken here; contacts are told so.
    public nonisolated var takesGroupCalls: Bool { groups.isOn }

    /// Makes and takes calls of several from now on, or none, tells the contacts, and remembers it. A call of several that is on ends
    /// when they are switched off.
    /// - Throws: `AccountError.folder` when it can't be remembered; then it stays as it was.
    public func setTakesGroupCalls(_ isOn: Bool) async throws(AccountError) {
        guard isOn != groups.isOn else { return }
        var settings = try settings()
        try settings.remember(takesGroups: isOn)
        if !isOn {
            await leaveGroupCalls()
            await forgetGroup()
        }
        groups.isOn = isOn
        profile.abilities = .own(takingGroups: isOn)
        await tellProfile()
        listeners.send(.takesGroupCalls(isOn))
    }

    /// Leaves the group call that is on, or declines the one that rings, so that there is room for others.
    func leaveGroupCalls() async {
        for call in groupCalls.values { await call.hangUp() }
        await settleGroupCall()
    }

    /// Calls several contacts, who see and hear each other.
    /// - Throws: `AccountError`; `.call` while there is any other call, `.group` when somebody's program takes part in no such
    ///   calls or there are too many.
    public func groupCall(with contacts: [Contact], media: CallMedia) async throws(AccountError) -> GroupCall {
        let guests = try guests(contacts)
        try await prepareGroupCall()
        return try await beginGroupCall { center throws(GroupCallRefusal) in try await center.call(guests, media: media)
        }
    }

    /// Invites a contact to a group call that is on.
    /// - Throws: `AccountError`.
    public func invite(_ contact: Contact, to call: GroupCall) async throws(AccountError) {
        guard let guest = try guests([contact]).first else { return }
        do throws(GroupCallRefusal) {
            try await groups.center.invite(guest.contact, as: guest.name, to: call.id)
        } catch {
            throw .group(.refused(error))
        }
    }

    /// The call that the person may come back into.
    var keptGroup: KeptGroup? { wayBack.kept }

    /// Whether others may go on with a group call that the person was in, so that they can come back.
    var canReturnToGroupCall: Bool {
        get async { await groups.center.callID == nil && callToReturnTo != nil }
    }

    /// The call that the person was in last, as long as others may go on with it.
    private var callToReturnTo: KeptGroupCall? {
        keptGroup.flatMap { $0.mayGoOn(at: SystemCallClock().wallClock()) ? $0.call : nil }
    }

    /// Comes back into the group call that the person was in last.
    /// - Throws: `AccountError`; `.group(.noneLeft)` when there is none.
    public func returnToGroupCall() async throws(AccountError) -> GroupCall {
        guard groups.isOn else { throw .group(.notOffered) }
        guard var kept = callToReturnTo else { throw .group(.noneLeft) }
        // Lines may have gone with an invitation back that came to nothing.
        kept.lines.formIntersection(groups.lines.members(of: kept.callID, as: kept.own))
        groups.lines.forgetMessages(of: kept.callID)
        try await prepareGroupCall()
        return try await beginGroupCall { [kept] center throws(GroupCallRefusal) in try await center.comeBack(kept) }
    }

    // MARK: Beginning

    func guests(
        _ contacts: [Contact]
    ) throws(AccountError) -> [(contact: ContactID, name: MemberName)] {
        guard groups.isOn else { throw .group(.notOffered) }
        var guests: [(contact: ContactID, name: MemberName)] = []
        for contact in contacts where !guests.contains(where: { $0.contact == contact.id }) {
            guard let record = book[contact.id], record.isBlocked != true else { throw .contactBlocked(contact.name) }
            guard record.isConnected else { throw .notConnected(contact.name) }
            guard record.abilities.contains(.groups) else { throw .group(.notTaken(contact.name)) }
            guard permissions(of: contact.id).mayCall else { throw .callsNotAllowed(contact.name) }
            // What a contact is called here is nobody else's business.
            guard
                let name = MemberName(parsing: contact.ownName ?? contact.name)
                    ?? MemberName(parsing: Contact.unknownName)
            else {
                throw .nameUnusable
            }
            guests.append((contact.id, name))
        }
        return guests
    }

    func prepareGroupCall() async throws(AccountError) {
        try await prepareMedia()
        await groups.center.setName(MemberName(parsing: displayName))
    }

    /// - Parameter talk: the call of two that it is to take the place of.
    func beginGroupCall(
        besides talk: CallID? = nil,
        _ body: (GroupCallCenter) async throws(GroupCallRefusal) -> GroupCallSnapshot
    ) async throws(AccountError) -> GroupCall {
        guard await groups.center.callID == nil else { throw .call(.busy) }
        // First, so that no call of two begins meanwhile.
        isInGroupCall = true
        await tellElsewhere()
        let isOccupied = if let talk { await center.isOccupied(besides: talk) } else { await center.isOccupied }
        guard !isOccupied else {
            await settleGroupCall()
            throw .call(.busy)
        }
        do throws(GroupCallRefusal) {
            let call = adopt(try await body(groups.center))
            await settleGroupCall()
            return call
        } catch {
            await settleGroupCall()
            throw .group(.refused(error))
        }
    }

    /// While there is a group call, there is no room for a call of two.
    func settleGroupCall() async {
        isInGroupCall = await groups.center.callID != nil
        await tellElsewhere()
        listeners.send(.groupCallGoesOn(!isInGroupCall && groups.isOn ? callToReturnTo?.callID : nil))
    }

    private func permissions(of id: ContactID) -> CallPermissions {
        CallPermissions(
            mine: profile.calls, theirs: book[id].flatMap { FeaturePreference(rawValue: $0.calls) } ?? .yes)
    }

    // MARK: What comes in

    /// Takes a message of a contact about a group call.
    /// - Returns: whether its writer may know that it came in.
    func receive(
        _ message: GroupMessage, of call: CallID, from id: ContactID, brokerTime: Int64, isLive: Bool
    ) async -> Bool {
        // As that of a call of two, whatever becomes of it.
        let confirmsInvitation = message.isInvitation && sendsReceipts
        guard groups.isOn, let record = book[id], record.isBlocked != true else {
            logger.info("\(message.word) of a group call is of no use here")
            // Who is blocked learns no more than others.
            return groups.isOn && book[id] != nil && confirmsInvitation
        }
        if message.isInvitation, await !isIn(call) { wayBack.called(into: call, by: id) }
        if message.isInvitation, !permissions(of: id).mayBeCalled { return confirmsInvitation }
        let hasCall = await center.isOccupied || callsElsewhere.count > 0
        let talk = await callOfTwo(with: id)
        let hasMadeRoom = await makeRoom(for: message, of: call, from: id)
        let confirms = await groups.center.receive(
            message, of: call, from: .contact(id), brokerTime: brokerTime, isLive: isLive, hasCall: hasCall,
            isBusy: takesNoCalls, talk: talk)
        if hasMadeRoom, await groups.center.snapshot?.update.stage == .callingWithOwnConsent {
            if let talk = growth?.course.talk { try? await calls[talk]?.resume() }
        }
        await settleGroupCall()
        await noteElsewhere(message, of: call, from: .contact(id))
        return message.isInvitation ? confirmsInvitation : confirms && message.wantsReceipt
    }

    /// Everything was read that waited for a contact.
    func groupCaughtUp(with id: ContactID) async {
        guard groups.isOn else { return }
        let hasCall = await center.isOccupied || callsElsewhere.count > 0
        let talk = await callOfTwo(with: id)
        await groups.center.caughtUp(with: id, hasCall: hasCall, isBusy: takesNoCalls, talk: talk)
        await settleGroupCall()
    }

    // MARK: What the call tells

    func handle(_ news: GroupCallNews) async {
        switch news {
        case .call(let snapshot):
            noteQuestion(snapshot)
            let call = adopt(snapshot)
            call.apply(snapshot, name: knownName)
            await followPath(of: snapshot)
            await checkComparedCodes(in: call)
            if let talk = growth?.course.talk, calls[talk] == nil { await talkEnded(talk) }
            await follow(snapshot)
            note(snapshot)
            if snapshot.update.stage != .ringingWithoutConsent { listeners.forget(call) }
        case .notInvited(let id): listeners.send(.notice(.notInvited(name(of: id))))
        case .kept(let kept): await keep(kept)
        case .gone(let id): await changeWayBack { $0.end(id) }
        case .over(let end):
            // An invitation that did not ring is no end of a call that is on.
            if end.cause != nil {
                groupCalls[end.callID] = nil
                groups.lines.forgetMessages(of: end.callID)
            }
            // Whoever has had an answer to an invitation does not take it back. Whom the others ended it for has given none.
            if end.direction == .incoming, end.duration == nil, end.reason != .missed, end.cause != .over,
                let contact = end.contact
            {
                wayBack.answered(end.callID, of: contact)
            }
            if end.duration == nil, end.cause != nil {
                Task { [id = end.callID] in await closeLines(ofUnkept: id) }
            }
            if growth?.course.group == end.callID { growth = nil }
            await settleGroupCall()
            // What was only asked within a call of two is no call of its own.
            if growing.remove(end.callID) == nil { await keep(end) }
        }
    }

    /// Media was opened for a group call.
    func attach(_ session: MeshSession, to id: CallID) async {
        if let call = groupCalls[id] { return await call.attach(session) }
        guard let snapshot = await groups.center.snapshot, snapshot.callID == id else { return }
        await adopt(snapshot).attach(session)
    }

    func adopt(_ snapshot: GroupCallSnapshot) -> GroupCall {
        if let call = groupCalls[snapshot.callID] { return call }
        var join: (@Sendable (CallMedia) async -> CallMedia?)?
        if snapshot.origin != nil, snapshot.direction == .incoming {
            join = { [weak self, id = snapshot.callID] media in await self?.join(id, wanting: media) }
        }
        let call = GroupCall(
            snapshot, contact: snapshot.contact.map { contact($0) }, center: groups.center, join: join, name: knownName)
        guard snapshot.update.stage != .ended else { return call }
        groupCalls[snapshot.callID] = call
        if snapshot.update.isRinging {
            MediaRuntime.load()
            listeners.send(.incomingGroup(call))
        }
        return call
    }

    /// Notes a call that the person is in, so that the next process knows of it if this one dies.
    private func note(_ snapshot: GroupCallSnapshot) {
        guard snapshot.update.stage.hasLocalConsent, let id = snapshot.contact, !growing.contains(snapshot.callID)
        else {
            return
        }
        // Nobody has answered whether there is to be one.
        if snapshot.origin != nil, snapshot.update.stage == .callingWithOwnConsent { return }
        let now = SystemCallClock().wallClock()
        let members = snapshot.update.members.filter { $0.stage.wasIn }.map { member in
            let contact = snapshot.contacts[member.number]
            return CallRecord.Member(name: contact.flatMap(knownName) ?? member.name.text, contact: contact)
        }
        callLog.underWay.begin(
            CallUnderWay(
                callID: snapshot.callID, contact: id, name: CallRecord.name(of: members) ?? contact(id).name,
                direction: snapshot.direction, media: snapshot.update.media, startedAt: now, members: members))
        callLog.underWay.joined(snapshot.callID, members)
        if snapshot.update.stage == .acceptedOn { callLog.underWay.answer(snapshot.callID, at: now) }
        guard callLog.underWay.draft() != nil else { return }
        Task { [callLog] in await callLog.store() }
    }

    /// The name of somebody who is a contact.
    private func knownName(_ id: ContactID) -> String? { book[id] == nil ? nil : name(of: id) }

    private func keep(_ end: GroupCallEnd) async {
        _ = callLog.underWay.end(end.callID)
        guard let id = end.contact else { return await callLog.store() }
        let contact = contact(id)
        if let missed = MissedCall(end, contact: contact) { listeners.send(.missed(missed)) }
        guard book[id]?.keepsNoCalls != true else { return await callLog.store() }
        let record = CallRecord(end, contact: contact, endedAt: SystemCallClock().wallClock(), name: knownName)
        await callLog.add(record)
    }

    // MARK: What outlives the process

    /// Takes over what a former process has left, before the agent starts.
    func restoreGroup() async {
        let now = SystemCallClock().wallClock()
        if let bytes = try? await agent.applicationData(KeptGroup.name), let kept = KeptGroup(decoding: bytes),
            groups.isOn, kept.mayGoOn(at: now)
        {
            wayBack = WayBack(kept)
        }
        do {
            try await groups.lines.restore(
                keeping: keptGroup?.call.callID,
                contacts: Set(book.records.map { ConnectionID(rawValue: $0.connection) }))
        } catch {
            logger.error("The lines of a former call were not found: \(error)")
        }
        if var kept = keptGroup {
            // What was deleted meanwhile leads to nobody.
            kept.call.lines.formIntersection(groups.lines.members(of: kept.call.callID, as: kept.call.own))
            kept.call.contacts = kept.call.contacts.filter { book[$0.value] != nil }
            wayBack = WayBack(kept)
        }
        await settleGroupCall()
    }

    /// Remembers the call that the person is in, in place of the one before.
    private func keep(_ kept: KeptGroupCall) async {
        let isIn = await isIn(kept.callID)
        let former = keptGroup?.call.callID
        guard wayBack.keep(kept, isIn: isIn, at: SystemCallClock().wallClock()) else { return }
        if let former, former != kept.callID { await groups.lines.closeLines(of: former) }
        await storeGroup()
    }

    /// Whether the person is in a group call: one that only rings they are not in.
    private func isIn(_ call: CallID) async -> Bool {
        guard let present = await groups.center.snapshot, present.callID == call else { return false }
        return present.update.stage.hasLocalConsent
    }

    /// Something was heard of a group call that this person may have left.
    func noteElsewhere(_ message: GroupMessage, of call: CallID, from peer: GroupPeer) async {
        guard keptGroup?.call.callID == call, await !isIn(call) else { return }
        await changeWayBack { $0.hear(message, of: call, from: peer) }
    }

    private func forgetGroup() async { await changeWayBack { $0.forget() } }

    private func changeWayBack(_ body: (inout WayBack) -> Void) async {
        let former = keptGroup
        body(&wayBack)
        guard keptGroup != former else { return }
        let isGone = keptGroup == nil
        await storeGroup()
        guard isGone, let former else { return }
        await groups.lines.closeLines(of: former.call.callID)
        await settleGroupCall()
    }

    /// Others go on with a call that this person could not join, and nothing that is kept leads there.
    private func closeLines(ofUnkept call: CallID) async {
        // The last words go by them.
        await groups.center.settle()
        guard await groups.center.callID != call, keptGroup?.call.callID != call else { return }
        await groups.lines.closeLines(of: call)
    }

    private func storeGroup() async {
        do {
            try await agent.setApplicationData(KeptGroup.name, to: keptGroup?.encoded())
        } catch {
            logger.error("The group call could not be kept: \(error)")
        }
    }
}

/// What an account has for calls of several.
struct GroupCalls: Sendable {
    private let isOnShared: Shared<Bool>
    let lines: GroupLines
    let center: GroupCallCenter

    init(
        isOn: Bool, agent: Agent, media: GroupMediaAdapter, rooms: any GroupRoomPort, clock: any CallClock
    ) {
        isOnShared = Shared(isOn)
        lines = GroupLines(agent: agent)
        center = GroupCallCenter(signaling: lines, media: media, rooms: rooms, clock: clock)
        lines.connect(to: center)
    }

    /// Whether there are any here.
    var isOn: Bool {
        get { isOnShared.value }
        nonmutating set { isOnShared.value = newValue }
    }
}

extension CallRecord {
    /// What is to be kept of a group call that has ended here, or did not ring; `name` says what a contact is called here.
    init(_ end: GroupCallEnd, contact: Contact, endedAt: Int64, name: (ContactID) -> String?) {
        var members: [Member] = []
        for member in end.members {
            let known = Member(name: member.contact.flatMap(name) ?? member.name.text, contact: member.contact)
            // Who was called again has two numbers.
            if known.contact == nil || !members.contains(where: { $0.contact == known.contact }) {
                members.append(known)
            }
        }
        let duration = end.duration?.wholeMilliseconds
        self.init(
            callID: end.callID, contact: contact.id,
            name: Self.name(of: members) ?? contact.name, direction: end.direction,
            media: end.media, startedAt: end.startedAt, answeredAt: duration.map { endedAt - $0 / 1_000 },
            endedAt: endedAt, duration: duration,
            result: end.reason.result(end.direction, wasOn: end.duration != nil), reason: end.reason)
        self.members = members
        groupReason = end.cause
        isFrameEncrypted = duration == nil ? nil : true
    }
}

extension GroupCallUpdate.MemberStage {
    /// Whether somebody who stands so is in the call, or was.
    fileprivate var wasIn: Bool {
        switch self {
        case .connecting, .connected, .reconnecting, .left, .removed: true
        case .inviting, .unreachable, .ringing, .declined, .busy, .noAnswer, .notReached: false
        }
    }
}

extension MissedCall {
    /// Nil for a group call that was not missed.
    init?(_ end: GroupCallEnd, contact: Contact) {
        guard end.direction == .incoming else { return nil }
        switch end.reason {
        case .missed: hindrance = nil
        case .missedWhileBusy: hindrance = .otherCalls
        case .missedInBusyMode: hindrance = .busyMode
        default: return nil
        }
        (id, self.contact, media, rang) = (end.callID, contact, end.media, end.rang)
    }
}
