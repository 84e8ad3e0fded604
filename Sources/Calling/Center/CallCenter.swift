import BaseKit
import Logging
import Signaling

/// The calls of one person: takes what comes from the person, the contacts, media and clocks, runs the pure
/// ``CallSwitchboard``, and does what it says.
///
/// Every input is handled in one uninterrupted step of the actor; whatever takes time is started afterwards and reports
/// back as a new input. So an end is never waiting behind media that is being opened.
public actor CallCenter {
    private struct TimerKey: Hashable {
        var callID: CallID
        var timer: CallTimer
    }

    private struct RunningTimer {
        var number: Int
        var task: Task<Void, Never>
    }

    private struct Outgoing: Sendable {
        var callID: CallID
        var message: CallMessage
    }

    private let signaling: any CallSignalingPort
    private let mediaPort: any CallMediaPort
    private let clock: any CallClock
    private let log: any CallLogPort
    private let keeping: (any InvitationKeepingPort)?
    private let logger = Logger(label: "im.parley.calling")
    private let hub = UpdateHub()

    private var switchboard: CallSwitchboard
    private var timers: [TimerKey: RunningTimer] = [:]
    private var timerCount = 0
    private var lines: [CallID: MediaLine] = [:]
    private var closing: [Int: Task<Void, Never>] = [:]
    private var closingCount = 0
    private var outboxes: [ContactID: SerialLine<Outgoing>] = [:]
    private var recorder: SerialLine<CallLogEntry>
    /// What was last handed over to be kept.
    private var kept: [KeptInvitation] = []

    /// A centre without calls, of which there can be `mostCalls` at once: active, on hold and ringing together. Without `keeping` no invitation outlives the process.
    public init(
        signaling: any CallSignalingPort, media: any CallMediaPort, clock: any CallClock = SystemCallClock(),
        log: any CallLogPort, keeping: (any InvitationKeepingPort)? = nil, clearMedia: ClearMediaPolicy = .refuse,
        mostCalls: Int = 4
    ) {
        self.keeping = keeping
        self.signaling = signaling
        mediaPort = media
        self.clock = clock
        self.log = log
        switchboard = CallSwitchboard(policy: clearMedia, mostCalls: mostCalls)
        recorder = SerialLine { await log.record($0) }
    }

    // MARK: Looking

    /// The updates of all calls, beginning with the present state of those that are not over. Each use is a new stream.
    public nonisolated var updates: AsyncStream<CallUpdate> { hub.stream() }

    /// The present state of a call, also if it is over; nil when nothing is known of it. What is told of it afterwards comes
    /// through ``updates``.
    public nonisolated func update(of callID: CallID) -> CallUpdate? { hub.latest(callID) }

    /// What peers sent and nothing was done about.
    public var rejections: RejectionCounts { switchboard.rejections }

    /// Whether there is any call: active, on hold or ringing.
    public var isOccupied: Bool { !switchboard.calls.isEmpty }

    /// Whether there is any call but this one.
    public func isOccupied(besides callID: CallID) -> Bool { switchboard.calls.keys.contains { $0 != callID } }

    // MARK: The person

    /// Calls a contact; the call's updates follow. `present` says what becomes of the call that the person takes part in; without it,
    /// there must be none.
    /// - Throws: ``CallError``.
    public func dial(
        _ contact: ContactID, media: CallMedia, present: PresentCall? = nil
    ) throws(CallError) -> CallID {
        let callID = CallID.random()
        let actions = try switchboard.dial(
            contact, media: media, callID: callID, keys: CallKeys(), present: present, at: clock.now,
            wallClock: clock.wallClock())
        act(actions)
        return callID
    }

    /// Accepts a call that rings, with sound or with sound and picture. `clearMedia` says that the person knows that
    /// frames will not be encrypted (``CallUpdate/needsDecisionOnClearMedia``) and wants the call still; `present`, what becomes of
    /// the call that the person takes part in.
    /// - Throws: ``CallError/over(_:)`` when it has ended, ``CallError/noSuchCall`` when it does not ring for another reason,
    ///   ``CallError/busy`` when the present call stands in the way.
    public func accept(
        _ callID: CallID, media: CallMedia, clearMedia: Bool = false, present: PresentCall? = nil
    ) throws(CallError) {
        do throws(CallError) {
            act(
                try switchboard.accept(
                    callID, media: media, keys: CallKeys(), clearMedia: clearMedia, present: present, at: clock.now))
        } catch {
            throw overOr(error, callID)
        }
    }

    /// Puts a call that is on on hold: all its media stop, its devices are closed, its path stays open.
    /// - Throws: ``CallError/over(_:)`` when it has ended, ``CallError/noSuchCall`` when it is not on.
    public func hold(_ callID: CallID) throws(CallError) {
        do throws(CallError) { act(try switchboard.hold(callID, at: clock.now)) } catch { throw overOr(error, callID) }
    }

    /// Goes on with a call that is on hold; the one that the person takes part in, if any, is put on hold.
    /// - Throws: ``CallError/over(_:)`` when it has ended, ``CallError/noSuchCall`` when it is not on hold, ``CallError/busy`` when the
    ///   other one can't be put on hold.
    public func resume(_ callID: CallID) throws(CallError) {
        do throws(CallError) { act(try switchboard.resume(callID, at: clock.now)) } catch {
            throw overOr(error, callID)
        }
    }

    private func overOr(_ error: CallError, _ callID: CallID) -> CallError {
        guard error == .noSuchCall else { return error }
        return update(of: callID)?.endReason.map(CallError.over) ?? error
    }

    /// Lets a call ring on unheard here; its caller is told nothing.
    public func ignore(_ callID: CallID) { input(.person(.ignore), for: callID) }

    /// Says whether the person takes no calls: who calls from now on is told at once that the person is busy.
    public func setBusy(_ isBusy: Bool) { switchboard.isBusy = isBusy }

    /// Says what the person does in calls of other accounts of theirs.
    public func setElsewhere(_ elsewhere: CallsElsewhere) { act(switchboard.setElsewhere(elsewhere, at: clock.now)) }

    /// Declines the call that rings.
    public func decline(_ callID: CallID) { input(.person(.decline), for: callID) }

    /// Ends or cancels a call; one that rings is declined.
    public func hangUp(_ callID: CallID) { input(.person(.hangUp), for: callID) }

    /// Goes on without frame encryption, after ``CallUpdate/needsDecisionOnClearMedia``.
    public func continueWithClearMedia(_ callID: CallID) { input(.person(.continueWithClearMedia), for: callID) }

    /// Says who of the two may call, from what both announced in their profiles. Until then both may.
    public func setPermissions(_ permissions: CallPermissions, for contact: ContactID) {
        switchboard.setPermissions(permissions, for: contact)
    }

    /// Says what a contact's program understands beyond the protocol. Until then it is taken to understand nothing.
    public func setAbilities(_ abilities: PeerAbilities, for contact: ContactID) {
        switchboard.setAbilities(abilities, for: contact)
    }

    /// Blocks a contact or not; a call with it is ended, one that rings without telling the contact.
    public func setBlocked(_ isBlocked: Bool, _ contact: ContactID) {
        act(switchboard.setBlocked(isBlocked, contact, at: clock.now))
    }

    /// Waits until media that are to be closed are, and what calls have said has been handed over.
    public func settle() async {
        for task in closing.values { await task.value }
        for line in outboxes.values { await line.settle() }
    }

    /// Ends all calls, closes all media, hands over the last messages and finishes the streams. A call that rings is left as it
    /// is: it rings on in the next life of the process, if that begins soon enough.
    public func shutDown() async {
        for (callID, machine) in switchboard.calls where machine.stage != .ringingWithoutConsent {
            input(.person(.hangUp), for: callID)
        }
        for timer in timers.values { timer.task.cancel() }
        timers = [:]
        for task in closing.values { await task.value }
        closing = [:]
        let lines = outboxes.values
        outboxes = [:]
        for line in lines { await line.drain() }
        let log = log
        let finished = recorder
        recorder = SerialLine { await log.record($0) }
        await finished.drain()
        hub.finish()
    }

    // MARK: The contacts

    /// Takes a call message of a contact. `brokerTime` is the relay's time of it, in seconds since 1970. It returns at
    /// once; the message can be acknowledged whatever became of it, together with what is to be kept from now on.
    ///
    /// - Parameter isLive: whether everything has been read that waited at the relay. Otherwise an invitation does not ring
    ///   before ``caughtUp(with:)``.
    public func receive(_ message: CallMessage, from contact: ContactID, brokerTime: Int64, isLive: Bool = true) {
        let before = switchboard.rejections
        let actions = switchboard.receive(
            message, from: contact, sentAt: brokerTime, isLive: isLive, at: clock.now, wallClock: clock.wallClock())
        act(actions)
        let after = switchboard.rejections
        if before.total != after.total {
            let kinds = MessageRejection.allCases.filter { after[$0] != before[$0] }.map(\.rawValue)
            logger.notice("Call message \(message.event) not acted on: \(kinds.joined(separator: ", "))")
        }
    }

    /// Takes over the invitations that a former process has kept. They ring after ``caughtUp(with:)``.
    public func restore(_ invitations: [KeptInvitation]) {
        act(switchboard.restore(invitations, at: clock.now, wallClock: clock.wallClock()))
    }

    /// Everything has been read that waited at the relay for a contact.
    public func caughtUp(with contact: ContactID) {
        act(switchboard.caughtUp(with: contact, at: clock.now, wallClock: clock.wallClock()))
    }

    /// The relay holds the invitation of a call: the contact's side can ring from now on.
    public func invitationTaken(_ callID: CallID) { input(.relay(.invitationTaken), for: callID) }

    /// The contact's device has the invitation of a call.
    public func invitationDelivered(_ callID: CallID) { input(.relay(.invitationDelivered), for: callID) }

    /// A contact has deleted this side, or its mailbox is gone: calls with it are over.
    public func contactGone(_ contact: ContactID) { act(switchboard.contactGone(contact, at: clock.now)) }

    /// The machine's network addresses are others than before; `hasLostAddress` says that one is gone.
    public func networkChanged(hasLostAddress: Bool) {
        for callID in switchboard.calls.keys { input(.networkChanged(hasLostAddress: hasLostAddress), for: callID) }
    }

    /// An agent gave up on a message that a call needs.
    public func sendingFailed(_ callID: CallID) { input(.relay(.sendingFailed), for: callID) }

    // MARK: Running

    private func input(_ input: CallInput, for callID: CallID) {
        act(switchboard.handle(input, for: callID, at: clock.now))
    }

    /// Does what the machine said; nothing here waits.
    private func act(_ actions: [CallAction]) {
        // First, so that it is known before any message leaves because of it.
        if switchboard.kept != kept {
            kept = switchboard.kept
            keeping?.keep(kept)
        }
        for action in actions { perform(action.effect, action.callID, action.contact) }
        let ended = switchboard.justEnded.map(\.update)
        for update in ended { hub.publish(update) }
        for machine in switchboard.calls.values { hub.publish(machine.update) }
    }

    private func perform(_ effect: CallEffect, _ callID: CallID, _ contact: ContactID) {
        switch effect {
        case .send(let message): outbox(of: contact).add(Outgoing(callID: callID, message: message))
        case .openMedia(let plan): openMedia(plan, callID)
        case .media(let step): lines[callID]?.add(step)
        case .closeMedia: closeMedia(callID)
        case .startTimer(let timer, let time): start(TimerKey(callID: callID, timer: timer), time)
        case .stopTimer(let timer): timers.removeValue(forKey: TimerKey(callID: callID, timer: timer))?.task.cancel()
        case .record(let entry): recorder.add(entry)
        case .finished(let reason): logger.info("Call ended: \(reason.rawValue)")
        }
    }

    // MARK: Messages

    private func outbox(of contact: ContactID) -> SerialLine<Outgoing> {
        if let line = outboxes[contact] { return line }
        let line = SerialLine<Outgoing> { [signaling, weak self] outgoing in
            do {
                try await signaling.send(outgoing.message, to: contact)
            } catch {
                await self?.failed(outgoing, error)
            }
        }
        outboxes[contact] = line
        return line
    }

    /// More candidates and the end can be missed; without the others there is no call.
    private func failed(_ outgoing: Outgoing, _ error: any Error) {
        logger.warning("Call message \(outgoing.message.event) not sent: \(error)")
        if outgoing.message.isNeeded { sendingFailed(outgoing.callID) }
    }

    // MARK: Media

    private func openMedia(_ plan: MediaPlan, _ callID: CallID) {
        lines[callID] = MediaLine(plan, for: callID, port: mediaPort) { [weak self] line, input in
            await self?.report(input, of: line, callID)
        }
    }

    /// What a line reports counts only while it is the call's own.
    private func report(_ media: MediaInput, of line: MediaLine, _ callID: CallID) {
        guard lines[callID] === line else { return }
        input(.media(media), for: callID)
    }

    private func closeMedia(_ callID: CallID) {
        guard let line = lines.removeValue(forKey: callID) else { return }
        closingCount += 1
        let number = closingCount
        let done = line.close()
        closing[number] = Task { [weak self] in
            await done.value
            await self?.closed(number)
        }
    }

    private func closed(_ number: Int) { closing[number] = nil }

    // MARK: Clocks

    private func start(_ key: TimerKey, _ time: Duration) {
        timers[key]?.task.cancel()
        timerCount += 1
        let number = timerCount
        let task = Task { [clock, weak self] in
            guard (try? await clock.sleep(for: time)) != nil else { return }
            await self?.ranOut(key, number)
        }
        timers[key] = RunningTimer(number: number, task: task)
    }

    private func ranOut(_ key: TimerKey, _ number: Int) {
        guard timers[key]?.number == number else { return }
        timers[key] = nil
        input(.clock(key.timer), for: key.callID)
    }
}
