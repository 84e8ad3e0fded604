import Calling
import Signaling

// A call of two that goes over into one of several (docs/groups.md).
extension Account {
    /// A call of two on its way into one of several.
    struct Growth: Sendable {
        var course: CallGrowth
        /// Who is called once the contact has joined; nobody where the contact adds them.
        var others: [(contact: ContactID, name: MemberName)] = []
    }

    /// Asks the contact of a call that is on whether others may be added: if they join, the call goes over into one of several, to
    /// which these are invited then. The call of two goes on until the two hear each other there, and goes on if that does not come about.
    /// - Throws: `AccountError`; `.call(.noSuchCall)` unless the call is on and not on hold, `.call(.busy)` while there is any other,
    ///   `.group` when somebody's program takes part in no such calls or there are too many.
    public func addPeople(_ contacts: [Contact], to call: Call) async throws(AccountError) -> GroupCall {
        let others = try guests(contacts.filter { $0.id != call.contact.id })
        guard let peer = try guests([call.contact]).first, !others.isEmpty else { throw .group(.refused(.notNow)) }
        guard others.count + 2 <= groups.center.capacity else { throw .group(.refused(.needsServer)) }
        guard await callOfTwo(with: peer.contact)?.callID == call.id else { throw .call(.noSuchCall) }
        try await prepareGroupCall()
        let origin = GroupInvitation.Origin(call: call.id, adding: others.map(\.name))
        let media = call.state.mediaOn
        let group = try await beginGroupCall(besides: call.id) { center throws(GroupCallRefusal) in
            try await center.call([peer], media: media, origin: origin)
        }
        group.begin(as: call.state)
        let course = CallGrowth(talk: call.id, group: group.id, peer: peer.contact, isAsker: true)
        growth = Growth(course: course, others: others)
        growing.insert(group.id)
        if calls[call.id] == nil { await talkEnded(call.id) }
        return group
    }

    /// The call of two that is on with a contact, if the person is in no other one.
    func callOfTwo(with id: ContactID) async -> CallOfTwo? {
        guard callsElsewhere.count == 0,
            let call = calls.values.first(where: { $0.contact.id == id && $0.state.isOnHere }),
            await !center.isOccupied(besides: call.id)
        else { return nil }
        return CallOfTwo(call.id, with: id)
    }

    /// The contact asks the person to go over into a call of several.
    func noteQuestion(_ snapshot: GroupCallSnapshot) {
        guard snapshot.update.isRinging, let origin = snapshot.origin, let contact = snapshot.contact,
            growth?.course.group != snapshot.callID
        else { return }
        growing.insert(snapshot.callID)
        growth = Growth(
            course: CallGrowth(talk: origin.call, group: snapshot.callID, peer: contact, isAsker: false))
    }

    /// The person joins: the call of two is on hold from here on.
    /// - Returns: what may be opened, which is never more than the call of two has; nil when that is not on any more.
    func join(_ id: CallID, wanting media: CallMedia) async -> CallMedia? {
        guard let course = growth?.course, course.group == id, let talk = calls[course.talk], talk.state.isOnHere else {
            return nil
        }
        let state = talk.state
        groupCalls[id]?.begin(as: state)
        try? await talk.hold()
        return media == .video ? state.mediaOn : media
    }

    /// Before the contact's answer opens anything, the call of two lets go of it.
    /// - Returns: whether the call of two was put on hold for it.
    func makeRoom(for message: GroupMessage, of call: CallID, from id: ContactID) async -> Bool {
        guard case .join = message, let course = growth?.course, course.isAsker, course.group == call,
            course.peer == id,
            let talk = calls[course.talk], talk.state.isOnHere
        else { return false }
        try? await talk.hold()
        return true
    }

    /// Does what follows for the two calls of how the call of several stands.
    func follow(_ snapshot: GroupCallSnapshot) async {
        guard var course = growth?.course, course.group == snapshot.callID else { return }
        let number = snapshot.contacts.filter { $0.value == course.peer }.keys.min()
        let effects = course.groupStands(
            snapshot.update.stage, peer: snapshot.update.members.first { $0.number == number }?.stage,
            reason: snapshot.update.reason)
        growth?.course = course
        if course.hasSucceeded { growing.remove(course.group) }
        await perform(effects)
    }

    /// A call of two is over.
    func talkEnded(_ id: CallID) async {
        guard var course = growth?.course, course.talk == id else { return }
        let effects = course.talkEnded()
        growth?.course = course
        await perform(effects)
    }

    private func perform(_ effects: [CallGrowth.Effect]) async {
        guard let growth else { return }
        let talk = calls[growth.course.talk]
        for effect in effects {
            do {
                switch effect {
                case .holdTalk: if talk?.state.hold.isHeldHere == false { try await talk?.hold() }
                case .resumeTalk: try await talk?.resume()
                case .endTalk: await talk?.hangUp()
                case .endGroup: await groupCalls[growth.course.group]?.hangUp()
                case .inviteOthers:
                    for other in growth.others {
                        try await groups.center.invite(other.contact, as: other.name, to: growth.course.group)
                    }
                }
            } catch {
                logger.notice("A call of two on its way into one of several: \(effect): \(error)")
            }
        }
    }
}

extension CallState {
    /// Whether it is on, and the person here has not put it on hold.
    var isOnHere: Bool {
        guard !hold.isHeldHere else { return false }
        return switch phase {
        case .active, .reconnecting: true
        case .ringingOut, .ringingIn, .connecting, .ended: false
        }
    }

    /// What the person here may have open in it: pictures also where the camera is off for now.
    var mediaOn: CallMedia { media == .video || cameraEnabled ? .video : .audio }
}
