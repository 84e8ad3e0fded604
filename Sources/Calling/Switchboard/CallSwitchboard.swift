import BaseKit
import Signaling

/// All calls of one person: it routes each input to its call and settles what concerns more than one.
///
/// A value without I/O like ``CallMachine``. The rules:
/// - One call at a time. Who calls meanwhile is told at once that the person is busy, so as not to wait, and is noted as missed.
///   The second call neither rings nor touches the first.
/// - An invitation older than 180 seconds does not ring (Calls fact sheet §4); it is noted as missed, without a reply.
/// - A new invitation by the contact of the present call replaces it, as the protocol has it: the contact has forgotten
///   the old call. If both called at the same moment, call ids are compared instead (`CallIdentity`).
/// - A message is taken only from the contact the call is with.
/// - A contact that rings too often (`RingBudget`) is neither heard nor noted for a while, only counted.
/// - A blocked contact gets no reply and leaves no trace but a count.
public struct CallSwitchboard: Sendable {
    /// The calls that are not over, by their name here.
    public private(set) var calls: [CallID: CallMachine] = [:]
    /// The final states of calls that ended during the last input.
    public private(set) var justEnded: [CallMachine] = []
    /// What to do about calls without frame encryption.
    public var policy: ClearMediaPolicy

    private var memory = CallMemory()
    private var early = EarlyMessages()
    private var budget = RingBudget()
    private var permissions: [ContactID: CallPermissions] = [:]
    private var blocked: Set<ContactID> = []
    private var counts = RejectionCounts()

    /// A switchboard without calls.
    public init(policy: ClearMediaPolicy = .refuse) { self.policy = policy }

    /// What was not acted on, in all calls.
    public var rejections: RejectionCounts {
        calls.values.reduce(into: counts) { $0.add($1.rejections) }
    }

    /// Says who of the two may call.
    public mutating func setPermissions(_ permissions: CallPermissions, for contact: ContactID) {
        self.permissions[contact] = permissions
    }

    /// Blocks a contact or not. A call that is on with it is ended, as if the person hung up.
    public mutating func setBlocked(_ isBlocked: Bool, _ contact: ContactID, at now: Instant) -> [CallAction] {
        justEnded = []
        guard isBlocked else {
            blocked.remove(contact)
            return []
        }
        blocked.insert(contact)
        let present = calls.values.filter { $0.contact == contact }
        return present.flatMap { run($0.callID, .person(.hangUp), at: now) }
    }

    /// The local person dials.
    /// - Throws: ``CallError``.
    public mutating func dial(
        _ contact: ContactID, media: CallMedia, callID: CallID, keys: CallKeys, at now: Instant, wallClock: Int64
    ) throws(CallError) -> [CallAction] {
        justEnded = []
        guard !blocked.contains(contact) else { throw .blocked }
        guard permissions[contact, default: .initial].mayCall else { throw .notPermitted }
        guard calls.isEmpty else { throw .busy }
        let (machine, effects) = CallMachine.dial(
            contact, media: media, callID: callID, keys: keys, policy: policy, at: now, wallClock: wallClock)
        return admit(machine, effects)
    }

    /// A contact has deleted this side: calls with it are over.
    public mutating func contactGone(_ contact: ContactID, at now: Instant) -> [CallAction] {
        justEnded = []
        let present = calls.values.filter { $0.contact == contact }
        return present.flatMap { run($0.callID, .relay(.contactGone), at: now) }
    }

    /// Gives an input to a call; one that is over takes none.
    public mutating func handle(_ input: CallInput, for callID: CallID, at now: Instant) -> [CallAction] {
        justEnded = []
        if case .person(.accept) = input, let machine = calls[callID], machine.stage == .ringingWithoutConsent {
            budget.giveBack(machine.contact)
        }
        return run(callID, input, at: now)
    }

    /// Takes a message of a contact. `sentAt` is the relay's time of the message, `wallClock` the present, both in
    /// seconds since 1970.
    public mutating func receive(
        _ message: CallMessage, from contact: ContactID, sentAt: Int64, at now: Instant, wallClock: Int64
    ) -> [CallAction] {
        justEnded = []
        guard !blocked.contains(contact) else { return reject(.blocked) }
        if let machine = calls.values.first(where: { $0.knows(message.callID) }) {
            guard machine.contact == contact else { return reject(.wrongContact) }
            return run(machine.callID, .peer(message), at: now)
        }
        guard !memory.contains(message.callID) else { return reject(.late) }
        switch message {
        case .invitation(let id, let invitation):
            let arrival = Arrival(
                id: id, invitation: invitation, contact: contact, age: Self.age(sentAt, wallClock), now: now,
                wallClock: wallClock)
            return receive(arrival)
        case .extra, .end: return early.keep(message, from: contact, at: now) ? [] : reject(.unknownCall)
        case .offer, .answer, .renew: return reject(.unknownCall)
        }
    }

    // MARK: Invitations

    /// How old a message is. A relay may say any time; one in the future is now.
    private static func age(_ sentAt: Int64, _ wallClock: Int64) -> Duration {
        max(.zero, .seconds(wallClock) - .seconds(sentAt))
    }

    private struct Arrival {
        var id: CallID
        var invitation: CallInvitation
        var contact: ContactID
        /// How long ago the relay took it.
        var age: Duration
        var now: Instant
        var wallClock: Int64
    }

    private mutating func receive(_ arrival: Arrival) -> [CallAction] {
        let kept = early.take(arrival.id, from: arrival.contact, at: arrival.now)
        guard budget.admits(arrival.contact, at: arrival.now) else {
            memory.remember(arrival.id)
            return reject(.tooOften)
        }
        guard permissions[arrival.contact, default: .initial].mayBeCalled else {
            return note(arrival, .notPermitted, telling: false)
        }
        guard arrival.age <= CallTiming.invitationAge, kept?.hasEnded != true else {
            return note(arrival, .missed, telling: false)
        }
        var actions: [CallAction] = []
        if let present = calls.values.first {
            guard present.contact == arrival.contact else { return note(arrival, .missedWhileBusy, telling: true) }
            if present.isOpenToGlare {
                actions = run(present.callID, .peer(.invitation(arrival.id, arrival.invitation)), at: arrival.now)
                if calls[present.callID]?.knows(arrival.id) != true { memory.remember(arrival.id) }
                return actions
            }
            actions = replace(present.callID, at: arrival.now)
        }
        guard policy == .ask || arrival.invitation.usableKey != nil else {
            return actions + note(arrival, .encryptionRefused, telling: true)
        }
        let rest = CallTiming.invitationAge - arrival.age
        let (machine, effects) = CallMachine.ring(
            arrival.contact, callID: arrival.id, invitation: arrival.invitation, early: kept?.candidates ?? [],
            ringLimit: max(rest, .seconds(1)), policy: policy, at: arrival.now, wallClock: arrival.wallClock)
        return actions + admit(machine, effects)
    }

    /// Notes a call that does not ring.
    private mutating func note(_ arrival: Arrival, _ reason: CallEndReason, telling: Bool) -> [CallAction] {
        let (machine, effects) = CallMachine.unanswered(
            arrival.contact, callID: arrival.id, invitation: arrival.invitation, reason: reason, telling: telling,
            at: arrival.now, wallClock: arrival.wallClock)
        memory.remember(arrival.id)
        justEnded.append(machine)
        return tag(effects, machine)
    }

    // MARK: Running machines

    private mutating func admit(_ machine: CallMachine, _ effects: [CallEffect]) -> [CallAction] {
        calls[machine.callID] = machine
        return tag(effects, machine)
    }

    private mutating func run(_ callID: CallID, _ input: CallInput, at now: Instant) -> [CallAction] {
        guard var machine = calls[callID] else { return [] }
        let effects = machine.handle(input, at: now)
        return store(machine, effects)
    }

    private mutating func replace(_ callID: CallID, at now: Instant) -> [CallAction] {
        guard var machine = calls[callID] else { return [] }
        let effects = machine.replaced(at: now)
        return store(machine, effects)
    }

    private mutating func store(_ machine: CallMachine, _ effects: [CallEffect]) -> [CallAction] {
        if machine.stage == .ended {
            calls[machine.callID] = nil
            counts.add(machine.rejections)
            for id in machine.allIDs { memory.remember(id) }
            justEnded.append(machine)
        } else {
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
