import BaseKit
import Logging
import Signaling

/// The group call of one person, of which there is one at most: takes what comes from the person, the contacts, lines, media and clocks,
/// runs the pure ``GroupCallMachine``, and does what it says.
///
/// As in ``CallCenter`` every input is handled in one uninterrupted step of the actor; whatever takes time is started afterwards and
/// reports back as a new input. Nothing opens but by an effect of the machine, which has none before the person has accepted.
public actor GroupCallCenter {
    private struct Current {
        var machine: GroupCallMachine
        let direction: CallDirection
        let contact: ContactID?
        let startedAt: Int64
        let rang: Bool
        /// The call of two that is to go over into this one.
        var origin: GroupInvitation.Origin?
        var timers: [GroupTimer: (number: Int, task: Task<Void, Never>)] = [:]
        var ways: [GroupPeer: SerialLine<Job>] = [:]
        /// What is to be opened with the key that follows.
        var opening: CallMedia?
        var media: GroupMediaLine?
        var ownKey: GroupCallSnapshot.KeyMark?
        /// Why the room on a call server could not be made or entered last.
        var roomFailure: Cause?
        var keys: [MemberNumber: GroupCallSnapshot.KeyMark] = [:]
        var shown: GroupCallSnapshot?
        var kept: KeptGroupCall?
        var end: (entry: GroupCallLogEntry, told: GroupCallEnd)?
    }

    private typealias Job = @Sendable () async -> Void

    /// What happens, in order, for one reader.
    public nonisolated let news: AsyncStream<GroupCallNews>

    private let tell: AsyncStream<GroupCallNews>.Continuation
    private let signaling: any GroupSignalingPort
    private let mediaPort: any GroupMediaPort
    private let rooms: any GroupRoomPort
    private let clock: any CallClock
    private let logger = Logger(label: "im.parley.calling")
    private var current: Current?
    private var door = GroupDoor()
    private var budget = ContactBudget.groupMessages
    private var counts = RejectionCounts()
    private var timerCount = 0
    private var endings: [Int: Task<Void, Never>] = [:]
    private var endingCount = 0
    private var name = MemberName.unknown
    /// The last state of the last call.
    private var last: GroupCallSnapshot?

    /// A centre without a call.
    public init(
        signaling: any GroupSignalingPort, media: any GroupMediaPort, rooms: any GroupRoomPort = NoRooms(),
        clock: any CallClock = SystemCallClock()
    ) {
        (self.signaling, mediaPort, self.rooms, self.clock) = (signaling, media, rooms, clock)
        (news, tell) = AsyncStream.makeStream()
    }

    // MARK: Looking

    /// The call that rings or is on.
    public var callID: CallID? { current?.machine.callID }

    /// The call that rings or is on, as it is now.
    public var snapshot: GroupCallSnapshot? { current?.shown }

    /// What members and contacts sent and nothing was done about.
    public var rejections: RejectionCounts {
        var all = counts
        if let current { all.add(current.machine.rejections) }
        return all
    }

    // MARK: The person

    /// Says what the others call this person; nil: nothing that could be shown.
    public func setName(_ name: MemberName?) { self.name = name ?? .unknown }

    /// The most people in a call that begins here now: more with a call server.
    public nonisolated var capacity: Int { rooms.use == .never ? GroupTiming.meshCapacity : GroupRoster.maximumMembers }

    /// Calls contacts; there must be no other call but the one of two that the first contact is asked to go over from.
    /// - Throws: ``GroupCallRefusal``.
    public func call(
        _ contacts: [(contact: ContactID, name: MemberName)], media: CallMedia,
        origin: GroupInvitation.Origin? = nil
    ) throws(GroupCallRefusal) -> GroupCallSnapshot {
        guard current == nil, let first = contacts.first else { throw .notNow }
        let callID = CallID.random()
        let (machine, effects) = try GroupCallMachine.call(
            contacts, as: name, media: media, callID: callID, origin: origin, server: rooms.use, at: clock.now)
        begin(machine, .outgoing, with: first.contact, rang: false, origin)
        return try show(effects)
    }

    /// Comes back into a call that this side has lost or left; there must be no other call.
    /// - Throws: ``GroupCallRefusal``.
    public func comeBack(_ kept: KeptGroupCall) throws(GroupCallRefusal) -> GroupCallSnapshot {
        guard current == nil else { throw .notNow }
        let (machine, effects) = GroupCallMachine.comeBack(kept, server: rooms.use, at: clock.now)
        begin(machine, .outgoing, with: kept.contacts.min { $0.key < $1.key }?.value, rang: false)
        return try show(effects)
    }

    private func show(_ effects: [GroupCallEffect]) throws(GroupCallRefusal) -> GroupCallSnapshot {
        act(effects)
        guard let last else { throw .notNow }
        return last
    }

    /// Accepts the call that rings. Nothing happens if it does not.
    public func accept(_ callID: CallID, media: CallMedia) {
        guard current?.machine.stage == .ringingWithoutConsent, self.callID == callID else { return }
        if let contact = current?.contact { door.accepted(contact) }
        handle(.person(.accept(media)), of: callID)
    }

    /// Declines, leaves, puts a member out, or tells what is on.
    public func handle(_ wish: GroupPersonInput, of callID: CallID) {
        if case .accept(let media) = wish { return accept(callID, media: media) }
        handle(.person(wish), of: callID)
    }

    /// Invites somebody during the call.
    /// - Throws: ``GroupCallRefusal``.
    public func invite(_ contact: ContactID, as name: MemberName, to callID: CallID) throws(GroupCallRefusal) {
        guard var machine = current?.machine, machine.callID == callID else { throw .notNow }
        let effects = try machine.invite(contact, as: name, at: clock.now)
        current?.machine = machine
        act(effects)
    }

    // MARK: Contacts and lines

    /// Takes a message of a contact or by a line. `brokerTime` is the relay's time of it, in seconds since 1970.
    ///
    /// - Parameters:
    ///   - isLive: whether everything has been read that waited at the relay; an invitation does not ring before.
    ///   - hasCall: whether there is a call of two.
    ///   - isBusy: whether the person takes no calls.
    ///   - talk: the call of two that the person is in, where it is the only one: its contact may ask to go over from it.
    /// - Returns: whether its writer may know that it came in: only who is in a call with the person learns that.
    public func receive(
        _ message: GroupMessage, of callID: CallID, from peer: GroupPeer, brokerTime: Int64, isLive: Bool = true,
        hasCall: Bool = false, isBusy: Bool = false, talk: CallOfTwo? = nil
    ) -> Bool {
        guard budget.admits(peer.budgetKey, at: clock.now) else {
            reject(.tooOften, message)
            return false
        }
        if self.callID == callID {
            let before = rejections.total
            handle(.peer(message, from: peer), of: callID)
            if rejections.total != before { logger.notice("\(message.word) of a group call not acted on") }
            return current?.machine.stage.hasLocalConsent ?? false
        }
        guard case .contact(let contact) = peer else {
            reject(.unknownCall, message)
            return false
        }
        switch message {
        case .invitation(let invitation):
            let arrival = GroupDoor.Arrival(
                callID: callID, contact: contact, invitation: invitation, arrivedAt: clock.wallClock())
            let age = max(.zero, .seconds(clock.wallClock()) - .seconds(brokerTime))
            let occupation = occupation(hasCall, isBusy, talk)
            follow(door.receive(arrival, age: age, isLive: isLive, occupation, at: clock.now), arrival)
        case .over:
            guard let arrival = door.takeBack(callID, by: contact) else { return false }
            follow(.miss(.missed, tells: false), arrival)
        default: reject(.unknownCall, message)
        }
        return false
    }

    /// Everything has been read that waited at the relay for a contact.
    public func caughtUp(
        with contact: ContactID, hasCall: Bool = false, isBusy: Bool = false, talk: CallOfTwo? = nil
    ) {
        guard let (newest, others) = door.caughtUp(with: contact) else { return }
        // Who has come back into the call meanwhile has missed no invitation into it.
        for other in others where other.callID != callID { follow(.miss(.missed, tells: false), other) }
        guard newest.callID != callID else { return }
        follow(GroupDoor.verdict(newest, occupation(hasCall, isBusy, talk)), newest)
    }

    private func occupation(_ hasCall: Bool, _ isBusy: Bool, _ talk: CallOfTwo?) -> GroupDoor.Occupation {
        GroupDoor.Occupation(
            hasCall: hasCall || current != nil, isBusy: isBusy, talk: current == nil ? talk : nil)
    }

    private func follow(_ verdict: GroupDoor.Verdict, _ arrival: GroupDoor.Arrival) {
        switch verdict {
        case .ring: ring(arrival)
        case .ask: ring(arrival, arrival.invitation.origin)
        case .hold: break
        case .miss(let reason, let tells):
            if tells {
                let decline = GroupMessage.decline(GroupDecline(member: arrival.invitation.own, reason: .busy))
                let (signaling, logger) = (signaling, logger)
                end(
                    Task {
                        do {
                            try await signaling.send(
                                decline, of: arrival.callID, to: .contact(arrival.contact), number: 0)
                        } catch {
                            logger.warning("An inviter could not be told that the person is busy: \(error)")
                        }
                    })
            }
            tell.yield(
                .over(
                    GroupCallEnd(
                        callID: arrival.callID, contact: arrival.contact, direction: .incoming,
                        media: arrival.invitation.media,
                        members: arrival.invitation.members.map { member in
                            GroupCallLogEntry.Member(
                                name: member.name,
                                contact: member.number == arrival.invitation.inviter ? arrival.contact : nil)
                        },
                        startedAt: arrival.arrivedAt, duration: nil, reason: reason, cause: nil, rang: false)))
        case .reject(let reason): reject(reason, .invitation(arrival.invitation))
        }
    }

    private func ring(_ arrival: GroupDoor.Arrival, _ origin: GroupInvitation.Origin? = nil) {
        let (machine, effects) = GroupCallMachine.ring(
            arrival.contact, invitation: arrival.invitation, as: name, callID: arrival.callID, server: rooms.use,
            at: clock.now)
        begin(machine, .incoming, with: arrival.contact, rang: true, origin)
        act(effects)
    }

    /// The reader's relay has the message of this number.
    public func taken(_ number: Int, of callID: CallID) { handle(.taken(number), of: callID) }

    /// The message of this number was given up.
    public func lost(_ number: Int, of callID: CallID) { handle(.lost(number), of: callID) }

    /// The reader's device has the message of this number.
    public func received(_ number: Int, of callID: CallID) { handle(.receipt(number), of: callID) }

    /// What becomes of a line.
    public func line(_ member: MemberNumber, _ event: GroupLineInput, of callID: CallID) {
        handle(.line(member, event), of: callID)
    }

    private func reject(_ reason: MessageRejection, _ message: GroupMessage) {
        counts.count(reason)
        logger.notice("\(message.word) of a group call not acted on: \(reason.rawValue)")
    }

    // MARK: Ending

    /// Waits until what was said has been handed over, and media that are to be closed are.
    public func settle() async {
        for task in endings.values { await task.value }
        for way in current?.ways.values.map(\.self) ?? [] { await way.settle() }
    }

    /// Leaves the call, closes all media, hands over the last messages and finishes the news. A call that rings is left as it is.
    public func shutDown() async {
        if let current, current.machine.stage.hasLocalConsent { handle(.person(.hangUp), of: current.machine.callID) }
        for timer in current?.timers.values.map(\.self) ?? [] { timer.task.cancel() }
        current = nil
        for task in endings.values { await task.value }
        tell.finish()
    }

    // MARK: Running

    private func begin(
        _ machine: GroupCallMachine, _ direction: CallDirection, with contact: ContactID?, rang: Bool,
        _ origin: GroupInvitation.Origin? = nil
    ) {
        current = Current(
            machine: machine, direction: direction, contact: contact, startedAt: clock.wallClock(), rang: rang,
            origin: origin)
    }

    private func handle(_ input: GroupCallInput, of callID: CallID) {
        guard var machine = current?.machine, machine.callID == callID else { return }
        // One that is over takes nothing, and no copy of it is wanted.
        let effects = machine.handle(input, at: clock.now)
        current?.machine = machine
        act(effects)
    }

    /// Does what the machine said; nothing here waits.
    private func act(_ effects: [GroupCallEffect]) {
        for effect in effects { perform(effect) }
        guard let current else { return }
        let kept = current.machine.kept
        if let kept, kept != current.kept {
            self.current?.kept = kept
            tell.yield(.kept(kept))
        }
        show()
        if let end = current.end { finish(end.told, goesOn: end.entry.goesOn) }
    }

    private func show() {
        guard let current else { return }
        let snapshot = GroupCallSnapshot(
            callID: current.machine.callID, direction: current.direction, contact: current.contact,
            update: current.machine.update, ownKey: current.ownKey, keys: current.keys,
            contacts: current.machine.contacts, origin: current.origin, roomFailure: current.roomFailure)
        guard snapshot != current.shown else { return }
        self.current?.shown = snapshot
        last = snapshot
        tell.yield(.call(snapshot))
    }

    private func perform(_ effect: GroupCallEffect) {
        guard let callID else { return }
        let own = current?.machine.roster.own ?? .first
        switch effect {
        case .send(let message, let peer, let number): send(message, callID, peer, number)
        case .makeLine(let member):
            way(to: .line(member)).add { [signaling, weak self] in
                do {
                    let link = try await signaling.makeLine(to: member, of: callID, as: own)
                    await self?.line(member, .made(link), of: callID)
                } catch {
                    await self?.lineFailed(member, callID, error)
                }
            }
        case .joinLine(let member, let link):
            way(to: .line(member)).add { [signaling, weak self] in
                do {
                    try await signaling.joinLine(link, to: member, of: callID, as: own)
                } catch {
                    await self?.lineFailed(member, callID, error)
                }
            }
        case .closeLine(let member):
            way(to: .line(member)).add { [signaling] in await signaling.closeLine(to: member, of: callID) }
        case .openMedia(let media): current?.opening = media
        case .closeMedia: closeMedia()
        case .openPath(let member, let number, let role): current?.media?.open(member, path: number, role)
        case .answerPath(let member, _, let answer): current?.media?.apply(answer, from: member)
        case .addCandidates(let member, let number, let candidates):
            current?.media?.add(candidates, from: member, path: number)
        case .closePath(let member): current?.media?.closePath(to: member)
        case .makeRoom(let number): make(room: number, callID)
        case .enterRoom(let room): current?.media?.enter(room)
        case .renewToken(let room): renewToken(for: room, callID)
        case .useAccess(let room): current?.media?.useAccess(of: room)
        case .lockRoom(let room, let members): lock(room, staying: members, callID)
        case .leaveRoom(let room): leave(room)
        case .useKey(let key): use(key, callID, own)
        case .useMemberKey(let member, let key):
            current?.keys[member] = GroupCallSnapshot.KeyMark(key)
            current?.media?.give(key, of: member)
        case .dropKeys(let member):
            current?.keys[member] = nil
            current?.media?.dropKeys(of: member)
        case .startTimer(let timer, let time): start(timer, time, callID)
        case .stopTimer(let timer): current?.timers.removeValue(forKey: timer)?.task.cancel()
        case .tellNotInvited(let contact): tell.yield(.notInvited(contact))
        case .record(let entry): record(entry)
        case .finished(let reason):
            logger.info("Group call ended: \(reason.rawValue)")
        }
    }

    // MARK: Messages

    private func way(to peer: GroupPeer) -> SerialLine<Job> {
        if let way = current?.ways[peer] { return way }
        let way = SerialLine<Job> { await $0() }
        current?.ways[peer] = way
        return way
    }

    private func send(_ message: GroupMessage, _ callID: CallID, _ peer: GroupPeer, _ number: Int) {
        way(to: peer).add { [signaling, logger, weak self] in
            do {
                try await signaling.send(message, of: callID, to: peer, number: number)
            } catch {
                logger.warning("\(message.word) of a group call not sent: \(error)")
                await self?.lost(number, of: callID)
            }
        }
    }

    private func lineFailed(_ member: MemberNumber, _ callID: CallID, _ error: any Error) {
        logger.warning("No line to a member of a group call: \(error)")
        line(member, .failed, of: callID)
    }

    // MARK: Media

    private func use(_ key: GroupKey, _ callID: CallID, _ own: MemberNumber) {
        current?.ownKey = GroupCallSnapshot.KeyMark(key)
        guard let media = current?.opening else {
            current?.media?.use(key)
            return
        }
        current?.opening = nil
        let plan = GroupMediaPlan(callID: callID, own: own, media: media, key: key)
        current?.media = GroupMediaLine(plan, port: mediaPort) { [weak self] in await self?.report($0, of: callID) }
    }

    private func report(_ event: GroupMediaEvent, of callID: CallID) {
        guard self.callID == callID, current?.media != nil else { return }
        switch event {
        case .path(let member, let number, let input): handle(.path(member, number, input), of: callID)
        case .room(let number, let input):
            if case .inside = input { current?.roomFailure = nil }
            handle(.room(number, input), of: callID)
        case .roomFailed(let number, let cause):
            logger.warning("The room on the call server can't be entered: \(cause)")
            current?.roomFailure = cause
            handle(.room(number, .failed), of: callID)
        case .failed(let cause):
            logger.error("The media of a group call failed: \(cause)")
            handle(.person(.hangUp), of: callID)
        }
    }

    private func make(room number: Int, _ callID: CallID) {
        end(
            Task { [rooms, weak self] in
                do {
                    let room = try await rooms.make(number)
                    await self?.made(room, of: callID)
                } catch {
                    await self?.notMade(number, of: callID, error)
                }
            })
    }

    private func renewToken(for room: GroupRoom, _ callID: CallID) {
        end(
            Task { [rooms, weak self] in
                guard let token = await rooms.renewToken(for: room) else { return }
                await self?.report(.room(room.number, .renewed(token)), of: callID)
            })
    }

    private func lock(_ room: GroupRoom, staying members: Set<MemberNumber>, _ callID: CallID) {
        end(
            Task { [rooms, logger, weak self] in
                do {
                    let lock = try await rooms.lock(room, staying: members)
                    await self?.report(.room(room.number, .locked(pin: lock.pin, secret: lock.secret)), of: callID)
                } catch {
                    logger.warning("Who was put out of a call can't be put out of its room: \(error)")
                    await self?.report(.room(room.number, .notLocked), of: callID)
                }
            })
    }

    private func made(_ room: GroupRoom, of callID: CallID) {
        guard self.callID == callID else { return leave(room) }
        handle(.room(room.number, .made(room)), of: callID)
    }

    private func notMade(_ number: Int, of callID: CallID, _ error: any Error) {
        logger.warning("No room on the call server: \(error)")
        guard self.callID == callID else { return }
        current?.roomFailure = Cause(error)
        handle(.room(number, .failed), of: callID)
    }

    /// Media leave at once; what closes the room for all comes behind.
    private func leave(_ room: GroupRoom) {
        let left = current?.media?.leaveRoom()
        guard room.secret != nil else { return }
        end(
            Task { [rooms] in
                await left?.value
                await rooms.close(room)
            })
    }

    private func closeMedia() {
        guard let media = current?.media else { return }
        current?.media = nil
        end(media.close())
    }

    // MARK: The end

    private func record(_ entry: GroupCallLogEntry) {
        guard let current else { return }
        self.current?.end = (
            entry,
            GroupCallEnd(
                callID: entry.callID, contact: current.contact, direction: current.direction, media: entry.media,
                members: entry.members, startedAt: current.startedAt, duration: entry.duration,
                reason: entry.reason.logged, cause: entry.reason, rang: current.rang)
        )
    }

    private func finish(_ told: GroupCallEnd, goesOn: Bool) {
        guard let ended = current else { return }
        // Where others go on the person may come back. First: whoever hears of the end may ask.
        if !goesOn, ended.kept != nil { tell.yield(.gone(told.callID)) }
        tell.yield(.over(told))
        for timer in ended.timers.values { timer.task.cancel() }
        let ways = ended.ways.values.map(\.self)
        current = nil
        end(Task { for way in ways { await way.drain() } })
    }

    private func end(_ task: Task<Void, Never>) {
        endingCount += 1
        let number = endingCount
        endings[number] = Task { [weak self] in
            await task.value
            await self?.ended(number)
        }
    }

    private func ended(_ number: Int) { endings[number] = nil }

    // MARK: Clocks

    private func start(_ timer: GroupTimer, _ time: Duration, _ callID: CallID) {
        current?.timers[timer]?.task.cancel()
        timerCount += 1
        let number = timerCount
        let task = Task { [clock, weak self] in
            guard (try? await clock.sleep(for: time)) != nil else { return }
            await self?.ranOut(timer, number, callID)
        }
        current?.timers[timer] = (number, task)
    }

    private func ranOut(_ timer: GroupTimer, _ number: Int, _ callID: CallID) {
        guard current?.timers[timer]?.number == number else { return }
        current?.timers[timer] = nil
        handle(.clock(timer), of: callID)
    }
}

extension GroupPeer {
    /// By what its messages are counted.
    fileprivate var budgetKey: ContactID {
        switch self {
        case .contact(let contact): contact
        case .line(let member): ContactID(rawValue: "line \(member)")
        }
    }
}
