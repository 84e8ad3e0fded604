import BaseKit
import Signaling

/// All calls of one person: it routes each input to its call and settles what concerns more than one.
///
/// A value without I/O like ``CallMachine``. The rules:
/// - The person takes part in one call at a time (`CallMachine.isActive`); others are on hold or ring. What becomes of the present one
///   when another takes its place, the person says (``PresentCall``). Nothing else ends it or puts it on hold.
/// - One call has the person's attention: the active one, else the one that has been ringing longest. The others that ring wait, and
///   their callers are told so where their programs understand it.
/// - Beyond ``mostCalls``, and while the person takes no calls (``isBusy``), who calls is told at once that the person is busy, so as
///   not to wait, and is noted as missed. Such a call neither rings nor touches the others.
/// - An invitation older than 180 seconds does not ring (Calls fact sheet §4); it is noted as missed, without a reply. A younger
///   one rings for 60 seconds at most, counted from when it came in.
/// - An invitation that waited at the relay rings once everything has been read that waited behind it (``caughtUp(with:at:wallClock:)``).
///   If that is the caller's end, the call is missed.
/// - What is not settled outlives the process (``kept``). After a restart it rings for the rest of its time, or is missed. A call
///   that was accepted is lost; the contact is told so.
/// - A new invitation by the contact of the present call replaces it, as the protocol has it: the contact has forgotten
///   the old call. If both called at the same moment, call ids are compared instead (`CallIdentity`).
/// - A message is taken only from the contact the call is with.
/// - A contact that rings too often (`ContactBudget.ringing`) is neither heard nor noted for a while, only counted; what would have
///   too many transports made (`ContactBudget.renewals`) does nothing to its call.
/// - An offer for a call that is over here, or unknown, is answered with an end, once: the contact has accepted and waits.
/// - A blocked contact gets no reply and leaves no trace but a count.
struct CallSwitchboard: Sendable {
    /// The calls that are not over, by their name here.
    private(set) var calls: [CallID: CallMachine] = [:]
    /// The final states of calls that ended during the last input.
    private(set) var justEnded: [CallMachine] = []
    /// What to do about calls without frame encryption.
    var policy: ClearMediaPolicy
    /// The most calls at once: active, on hold and ringing together.
    let mostCalls: Int
    /// Whether the person takes no calls at present.
    var isBusy = false
    /// What the person does in calls of other accounts.
    private(set) var elsewhere = CallsElsewhere()

    /// The names of ``calls``, oldest first.
    private var order: [CallID] = []
    private var memory = CallMemory()
    private var early = EarlyMessages()
    private var invitations = UnsettledInvitations()
    private var budget = ContactBudget.ringing
    private var replies = ContactBudget.ringing
    private var renewals = ContactBudget.renewals
    private var permissions: [ContactID: CallPermissions] = [:]
    private var abilities: [ContactID: PeerAbilities] = [:]
    private var blocked: Set<ContactID> = []
    private var counts = RejectionCounts()

    /// A switchboard without calls.
    init(policy: ClearMediaPolicy = .refuse, mostCalls: Int = 4) {
        self.policy = policy
        self.mostCalls = mostCalls
    }

    /// What was not acted on, in all calls.
    var rejections: RejectionCounts {
        calls.values.reduce(into: counts) { $0.add($1.rejections) }
    }

    /// Says who of the two may call.
    mutating func setPermissions(_ permissions: CallPermissions, for contact: ContactID) {
        self.permissions[contact] = permissions
    }

    /// Says what a contact's program understands beyond the protocol.
    mutating func setAbilities(_ abilities: PeerAbilities, for contact: ContactID) {
        self.abilities[contact] = abilities
        for id in order where calls[id]?.contact == contact { calls[id]?.setAbilities(abilities) }
    }

    /// Blocks a contact or not. A call that rings goes without a word to the contact; any other with it is hung up.
    mutating func setBlocked(_ isBlocked: Bool, _ contact: ContactID, at now: Instant) -> [CallAction] {
        justEnded = []
        guard isBlocked else {
            blocked.remove(contact)
            return []
        }
        blocked.insert(contact)
        let forgotten = forgetHeld(of: contact)
        return forgotten + calls(with: contact).flatMap { block($0, at: now) }
            + settleAttention(at: now)
    }

    /// Says what the person does in calls of other accounts: those count among ``mostCalls``, and who rings here waits while one of them
    /// has the person's attention. What becomes of such a call when another takes its place, is seen to there.
    mutating func setElsewhere(_ elsewhere: CallsElsewhere, at now: Instant) -> [CallAction] {
        justEnded = []
        self.elsewhere = elsewhere
        return settleAttention(at: now)
    }

    // MARK: The local person

    /// The local person dials. `present` says what becomes of the call they take part in, if any.
    /// - Throws: ``CallError``; ``CallError/busy`` also when there is a call with this contact.
    mutating func dial(
        _ contact: ContactID, media: CallMedia, callID: CallID, keys: CallKeys, present: PresentCall? = nil,
        at now: Instant, wallClock: Int64
    ) throws(CallError) -> [CallAction] {
        justEnded = []
        guard !blocked.contains(contact) else { throw .blocked }
        guard permissions[contact, default: .initial].mayCall else { throw .notPermitted }
        let endCount = present == .end && active != nil ? 1 : 0
        guard calls(with: contact).isEmpty, countOfAll - endCount < mostCalls else { throw .busy }
        let actions = try makeRoom(present, at: now)
        let (machine, effects) = CallMachine.dial(
            contact, media: media, callID: callID, keys: keys, policy: policy,
            abilities: abilities[contact, default: []], at: now, wallClock: wallClock)
        return actions + admit(machine, effects) + settleAttention(at: now)
    }

    /// The local person accepts a call that rings. `present` says what becomes of the call they take part in, if any.
    /// - Throws: ``CallError``. Nothing has changed then.
    mutating func accept(
        _ callID: CallID, media: CallMedia, keys: CallKeys, clearMedia: Bool, present: PresentCall? = nil,
        at now: Instant
    ) throws(CallError) -> [CallAction] {
        justEnded = []
        guard let machine = calls[callID], machine.stage == .ringingWithoutConsent else { throw .noSuchCall }
        // Before the person has said it knowingly, the call rings on and the other one stays as it is.
        guard machine.canBeAccepted(clearMedia: clearMedia) else { return [] }
        let actions = try makeRoom(present, at: now)
        budget.giveBack(machine.contact)
        return actions + run(callID, .person(.accept(media, keys: keys, clearMedia: clearMedia)), at: now)
            + settleAttention(at: now)
    }

    /// The local person puts a call that is on on hold.
    /// - Throws: ``CallError/noSuchCall`` when it is not on.
    mutating func hold(_ callID: CallID, at now: Instant) throws(CallError) -> [CallAction] {
        justEnded = []
        guard calls[callID]?.canBeHeld == true else { throw .noSuchCall }
        return run(callID, .person(.hold), at: now) + settleAttention(at: now)
    }

    /// The local person goes on with a call that is on hold; the one they take part in, if any, is put on hold.
    /// - Throws: ``CallError``.
    mutating func resume(_ callID: CallID, at now: Instant) throws(CallError) -> [CallAction] {
        justEnded = []
        guard calls[callID]?.attention.hold.isHeldHere == true else { throw .noSuchCall }
        return try makeRoom(.hold, at: now) + run(callID, .person(.resume), at: now) + settleAttention(at: now)
    }

    /// The call that the local person takes part in.
    private var active: CallID? { order.first { calls[$0]?.isActive == true } }

    private mutating func makeRoom(_ present: PresentCall?, at now: Instant) throws(CallError) -> [CallAction] {
        guard let active else { return [] }
        switch present {
        case nil: throw .busy
        case .end: return run(active, .person(.hangUp), at: now)
        case .hold:
            guard calls[active]?.canBeHeld == true else { throw .busy }
            return run(active, .person(.hold), at: now)
        }
    }

    /// Tells each call that rings whether the person is occupied with another one.
    private mutating func settleAttention(at now: Instant) -> [CallAction] {
        let ringing = order.filter { calls[$0]?.update.isRinging == true }
        let attended = active ?? ringing.first
        return order.flatMap {
            let isElsewhere = elsewhere.hasAttention || attended != nil && attended != $0
            return run($0, .attention(isElsewhere: isElsewhere), at: now)
        }
    }

    private var countOfAll: Int { calls.count + max(0, elsewhere.count) }

    private func calls(with contact: ContactID) -> [CallID] { order.filter { calls[$0]?.contact == contact } }

    // MARK: The contacts

    /// A contact has deleted this side: calls with it are over.
    mutating func contactGone(_ contact: ContactID, at now: Instant) -> [CallAction] {
        justEnded = []
        return invitations.held(of: contact).flatMap { settle($0, .contactGone, telling: false, at: now) }
            + calls(with: contact).flatMap { run($0, .relay(.contactGone), at: now) } + settleAttention(at: now)
    }

    /// Gives an input to a call; one that is over takes none. What may concern other calls, too, has its own function:
    /// ``accept(_:media:keys:clearMedia:present:at:)`` and ``resume(_:at:)``.
    mutating func handle(_ input: CallInput, for callID: CallID, at now: Instant) -> [CallAction] {
        justEnded = []
        switch input {
        case .person(.accept(let media, let keys, let clearMedia)):
            return (try? accept(callID, media: media, keys: keys, clearMedia: clearMedia, at: now)) ?? []
        case .person(.resume): return (try? resume(callID, at: now)) ?? []
        case .clock(.ringLimit):
            if let held = invitations.held(callID) { return settle(held, .missed, telling: false, at: now) }
        case .person, .relay, .peer, .media, .networkChanged, .attention, .clock: break
        }
        return run(callID, input, at: now) + settleAttention(at: now)
    }

    /// Takes a message of a contact. `sentAt` is the relay's time of the message, `wallClock` the present, both in
    /// seconds since 1970.
    ///
    /// - Parameter isLive: whether everything has been read that waited at the relay when the way to it was made.
    mutating func receive(
        _ message: CallMessage, from contact: ContactID, sentAt: Int64, isLive: Bool = true, at now: Instant,
        wallClock: Int64
    ) -> [CallAction] {
        justEnded = []
        guard !blocked.contains(contact) else { return reject(.blocked) }
        if let machine = calls.values.first(where: { $0.knows(message.callID) }) {
            guard machine.contact == contact else { return reject(.wrongContact) }
            return run(machine.callID, .peer(message), at: now) + settleAttention(at: now)
        }
        if let held = invitations.held(message.callID) {
            guard held.invitation.contact == contact else { return reject(.wrongContact) }
            return receive(message, for: held, at: now)
        }
        guard !memory.contains(message.callID) else {
            guard case .offer(let id, _) = message, memory.isAcceptedLate(id, by: contact) else { return reject(.late) }
            return reject(.late) + [CallAction(callID: id, contact: contact, effect: .send(.end(id)))]
        }
        switch message {
        case .invitation(let id, let invitation):
            return receive(
                Arrival(
                    callID: id, contact: contact, invitation: invitation, age: Self.age(sentAt, wallClock),
                    isLive: isLive, now: now, wallClock: wallClock)) + settleAttention(at: now)
        case .extra, .end: return early.keep(message, from: contact, at: now) ? [] : reject(.unknownCall)
        case .offer(let id, _):
            // A call of ours that a former process made and did not end.
            guard replies.admits(contact, at: now) else { return reject(.unknownCall) }
            memory.remember(id)
            return reject(.unknownCall) + [CallAction(callID: id, contact: contact, effect: .send(.end(id)))]
        case .answer, .renew, .standing: return reject(.unknownCall)
        }
    }

    // MARK: Invitations

    /// The invitations that are not settled, as they have to outlive the process, oldest first.
    var kept: [KeptInvitation] { invitations.all }

    /// Takes over what a former process has kept. What is young is held until its contact's mailbox has been read
    /// (``caughtUp(with:at:wallClock:)``), the rest is missed.
    mutating func restore(_ kept: [KeptInvitation], at now: Instant, wallClock: Int64) -> [CallAction] {
        justEnded = []
        return kept.flatMap { kept -> [CallAction] in
            guard calls[kept.callID] == nil, invitations.held(kept.callID) == nil, !memory.contains(kept.callID),
                !blocked.contains(kept.contact)
            else { return [] }
            let rest = kept.rest(at: wallClock)
            guard kept.isAccepted || rest > .zero else { return note(kept, .missed, telling: false, at: now) }
            return hold(kept, early: [], rest: rest, at: now)
        }
    }

    /// Everything has been read that waited at the relay for a contact: who has called and not ended it, still calls.
    mutating func caughtUp(with contact: ContactID, at now: Instant, wallClock: Int64) -> [CallAction] {
        justEnded = []
        return invitations.held(of: contact).flatMap { held -> [CallAction] in
            guard !held.invitation.isAccepted else { return settle(held, .connectionLost, telling: true, at: now) }
            guard held.end > now else { return settle(held, .missed, telling: false, at: now) }
            invitations.release(held.invitation.callID)
            let later = early.take(held.invitation.callID, from: contact, at: now)?.candidates ?? []
            let actions = ring(
                held.invitation, early: held.candidates + later, rest: held.end - now, at: now, wallClock: wallClock)
            let isOver = calls[held.invitation.callID] == nil
            return (isOver ? [stopTimer(held.invitation)] : []) + actions
        } + settleAttention(at: now)
    }

    /// How old a message is. A relay may say any time; one in the future is now.
    private static func age(_ sentAt: Int64, _ wallClock: Int64) -> Duration {
        max(.zero, .seconds(wallClock) - .seconds(sentAt))
    }

    private struct Arrival {
        let callID: CallID
        let contact: ContactID
        let invitation: CallInvitation
        /// How long ago the relay took it.
        let age: Duration
        let isLive: Bool
        let now: Instant
        let wallClock: Int64

        /// What is to be kept of it.
        var kept: KeptInvitation {
            // Whole seconds, at least one; an age is whatever a relay says.
            let rest = max(.seconds(1), min(CallTiming.ringing, CallTiming.invitationAge - age))
            return KeptInvitation(
                callID: callID, contact: contact, invitation: invitation, arrivedAt: wallClock,
                ringTime: rest.components.seconds)
        }
    }

    private mutating func receive(_ arrival: Arrival) -> [CallAction] {
        let (contact, now) = (arrival.contact, arrival.now)
        let box = early.take(arrival.callID, from: contact, at: now)
        guard budget.admits(contact, at: now) else {
            memory.remember(arrival.callID)
            return reject(.tooOften)
        }
        let kept = arrival.kept
        guard permissions[contact, default: .initial].mayBeCalled else {
            return note(kept, .notPermitted, telling: false, at: now)
        }
        guard arrival.age <= CallTiming.invitationAge, box?.hasEnded != true else {
            return note(kept, .missed, telling: false, at: now)
        }
        // The contact has forgotten whatever it began before.
        let replaced = invitations.held(of: contact).flatMap {
            settle($0, $0.invitation.isAccepted ? .connectionLost : .replaced, telling: false, at: now)
        }
        let (candidates, rest) = (box?.candidates ?? [], Duration.seconds(kept.ringTime))
        guard arrival.isLive else { return replaced + hold(kept, early: candidates, rest: rest, at: now) }
        return replaced + ring(kept, early: candidates, rest: rest, at: now, wallClock: arrival.wallClock)
    }

    /// Lets a call ring, unless it can't be taken.
    private mutating func ring(
        _ kept: KeptInvitation, early candidates: [ICECandidate], rest: Duration, at now: Instant, wallClock: Int64
    ) -> [CallAction] {
        var actions: [CallAction] = []
        if let present = calls(with: kept.contact).first {
            if calls[present]?.isOpenToGlare == true {
                invitations.settle(kept.callID)
                actions = run(present, .peer(.invitation(kept.callID, kept.invitation)), at: now)
                if calls[present]?.knows(kept.callID) != true { memory.remember(kept.callID) }
                return actions
            }
            actions = replace(present, at: now)
        }
        guard !isBusy else { return actions + note(kept, .missedInBusyMode, telling: true, at: now) }
        guard countOfAll < mostCalls else {
            return actions + note(kept, .missedWhileBusy, telling: true, at: now)
        }
        guard policy == .ask || kept.invitation.usableKey != nil else {
            return actions + note(kept, .encryptionRefused, telling: true, at: now)
        }
        let (machine, effects) = CallMachine.ring(
            kept.contact, callID: kept.callID, invitation: kept.invitation, early: candidates, ringLimit: rest,
            policy: policy, abilities: abilities[kept.contact, default: []], at: now, wallClock: wallClock)
        invitations.add(kept)
        actions += admit(machine, effects)
        return kept.isIgnored ? actions + run(kept.callID, .person(.ignore), at: now) : actions
    }

    /// Notes a call that does not ring.
    private mutating func note(
        _ kept: KeptInvitation, _ reason: CallEndReason, telling: Bool, at now: Instant
    ) -> [CallAction] {
        let (machine, effects) = CallMachine.unanswered(
            kept.contact, callID: kept.callID, invitation: kept.invitation, reason: reason, telling: telling,
            at: now, wallClock: kept.arrivedAt)
        invitations.settle(kept.callID)
        memory.remember(kept.callID)
        justEnded.append(machine)
        return tag(effects, machine)
    }

    // MARK: Invitations that don't ring yet

    private mutating func hold(
        _ kept: KeptInvitation, early candidates: [ICECandidate], rest: Duration, at now: Instant
    ) -> [CallAction] {
        invitations.hold(UnsettledInvitations.Held(invitation: kept, candidates: candidates, end: now + rest))
        // One that was accepted waits for its contact's mailbox, however long that takes.
        guard !kept.isAccepted else { return [] }
        return [CallAction(callID: kept.callID, contact: kept.contact, effect: .startTimer(.ringLimit, rest))]
    }

    private mutating func settle(
        _ held: UnsettledInvitations.Held, _ reason: CallEndReason, telling: Bool, at now: Instant
    ) -> [CallAction] {
        [stopTimer(held.invitation)] + note(held.invitation, reason, telling: telling, at: now)
    }

    private mutating func forgetHeld(of contact: ContactID) -> [CallAction] {
        invitations.held(of: contact).map { held in
            invitations.settle(held.invitation.callID)
            memory.remember(held.invitation.callID)
            return stopTimer(held.invitation)
        }
    }

    private func stopTimer(_ kept: KeptInvitation) -> CallAction {
        CallAction(callID: kept.callID, contact: kept.contact, effect: .stopTimer(.ringLimit))
    }

    private mutating func receive(
        _ message: CallMessage, for held: UnsettledInvitations.Held, at now: Instant
    ) -> [CallAction] {
        switch message {
        case .invitation: return reject(.duplicate)
        case .extra: return early.keep(message, from: held.invitation.contact, at: now) ? [] : reject(.tooMany)
        case .offer: return reject(.wrongRole)
        case .answer, .renew, .standing: return reject(held.invitation.isAccepted ? .late : .outOfTurn)
        case .end:
            return settle(held, held.invitation.isAccepted ? .connectionLost : .missed, telling: false, at: now)
        }
    }

    // MARK: Running machines

    private mutating func admit(_ machine: CallMachine, _ effects: [CallEffect]) -> [CallAction] {
        calls[machine.callID] = machine
        order.append(machine.callID)
        return tag(effects, machine)
    }

    private mutating func run(_ callID: CallID, _ input: CallInput, at now: Instant) -> [CallAction] {
        guard var machine = calls[callID] else { return [] }
        let wishes = machine.renewal.wishCount
        let effects = machine.handle(input, at: now)
        // A machine is a value: beyond the budget the call stays as it was.
        guard machine.renewal.wishCount <= wishes || renewals.admits(machine.contact, at: now) else {
            return reject(.tooOften)
        }
        return store(machine, effects)
    }

    private mutating func replace(_ callID: CallID, at now: Instant) -> [CallAction] {
        guard var machine = calls[callID] else { return [] }
        let effects = machine.replaced(at: now)
        return store(machine, effects)
    }

    private mutating func block(_ callID: CallID, at now: Instant) -> [CallAction] {
        guard var machine = calls[callID] else { return [] }
        let effects = machine.blocked(at: now)
        return store(machine, effects)
    }

    private mutating func store(_ machine: CallMachine, _ effects: [CallEffect]) -> [CallAction] {
        if machine.stage == .ended {
            calls[machine.callID] = nil
            order.removeAll { $0 == machine.callID }
            counts.add(machine.rejections)
            let callee = machine.direction == .outgoing ? machine.contact : nil
            for id in machine.allIDs { memory.remember(id, callee: callee) }
            invitations.settle(machine.callID)
            justEnded.append(machine)
        } else {
            if machine.stage.hasLocalConsent { invitations.accept(machine.callID) }
            if machine.attention.isIgnored { invitations.ignore(machine.callID) }
            calls[machine.callID] = machine
        }
        return tag(effects, machine)
    }

    private func tag(_ effects: [CallEffect], _ machine: CallMachine) -> [CallAction] {
        effects.map { CallAction(callID: machine.callID, contact: machine.contact, effect: $0) }
    }

    private mutating func reject(_ kind: MessageRejection) -> [CallAction] {
        counts.count(kind)
        return []
    }
}
