import BaseKit
import Cryptography
import Signaling

/// One call of several, from beginning or ringing to its end.
///
/// A value without I/O: an input goes in together with the time, effects come out. What belongs together keeps its own state: who is in
/// (``Roster``), the own key (``KeySchedule``), lines, paths, messages that wait for a receipt. Here is what connects them: each
/// input changes one of them, and ``settle(at:)`` then does for every member what these say is to be done.
public struct GroupCallMachine: Sendable {
    private enum State: Sendable {
        case calling
        case ringing(inviter: MemberNumber)
        /// With the inviter who is yet to be told; nil once it is.
        case joining(through: MemberNumber?)
        case on(since: Instant)
        case returning(since: Instant)
        case ended(GroupCallEndReason)
    }

    /// The call.
    public let callID: CallID
    /// What was not acted on.
    public private(set) var rejections = RejectionCounts()
    /// Who is in.
    public private(set) var roster: Roster

    private var state: State
    private var media: CallMedia
    private(set) var keys: KeySchedule
    private(set) var lines = GroupLines()
    private(set) var paths: GroupPaths
    private var outbox = GroupOutbox()
    private var clocks = GroupClocks()
    private var invitations = GroupInvitations()
    private var others = GroupOthers()
    private var shown: (state: GroupState, number: Int) = (GroupState(), 0)
    /// The question for coming back, until the list shows this member again.
    private var homecoming: (nonce: RejoinNonce, count: Int)?
    private var returns = 0
    private var isMediaOpen = false
    /// The members who were in at some time.
    private var everIn: Set<MemberNumber> = []
    private let capacity: Int
    private let random: @Sendable (Int) -> SecretBytes
    private var effects: [GroupCallEffect] = []

    // MARK: Beginning

    /// The local person calls contacts.
    ///
    /// - Throws: ``GroupCallRefusal`` when there are too many.
    public static func call(
        _ contacts: [(contact: ContactID, name: MemberName)], as name: MemberName, media: CallMedia, callID: CallID,
        at now: Instant, random: @escaping @Sendable (Int) -> SecretBytes = SecretBytes.random
    ) throws(GroupCallRefusal) -> (GroupCallMachine, [GroupCallEffect]) {
        try call(
            contacts, as: name, media: media, callID: callID, capacity: GroupTiming.meshCapacity, at: now,
            random: random)
    }

    /// The same for more members than reach each other directly.
    static func call(
        _ contacts: [(contact: ContactID, name: MemberName)], as name: MemberName, media: CallMedia, callID: CallID,
        capacity: Int, at now: Instant, random: @escaping @Sendable (Int) -> SecretBytes
    ) throws(GroupCallRefusal) -> (GroupCallMachine, [GroupCallEffect]) {
        var machine = GroupCallMachine(
            callID, Roster(founder: name), .calling, media, capacity: capacity, random: random)
        for (contact, name) in contacts { try machine.add(contact, name) }
        machine.settle(at: now)
        return (machine, machine.effects)
    }

    /// A contact invites. It rings for 60 seconds.
    ///
    /// - Parameter name: the own name.
    public static func ring(
        _ contact: ContactID, invitation: GroupInvitation, as name: MemberName, callID: CallID, at now: Instant,
        random: @escaping @Sendable (Int) -> SecretBytes = SecretBytes.random
    ) -> (GroupCallMachine, [GroupCallEffect]) {
        ring(
            contact, invitation: invitation, as: name, callID: callID, capacity: GroupTiming.meshCapacity, at: now,
            random: random)
    }

    static func ring(
        _ contact: ContactID, invitation: GroupInvitation, as name: MemberName, callID: CallID, capacity: Int,
        at now: Instant, random: @escaping @Sendable (Int) -> SecretBytes
    ) -> (GroupCallMachine, [GroupCallEffect]) {
        var machine = GroupCallMachine(
            callID, Roster(invitation, name: name), .ringing(inviter: invitation.inviter), invitation.media,
            capacity: capacity, random: random)
        machine.lines.know(invitation.inviter, as: contact)
        let effects = machine.clocks.start(.ringing, GroupTiming.ringing)
        return (machine, effects)
    }

    /// The person comes back into a call that this side has lost, by what was kept of it.
    public static func comeBack(
        _ kept: KeptGroupCall, at now: Instant, random: @escaping @Sendable (Int) -> SecretBytes = SecretBytes.random
    ) -> (GroupCallMachine, [GroupCallEffect]) {
        comeBack(kept, capacity: GroupTiming.meshCapacity, at: now, random: random)
    }

    static func comeBack(
        _ kept: KeptGroupCall, capacity: Int, at now: Instant, random: @escaping @Sendable (Int) -> SecretBytes
    ) -> (GroupCallMachine, [GroupCallEffect]) {
        // Above all paths of an earlier life but by chance: their messages may still be under way.
        let first = Int(random(1).bytes[0]) << 7 | Int(random(1).bytes[0]) >> 1
        var machine = GroupCallMachine(
            kept.callID, Roster(kept.roster, own: kept.own), .joining(through: nil), kept.media, capacity: capacity,
            random: random, firstPath: first, firstEpoch: random(1).bytes[0])
        for (member, contact) in kept.contacts { machine.lines.know(member, as: contact) }
        for member in kept.lines { machine.lines.restore(member) }
        machine.openMedia()
        machine.effects += machine.clocks.start(.joining, GroupTiming.joining)
        // Who was invited before may still answer.
        for guest in machine.roster.invited where guest.inviter == kept.own {
            guard machine.invitations.isFirst(guest.number) else { continue }
            machine.effects += machine.clocks.start(.invitation(guest.number), GroupTiming.ringing)
        }
        machine.askToComeBack(at: now)
        machine.settle(at: now)
        return (machine, machine.effects)
    }

    private init(
        _ callID: CallID, _ roster: Roster, _ state: State, _ media: CallMedia, capacity: Int,
        random: @escaping @Sendable (Int) -> SecretBytes, firstPath: Int = -1, firstEpoch: UInt8 = 0
    ) {
        self.callID = callID
        self.roster = roster
        self.state = state
        self.media = media
        self.capacity = capacity
        self.random = random
        keys = KeySchedule(call: callID, epoch: firstEpoch, secret: random(GroupKey.count))
        paths = GroupPaths(own: roster.own, first: firstPath)
    }

    // MARK: What others see

    /// Where the call stands.
    public var stage: GroupCallStage {
        switch state {
        case .calling: .callingWithOwnConsent
        case .ringing: .ringingWithoutConsent
        case .joining: .acceptedJoining
        case .on: .acceptedOn
        case .returning: .acceptedReturning
        case .ended: .ended
        }
    }

    private var isOver: Bool { stage == .ended }
    private var own: MemberNumber { roster.own }

    /// Whether any clock runs.
    var isWaiting: Bool { !clocks.isEmpty }

    /// The members whose keys are in use.
    var membersWithKeys: Set<MemberNumber> { others.known.filter { others[$0].isKeyInUse } }

    /// What outlives the process; nil where the person is not in the call.
    public var kept: KeptGroupCall? {
        guard stage.hasLocalConsent else { return nil }
        return KeptGroupCall(
            callID: callID, media: media, roster: roster.list, own: own, contacts: lines.contactsByMember,
            lines: lines.upLines)
    }

    /// The call as others see it.
    public var update: GroupCallUpdate {
        let members = roster.list.members.filter { $0.number != own }.map { member in
            GroupCallUpdate.Member(
                number: member.number, name: member.name, stage: memberStage(member),
                isHost: member.number == roster.list.host,
                isContact: lines.contactsByMember[member.number] != nil,
                isUntrusted: paths.untrusted.contains(member.number), state: others[member.number].state)
        }
        var reason: GroupCallEndReason?
        if case .ended(let ended) = state { reason = ended }
        return GroupCallUpdate(
            stage: stage, members: members, own: own, isHost: roster.isHost, media: media, reason: reason)
    }

    private func memberStage(_ member: GroupMember) -> GroupCallUpdate.MemberStage {
        switch member.standing {
        case .inviting: .inviting
        case .isIn where !roster.isPresent(member.number): .left
        case .isIn where paths.isHeard(member.number): .connected
        case .isIn: paths.hasHeard(member.number) ? .reconnecting : .connecting
        case .left: .left
        case .removed: .removed
        case .declined: .declined
        case .busy: .busy
        case .noAnswer: .noAnswer
        }
    }

    // MARK: Inputs

    /// Takes one input at a moment of the call clock.
    public mutating func handle(_ input: GroupCallInput, at now: Instant) -> [GroupCallEffect] {
        effects = []
        guard !isOver else {
            if case .peer = input { rejections.count(.late) }
            return []
        }
        switch input {
        case .person(let wish): handle(wish, at: now)
        case .peer(let message, let peer): receive(message, from: peer, at: now)
        case .line(let member, let event): handle(event, ofLineTo: member, at: now)
        case .receipt(let number): confirmed(number)
        case .path(let member, let number, let event): handle(event, ofPath: number, to: member, at: now)
        case .clock(let timer): if clocks.ranOut(timer) { ranOut(timer, at: now) }
        }
        settle(at: now)
        return effects
    }

    /// Invites somebody during the call.
    ///
    /// - Throws: ``GroupCallRefusal``.
    public mutating func invite(
        _ contact: ContactID, as name: MemberName, at now: Instant
    ) throws(GroupCallRefusal) -> [GroupCallEffect] {
        effects = []
        switch state {
        case .on, .calling: break
        case .ringing, .joining, .returning, .ended: throw .notNow
        }
        let inCall = lines.contactsByMember.filter { $0.value == contact }.keys
        guard !inCall.contains(where: { roster.standing(of: $0)?.isPresent == true }),
            !invitations.asks(for: contact)
        else { throw .notNow }
        if roster.isHost {
            try add(contact, name)
        } else {
            guard roster.list.members.count(where: { $0.standing.isPresent }) < capacity else { throw refusal }
            guard lines.way(to: roster.list.host) != nil else { throw .notNow }
            invitations.ask(contact, name)
            send(.ask(name), to: roster.list.host)
            effects += clocks.start(.ask, GroupTiming.ask)
        }
        settle(at: now)
        return effects
    }

    private var refusal: GroupCallRefusal { capacity < GroupRoster.maximumMembers ? .needsServer : .full }

    private mutating func add(_ contact: ContactID, _ name: MemberName) throws(GroupCallRefusal) {
        guard let number = roster.invite(name, by: own, capacity: capacity) else { throw refusal }
        lines.know(number, as: contact)
    }

    // MARK: The local person

    private mutating func handle(_ wish: GroupPersonInput, at now: Instant) {
        switch wish {
        case .accept(let wanted): accept(wanted)
        case .decline: decline(at: now)
        case .hangUp: hangUp(at: now)
        case .remove(let member): remove(member)
        case .show(let state): shown = (state, shown.number + 1)
        }
    }

    /// The local person accepts the call that rings. Only here does an incoming call get consent.
    private mutating func accept(_ wanted: CallMedia) {
        guard case .ringing(let inviter) = state else { return }
        media = media.limited(to: wanted)
        state = .joining(through: inviter)
        effects += clocks.stop(.ringing) + clocks.start(.joining, GroupTiming.joining)
        openMedia()
    }

    private mutating func decline(at now: Instant) {
        guard case .ringing(let inviter) = state else { return }
        send(.decline(GroupDecline(member: own, reason: .declined)), to: inviter)
        end(.declined, at: now)
    }

    private mutating func hangUp(at now: Instant) {
        switch state {
        case .ringing: decline(at: now)
        case .calling: end(.cancelled, at: now)
        case .joining, .on, .returning: end(.hungUp, at: now)
        case .ended: break
        }
    }

    private mutating func remove(_ member: MemberNumber) {
        guard stage.hasLocalConsent, roster.isHost, member != own else { return }
        let wasInvited = roster.standing(of: member) == .inviting
        guard roster.isPresent(member) || wasInvited else { return }
        roster.set(.removed, of: member)
        send(wasInvited ? .over : .remove(member), to: member)
        effects += clocks.stop(.invitation(member))
    }

    // MARK: Messages

    private mutating func receive(_ message: GroupMessage, from peer: GroupPeer, at now: Instant) {
        // What comes by a line shows that it is up, whatever this side missed of its making.
        if stage.hasLocalConsent, case .line(let member) = peer, lines.speaks(member) {
            effects += clocks.stop(.line(member))
        }
        guard let member = member(at: peer) else { return rejections.count(.wrongContact) }
        if case .ringing(let inviter) = state {
            guard member == inviter else { return rejections.count(.wrongContact) }
            switch message {
            case .over: end(.missed, at: now)
            case .invitation: rejections.count(.duplicate)
            default: rejections.count(.outOfTurn)
            }
            return
        }
        if roster.standing(of: member) == .removed { return refuse(message, from: member) }
        switch message {
        case .invitation: rejections.count(.duplicate)
        case .join(let join): receive(join, from: member, at: now)
        case .decline(let decline): receive(decline, from: member, at: now)
        case .line(let line): receive(line, from: member, at: now)
        case .roster(let list): receive(list, from: member)
        case .key(let key): take(key, of: member)
        case .offer(let offer): receive(offer: offer, from: member)
        case .answer(let answer):
            guard paths.answered(answer.path, by: member) else { return rejections.count(.late) }
            effects.append(.answerPath(member, number: answer.path, answer))
        case .extra(let extra):
            guard paths.isCurrent(extra.path, member) else { return rejections.count(.late) }
            effects.append(.addCandidates(member, number: extra.path, extra.candidates))
        case .wantKey:
            guard roster.isPresent(member), keys.holders.contains(member) else { return rejections.count(.outOfTurn) }
            give(keys.newest, to: member, at: now)
        case .hello(let number): if number != member { rejections.count(.wrongRole) }
        case .ask(let name):
            guard roster.isHost, roster.isPresent(member) else { return rejections.count(.wrongRole) }
            if roster.invite(name, by: member, capacity: capacity) == nil { rejections.count(.tooMany) }
        case .remove(let number):
            guard member == roster.list.host, number == own else { return rejections.count(.wrongRole) }
            end(.removed, at: now)
        case .leave, .over: left(member, isOver: message == .over, at: now)
        case .rejoin(let rejoin): letBack(rejoin, from: peer, at: now)
        case .rejoined(let rejoined): receive(rejoined)
        case .room: rejections.count(.outOfTurn)
        case .state(let state): others[member].state = state
        }
    }

    /// Who speaks there. A contact that was called again has several numbers, of which it uses one.
    private func member(at peer: GroupPeer) -> MemberNumber? {
        func rank(_ member: MemberNumber) -> Int {
            switch roster.standing(of: member) {
            case .isIn: 3
            case .inviting: 2
            case .left, .removed: 1
            case .declined, .busy, .noAnswer, nil: 0
            }
        }
        return lines.members(peer).max { (rank($0), $0) < (rank($1), $1) }
    }

    /// A member that was put out is told so again, and nothing else comes of what it says.
    private mutating func refuse(_ message: GroupMessage, from member: MemberNumber) {
        rejections.count(.late)
        if roster.isHost, message != .leave, message != .over { send(.remove(member), to: member) }
    }

    /// Somebody whom this member has invited joins, or one whom another has, by whom the host is told.
    private mutating func receive(_ join: GroupJoin, from member: MemberNumber, at now: Instant) {
        let isOwnGuest = join.member == member && roster[member]?.inviter == own
        guard isOwnGuest || (roster.isHost && roster[join.member]?.inviter == member) else {
            return rejections.count(.wrongRole)
        }
        guard roster.standing(of: join.member) == .inviting else {
            return rejections.count(roster.standing(of: join.member) == .isIn ? .duplicate : .late)
        }
        if roster.isHost {
            roster.set(.isIn, of: join.member)
        } else {
            put(
                .join(GroupJoin(member: join.member, media: join.media)), .join(join.member), to: roster.list.host,
                at: now)
        }
        guard isOwnGuest else { return }
        effects += clocks.stop(.invitation(member))
        for link in join.links where link.member != own && link.member != member {
            handOn(GroupLine(maker: member, user: link.member, link: link.link, tags: join.tags), at: now)
        }
    }

    private mutating func receive(_ decline: GroupDecline, from member: MemberNumber, at now: Instant) {
        let guest = roster[decline.member]
        guard decline.member == member || (roster.isHost && guest?.inviter == member),
            guest?.inviter == (decline.member == member ? own : member)
        else { return rejections.count(.wrongRole) }
        guard guest?.standing == .inviting else { return rejections.count(.late) }
        dismiss(decline.member, decline.reason, at: now)
    }

    /// Somebody who was invited does not come.
    private mutating func dismiss(
        _ guest: MemberNumber, _ reason: GroupDecline.Reason, at now: Instant
    ) {
        effects += clocks.stop(.invitation(guest))
        guard roster.isHost else {
            return put(
                .decline(GroupDecline(member: guest, reason: reason)), .decline(guest), to: roster.list.host, at: now)
        }
        switch reason {
        case .declined: roster.set(.declined, of: guest)
        case .busy: roster.set(.busy, of: guest)
        case .noAnswer: roster.set(.noAnswer, of: guest)
        }
    }

    private mutating func receive(_ line: GroupLine, from member: MemberNumber, at now: Instant) {
        if line.user == own {
            guard own < line.maker else { return rejections.count(.wrongRole) }
            guard lines.join(line.maker) else {
                // Its maker may not know that there is a line.
                if case .line = lines.way(to: line.maker) { send(.hello(own), to: line.maker) }
                return rejections.count(.duplicate)
            }
            effects.append(.joinLine(line.maker, line.link))
        } else if line.maker == member {
            handOn(line, at: now)
        } else {
            rejections.count(.wrongRole)
        }
    }

    private mutating func handOn(_ line: GroupLine, at now: Instant) {
        guard roster.isPresent(line.user), lines.way(to: line.user) != nil else { return rejections.count(.outOfTurn) }
        put(.line(line), .line(maker: line.maker, user: line.user), to: line.user, at: now)
    }

    private mutating func receive(_ list: GroupRoster, from member: MemberNumber) {
        guard list.host == member else { return rejections.count(.wrongRole) }
        switch roster.standing(of: member) {
        // Who is not in the list may have come since, and who left may have gone on alone.
        case .isIn, .left, nil: if !roster.merge(list) { rejections.count(.late) }
        case .inviting, .removed, .declined, .busy, .noAnswer: rejections.count(.wrongRole)
        }
    }

    private mutating func take(_ key: GroupKey, of member: MemberNumber) {
        others[member].key = key
        others[member].isKeyInUse = false
    }

    private mutating func receive(offer: GroupDescription, from member: MemberNumber) {
        guard roster.isPresent(member), isMediaOpen, !paths.offers(to: member) else {
            return rejections.count(paths.offers(to: member) ? .wrongRole : .outOfTurn)
        }
        guard paths.take(offer.path, of: member) else { return rejections.count(.late) }
        effects.append(.openPath(member, number: offer.path, .answers(offer)))
    }

    private mutating func left(_ member: MemberNumber, isOver: Bool, at now: Instant) {
        // Who is over for others sees nobody: from somebody who knows no better it is no word about this call.
        guard !isOver || roster.present == [member] else { return rejections.count(.late) }
        roster.depart(member)
        if roster.isHost { roster.set(.left, of: member) }
        guard roster.present.isEmpty else { return }
        if case .joining = state { return end(.over, at: now) }
        if isOver { end(.over, at: now) }
    }

    // MARK: Coming back

    /// Tells the others that this member is there again, with nothing of what it had.
    private mutating func askToComeBack(at now: Instant) {
        guard let nonce = RejoinNonce(bytes: random(RejoinNonce.count).bytes) else { return }
        homecoming = (nonce, 0)
        for member in others.known.sorted() { effects.append(.dropKeys(member)) }
        for member in roster.list.members.map(\.number) + lines.upLines.sorted() where member != own {
            others.forget(member)
        }
        for member in paths.open.sorted() { closePath(member) }
        for member in Set(roster.list.members.map(\.number)).union(lines.upLines).sorted() where member != own {
            paths.startOver(member)
            outbox.forget(member)
            put(.rejoin(GroupRejoin(member: own, nonce: nonce)), .rejoin, to: member, at: now)
        }
        keys.restart(random(GroupKey.count))
        effects.append(.useKey(keys.current))
        effects += clocks.start(.rejoin, GroupTiming.rejoin)
    }

    private mutating func letBack(_ rejoin: GroupRejoin, from peer: GroupPeer, at now: Instant) {
        let member = rejoin.member
        guard lines.members(peer).contains(member) else { return rejections.count(.wrongRole) }
        switch roster.standing(of: member) {
        case .isIn, .left: break
        case .inviting, .removed, .declined, .busy, .noAnswer, nil: return rejections.count(.outOfTurn)
        }
        let answer = GroupMessage.rejoined(GroupRejoined(nonce: rejoin.nonce, roster: roster.list))
        // The same question again: the answer may have been lost.
        guard others[member].nonce != rejoin.nonce else { return send(answer, to: member) }
        keys.forget(member)
        others.forget(member)
        others[member].nonce = rejoin.nonce
        outbox.forget(member)
        if paths.open.contains(member) { closePath(member) }
        paths.startOver(member)
        effects += clocks.stop(.path(member)) + clocks.stop(.silence(member))
        if roster.isHost { roster.set(.isIn, of: member) } else { roster.comeBack(member) }
        send(.rejoined(GroupRejoined(nonce: rejoin.nonce, roster: roster.list)), to: member)
        // It need not be called any more.
        for guest in roster.invited where lines.members(peer).contains(guest.number) {
            dismiss(guest.number, .noAnswer, at: now)
        }
    }

    private mutating func receive(_ rejoined: GroupRejoined) {
        guard let question = homecoming, question.nonce == rejoined.nonce else { return rejections.count(.late) }
        homecoming?.count += 1
        effects += clocks.stop(.rejoin)
        if question.count == 0 || rejoined.roster.standing(of: own) == .isIn { _ = roster.merge(rejoined.roster) }
    }

    // MARK: Lines and paths

    private mutating func handle(_ event: GroupLineInput, ofLineTo member: MemberNumber, at now: Instant) {
        switch event {
        case .made(let link):
            guard lines.made(link, for: member) else {
                if lines.way(to: member) == nil { effects.append(.closeLine(member)) }
                return
            }
            if case .joining(through: .some) = state { return }
            offer(link, to: member, at: now)
        case .up:
            guard lines.isUp(member) else { return }
            effects += clocks.stop(.line(member))
        case .failed:
            lines.failed(member)
            others[member].isGreeted = false
            others[member].listSent = nil
        }
    }

    /// A link goes to the member by somebody who has a way to it, another one each time.
    private mutating func offer(_ link: GroupLink, to member: MemberNumber, at now: Instant) {
        effects += clocks.start(.line(member), GroupTiming.line)
        let near = [roster[member]?.inviter, roster[own]?.inviter, roster.list.host].compactMap { $0 }
        var seen: Set<MemberNumber> = [own, member]
        let introducers = (near + roster.present).filter {
            seen.insert($0).inserted && roster.isPresent($0) && lines.way(to: $0) != nil
        }
        guard !introducers.isEmpty else { return }
        let introducer = introducers[max(0, lines.attempts(member) - 1) % introducers.count]
        put(
            .line(GroupLine(maker: own, user: member, link: link)), .line(maker: own, user: member), to: introducer,
            at: now)
    }

    private mutating func handle(
        _ event: GroupPathInput, ofPath number: Int, to member: MemberNumber, at now: Instant
    ) {
        guard isMediaOpen, paths.isCurrent(number, member) else { return }
        switch event {
        case .described(let description, let candidates):
            let half = GroupDescription(path: number, description: description, candidates: candidates)
            send(paths.offers(to: member) ? .offer(half) : .answer(half), to: member)
        case .candidates(let candidates):
            send(.extra(GroupCandidates(path: number, candidates: candidates)), to: member)
        case .heard: heard(number, member, at: now)
        case .silent:
            guard paths.isSilent(number, member) else { return }
            notHeard(member)
        case .failed:
            closePath(member)
            notHeard(member)
        case .wrongCertificate:
            if paths.distrust(member) { effects.append(.closePath(member)) }
            notHeard(member)
        case .unreadable: if others[member].isKeyInUse { send(.wantKey, to: member) }
        }
    }

    private mutating func heard(_ number: Int, _ member: MemberNumber, at now: Instant) {
        guard paths.isHeard(number, member) else { return }
        others.hear(member)
        effects += clocks.stop(.path(member)) + clocks.stop(.silence(member))
        switch state {
        case .joining: become(on: now)
        case .returning(let since): become(on: since)
        case .calling, .ringing, .on, .ended: break
        }
    }

    private mutating func become(on since: Instant) {
        state = .on(since: since)
        effects += clocks.stop(.joining) + clocks.stop(.returning)
    }

    private mutating func notHeard(_ member: MemberNumber) {
        effects += clocks.startUnlessRunning(.silence(member), GroupTiming.silence)
        if paths.offers(to: member) { effects += clocks.start(.path(member), GroupTiming.path / 2) }
        if case .on(let since) = state, paths.hasHeardAny, paths.heard.isEmpty, !roster.present.isEmpty {
            state = .returning(since: since)
            effects += clocks.start(.returning, GroupTiming.returning)
        }
    }

    private mutating func openPath(_ member: MemberNumber) {
        guard let number = paths.offer(member) else { return }
        effects.append(.openPath(member, number: number, .offers))
        effects += clocks.start(.path(member), GroupTiming.path)
    }

    private mutating func closePath(_ member: MemberNumber) {
        if paths.close(member) { effects.append(.closePath(member)) }
    }

    private mutating func openMedia() {
        guard !isMediaOpen else { return }
        isMediaOpen = true
        effects += [.openMedia(media), .useKey(keys.current)]
    }

    // MARK: Clocks

    private mutating func ranOut(_ timer: GroupTimer, at now: Instant) {
        switch timer {
        case .ringing: end(.missed, at: now)
        case .invitation(let guest):
            send(.over, to: guest)
            dismiss(guest, .noAnswer, at: now)
        case .joining: end(.connectTimeout, at: now)
        case .rejoin: end(.connectionLost, at: now)
        case .alone: end(.alone, at: now)
        case .returning: end(.connectionLost, at: now)
        case .silence(let member):
            if others.known.contains(member) { others.lose(member) }
        case .rotation: if keys.timeIsOver() { effects.append(.useKey(keys.current)) }
        case .again: again(at: now)
        case .line(let member): _ = lines.timeIsOver(member)
        case .path(let member): if !paths.isHeard(member) { closePath(member) }
        case .ask: invitations.stopAsking()
        }
    }

    private mutating func again(at now: Instant) {
        for member in outbox.receivers where !roster.isPresent(member) { outbox.forget(member) }
        for (member, message, number) in outbox.due(at: now) {
            if let way = lines.way(to: member) { effects.append(.send(message, to: way, number: number)) }
        }
        for member in roster.present where others[member].key == nil && lines.way(to: member) != nil {
            others[member].waits += 1
            if others[member].waits > 1 { send(.wantKey, to: member) }
        }
    }

    // MARK: What is to be done

    /// Brings everything to what list, lines and paths say. Whatever happened, this is what follows from it.
    private mutating func settle(at now: Instant) {
        guard stage.hasLocalConsent else { return }
        checkOwnStanding(at: now)
        guard stage.hasLocalConsent else { return }
        giveUpLost(at: now)
        guard stage.hasLocalConsent else { return }
        succeed()
        dismissGone(at: now)
        join(at: now)
        for member in roster.present { attend(to: member, at: now) }
        sendInvitations(at: now)
        watch(at: now)
    }

    private mutating func checkOwnStanding(at now: Instant) {
        switch roster.standing(of: own) {
        case .isIn:
            guard homecoming != nil, homecoming?.count != 0 else { return }
            homecoming = nil
        case .removed: end(.removed, at: now)
        case .inviting, .left, .declined, .busy, .noAnswer, nil:
            guard homecoming == nil else { return }
            guard returns < GroupTiming.mostReturns, !lines.upLines.isEmpty || !lines.contactsByMember.isEmpty else {
                return end(.connectionLost, at: now)
            }
            returns += 1
            askToComeBack(at: now)
        }
    }

    /// Whom nobody has heard for long is out, as the host sees it. Who hears nobody doesn't know who is gone.
    private mutating func giveUpLost(at now: Instant) {
        if roster.present.isEmpty, case .returning(let since) = state { become(on: since) }
        guard case .on = state else { return }
        if roster.isHost {
            letGo(others.lost)
        } else if !roster.present.isEmpty, others.lost.isSuperset(of: roster.present) {
            end(.connectionLost, at: now)
        }
    }

    /// The host goes on without somebody, who is told by the list: cut off, it may have gone on with others, and of two
    /// lists only one counts.
    private mutating func letGo(_ members: Set<MemberNumber>) {
        for member in members { roster.set(.left, of: member) }
        for member in members.sorted() { send(.roster(roster.list), to: member) }
    }

    /// The host has gone: who has the lowest number of the others takes its place. Who hears nobody does not.
    private mutating func succeed() {
        if !roster.isHost {
            let host = roster.list.host
            guard stage != .acceptedReturning, homecoming == nil else { return }
            if case .joining = state { return }
            guard !roster.isPresent(host) || others.lost.contains(host),
                roster.successor(without: others.lost) == own
            else { return }
            let lost = others.lost
            roster.succeed()
            letGo(lost)
        }
        // Whom nobody of the call waits for any more does not come.
        for guest in roster.invited {
            guard roster.isHost, let inviter = guest.inviter else { continue }
            let isAwaited =
                inviter == own
                ? clocks.runs(.invitation(guest.number)) || !invitations.wasSent(guest.number)
                : roster.isPresent(inviter)
            if !isAwaited { roster.set(.noAnswer, of: guest.number) }
        }
    }

    private mutating func dismissGone(at now: Instant) {
        for member in others.known.sorted() where !roster.isPresent(member) {
            others.forget(member)
            outbox.forget(member)
            closePath(member)
            effects += clocks.stop(.silence(member)) + clocks.stop(.path(member)) + clocks.stop(.line(member))
            effects.append(.dropKeys(member))
            if lines.abandon(member) { effects.append(.closeLine(member)) }
            guard let (key, receivers) = keys.exclude(member, fresh: { random(GroupKey.count) }) else { continue }
            give(key, to: receivers, at: now)
            if receivers.isEmpty, keys.timeIsOver() { effects.append(.useKey(keys.current)) }
            guard keys.isChanging else { continue }
            let isRemoved = roster.standing(of: member) == .removed
            effects += clocks.startUnlessRunning(
                .rotation, isRemoved ? GroupTiming.rotationAfterRemoval : GroupTiming.rotation)
        }
    }

    /// Tells the inviter, once there is a link for each member who is to get one.
    private mutating func join(at now: Instant) {
        guard case .joining(through: .some(let inviter)) = state else { return }
        for member in roster.present where own > member && lines.lacksLine(member) { makeLine(member) }
        guard !lines.isMakingAny else { return }
        let links = roster.present.compactMap { member in
            lines.link(for: member).map { LinkForMember(member: member, link: $0) }
        }
        state = .joining(through: nil)
        put(.join(GroupJoin(member: own, media: media, links: links)), .join(own), to: inviter, at: now)
        for link in links { effects += clocks.start(.line(link.member), GroupTiming.line) }
    }

    private mutating func makeLine(_ member: MemberNumber) {
        lines.make(member)
        effects.append(.makeLine(member))
    }

    /// Does for a member who is in what is still to be done.
    private mutating func attend(to member: MemberNumber, at now: Instant) {
        if others.notice(member) {
            everIn.insert(member)
            effects += clocks.startUnlessRunning(.silence(member), GroupTiming.silence)
            if case .calling = state {
                become(on: now)
                openMedia()
            }
        }
        if case .joining(through: .some) = state { return }
        if own > member, lines.lacksLine(member) { makeLine(member) }
        if let key = others[member].key, !others[member].isKeyInUse {
            others[member].isKeyInUse = true
            effects.append(.useMemberKey(member, key))
        }
        guard let way = lines.way(to: member) else { return }
        if !others[member].isGreeted {
            others[member].isGreeted = true
            if case .line = way { send(.hello(own), to: member) }
        }
        if roster.isHost, others[member].listSent != roster.list.number {
            others[member].listSent = roster.list.number
            put(.roster(roster.list), .roster, to: member, at: now)
        }
        if !keys.holders.contains(member) {
            let before = keys.current
            let (key, receivers) = keys.admit(member) { random(GroupKey.count) }
            give(key, to: receivers, at: now)
            if keys.current != before { effects.append(.useKey(keys.current)) }
            if keys.isChanging { effects += clocks.startUnlessRunning(.rotation, GroupTiming.rotation) }
        }
        if others[member].stateSent != shown.number {
            others[member].stateSent = shown.number
            send(.state(shown.state), to: member)
        }
        if isMediaOpen, paths.offers(to: member), !paths.isOpen(member), !clocks.runs(.path(member)) {
            openPath(member)
        }
    }

    private mutating func sendInvitations(at now: Instant) {
        for member in roster.list.members where member.standing != .inviting {
            effects += clocks.stop(.invitation(member.number))
        }
        for guest in roster.invited where guest.inviter == own && invitations.isFirst(guest.number) {
            if lines.contactsByMember[guest.number] == nil {
                guard let contact = invitations.take(guest.name) else {
                    dismiss(guest.number, .noAnswer, at: now)
                    continue
                }
                lines.know(guest.number, as: contact)
                if !invitations.isAsking { effects += clocks.stop(.ask) }
            }
            let members = roster.list.members.filter { $0.standing == .isIn }
            let invitation = GroupInvitation(
                own: guest.number, inviter: own, host: roster.list.host, media: media,
                members: members.map { .init(number: $0.number, name: $0.name) }, route: roster.list.route)
            send(.invitation(invitation), to: guest.number)
            effects += clocks.start(.invitation(guest.number), GroupTiming.ringing)
        }
    }

    private mutating func watch(at now: Instant) {
        let isAlone = roster.present.isEmpty && roster.invited.isEmpty
        switch state {
        case .calling: if isAlone { end(.nobodyJoined, at: now) }
        case .on, .returning:
            if isAlone {
                effects += clocks.stop(.returning) + clocks.startUnlessRunning(.alone, GroupTiming.alone)
            } else {
                effects += clocks.stop(.alone)
            }
        case .ringing, .joining, .ended: break
        }
        guard !isOver else { return }
        let lacksKey = roster.present.contains { others[$0].key == nil && lines.way(to: $0) != nil }
        if lacksKey || !outbox.isEmpty { effects += clocks.startUnlessRunning(.again, GroupTiming.again) }
    }

    // MARK: Sending

    private mutating func send(_ message: GroupMessage, to member: MemberNumber) {
        guard let way = lines.way(to: member) else { return }
        effects.append(.send(message, to: way, number: outbox.number()))
    }

    /// Sends a message until it is confirmed.
    private mutating func put(
        _ message: GroupMessage, _ subject: GroupOutbox.Subject, to member: MemberNumber, at now: Instant
    ) {
        let number = outbox.put(message, subject, to: member, at: now)
        if let way = lines.way(to: member) { effects.append(.send(message, to: way, number: number)) }
    }

    private mutating func give(_ key: GroupKey, to members: Set<MemberNumber>, at now: Instant) {
        for member in members.sorted() { give(key, to: member, at: now) }
    }

    private mutating func give(_ key: GroupKey, to member: MemberNumber, at now: Instant) {
        put(.key(key), .key, to: member, at: now)
    }

    private mutating func confirmed(_ number: Int) {
        guard let (member, message) = outbox.confirmed(number), case .key(let key) = message else { return }
        if keys.confirmed(member, epoch: key.epoch) {
            effects += clocks.stop(.rotation) + [.useKey(keys.current)]
        }
    }

    // MARK: Ending

    private mutating func end(_ reason: GroupCallEndReason, at now: Instant) {
        let (present, hadConsent) = (roster.present, stage.hasLocalConsent)
        var duration: Duration?
        switch state {
        case .on(let since), .returning(let since): duration = now - since
        case .calling, .ringing, .joining, .ended: break
        }
        if isMediaOpen { effects.append(.closeMedia) }
        isMediaOpen = false
        let goesOn = hadConsent && !present.isEmpty && reason != .removed && reason != .over
        if hadConsent {
            for guest in roster.invited where guest.inviter == own { send(.over, to: guest.number) }
            let receivers = present.isEmpty ? everIn.sorted() : present
            for member in receivers where reason != .removed { send(present.isEmpty ? .over : .leave, to: member) }
        }
        if !goesOn { effects += lines.all.sorted().map { .closeLine($0) } }
        effects += clocks.stopAll()
        keys.wipe()
        outbox = GroupOutbox()
        state = .ended(reason)
        let members = everIn.sorted().compactMap { roster[$0]?.name }
        effects.append(
            .record(
                GroupCallLogEntry(
                    callID: callID, members: members, media: media, duration: duration, reason: reason,
                    goesOn: goesOn)))
        effects.append(.finished(reason))
    }
}

extension GroupRoster {
    fileprivate func standing(of member: MemberNumber) -> MemberStanding? {
        members.first { $0.number == member }?.standing
    }
}
