import BaseKit
import Cryptography
import Signaling

/// This side among the other members: what comes from them goes to the part that it is about, and ``settle()`` does for every member
/// what list, lines and paths say is still to be done.
struct GroupCompany: Sendable {
    var call: GroupContext
    var guests = GroupGuests()
    var media: GroupMedia
    var news = GroupNews()
    private(set) var keys: GroupKeys
    private var links = GroupLinks()
    private var homecoming = GroupReturn()
    private var attendance = GroupAttendance()

    /// - Parameters:
    ///   - firstPath: the number before the first path.
    ///   - firstEpoch: that of the own key.
    init(
        _ call: GroupContext, _ media: CallMedia, _ server: GroupServerUse, firstPath: Int = -1, firstEpoch: UInt8 = 0
    ) {
        self.call = call
        self.media = GroupMedia(media, GroupPaths(own: call.own, first: firstPath), server)
        keys = GroupKeys(KeySchedule(call: call.callID, epoch: firstEpoch, secret: call.random(GroupKey.count)))
    }

    /// Opens devices, once.
    mutating func openMedia() { media.open(with: keys.schedule.current, in: &call) }

    // MARK: Messages

    mutating func receive(_ message: GroupMessage, from peer: GroupPeer) {
        if call.hasConsent, case .line(let member) = peer { links.speaks(member, in: &call) }
        guard let member = member(at: peer) else { return call.reject(.wrongContact) }
        if case .ringing(let inviter) = call.progress {
            guard member == inviter else { return call.reject(.wrongContact) }
            switch message {
            case .over: end(.missed)
            case .invitation: call.reject(.duplicate)
            default: call.reject(.outOfTurn)
            }
            return
        }
        if call.roster.standing(of: member) == .removed { return refuse(message, from: member) }
        if message.isOfMember { correct(member, at: peer) }
        switch message {
        case .invitation: call.reject(.duplicate)
        case .join(let join):
            if guests.receive(join, from: member, in: &call) { links.handOn(join, from: member, in: &call) }
        case .decline(let decline): guests.receive(decline, from: member, in: &call)
        case .line(let line): links.receive(line, from: member, in: &call)
        case .roster(let list): receive(list, from: member)
        case .key(let key):
            // By another way comes what is for a former number of this member, at any time.
            guard call.lines.way(to: member) == peer else { return call.reject(.late) }
            keys.set(key, of: member)
        case .offer(let offer): media.receive(offer: offer, from: member, in: &call)
        case .answer(let answer): media.receive(answer: answer, from: member, in: &call)
        case .extra(let extra): media.receive(extra: extra, from: member, in: &call)
        case .wantKey: keys.giveAgain(to: member, in: &call)
        case .hello(let hello): if hello.member != member { call.reject(.wrongRole) }
        case .ask(let name): guests.receive(ask: name, from: member, in: &call)
        case .remove(let number):
            guard member == call.roster.list.host, number == call.own else { return call.reject(.wrongRole) }
            end(.removed)
        case .leave: left(member, isOver: false)
        case .over(.invitation): takenBack(by: member)
        case .over: left(member, isOver: true)
        case .rejoin(let rejoin): letBack(rejoin, from: peer)
        case .rejoined(let answer):
            guard homecoming.receive(answer, in: &call) else { return }
            // What was told meanwhile may have come there before the question, which had all of it forgotten.
            tellAgain(member)
            if let room = answer.room { media.handover.inherit(room, from: member, in: call) }
        case .room(let room): media.handover.receive(room, from: member, in: &call)
        case .heir(let room): media.handover.receive(heritage: room, from: member, in: &call)
        case .state(let state): news.set(state, of: member)
        }
    }

    /// Who speaks there. A contact that was called again has several numbers, of which it uses one.
    private func member(at peer: GroupPeer) -> MemberNumber? {
        func rank(_ member: MemberNumber) -> Int {
            switch call.roster.standing(of: member) {
            case .isIn: 3
            case .inviting: 2
            // Who was only called was never put out of the call, and may come back by an earlier number.
            case .removed where guests.takenBack.contains(member): 0
            case .left, .removed: 1
            case .declined, .busy, .noAnswer, nil: 0
            }
        }
        return call.lines.members(peer).max { (rank($0), $0) < (rank($1), $1) }
    }

    /// A member that was put out is told so again, and nothing else comes of what it says.
    private mutating func refuse(_ message: GroupMessage, from member: MemberNumber) {
        call.reject(.late)
        switch message {
        case .leave, .over: break
        default: if call.roster.isHost { call.send(.remove(member), to: member) }
        }
    }

    /// Who speaks as a member and is not in the list, because it has gone on with others or its joining was not heard of here, is sent
    /// the list: if that counts, it comes back by it.
    private mutating func correct(_ member: MemberNumber, at peer: GroupPeer) {
        guard call.roster.isHost else { return }
        switch call.roster.standing(of: member) {
        case .left: call.send(.roster(call.roster.list), to: member)
        // Only who has joined has a line: whoever handed on its link vouches for it.
        case .noAnswer, nil: if peer == .line(member) { call.send(.roster(call.roster.list), to: member) }
        case .isIn, .inviting, .removed, .declined, .busy: break
        }
    }

    private mutating func receive(_ list: GroupRoster, from member: MemberNumber) {
        guard list.host == member else { return call.reject(.wrongRole) }
        switch call.roster.standing(of: member) {
        // Who is not in the list may have come since, and who left may have gone on alone.
        case .isIn, .left, nil:
            guard !call.roster.merge(list) else { return }
            call.reject(.late)
            // Of two hosts only one stays: the other comes back by the list that counts.
            if call.roster.isHost { call.send(.roster(call.roster.list), to: member) }
        case .inviting, .removed, .declined, .busy, .noAnswer: call.reject(.wrongRole)
        }
    }

    /// The invitation that was accepted here is taken back, before its inviter knew of that. Who has a list is in, or was: to them it
    /// says nothing.
    private mutating func takenBack(by member: MemberNumber) {
        guard case .joining = call.progress, call.roster.list.number == 0, call.roster[call.own]?.inviter == member
        else { return call.reject(.late) }
        end(.over)
    }

    private mutating func left(_ member: MemberNumber, isOver: Bool) {
        // Who is over for others sees nobody: from somebody who knows no better it is no word about this call.
        guard !isOver || call.roster.present == [member] else { return call.reject(.late) }
        call.roster.depart(member)
        if call.roster.isHost { call.roster.set(.left, of: member) }
        guard call.roster.present.isEmpty else { return }
        if case .joining = call.progress { return end(.over) }
        if isOver { end(.over) }
    }

    // MARK: Coming back

    /// Tells the others that this member is there again, with nothing of what it had.
    mutating func askToComeBack() {
        guard let nonce = homecoming.begin(in: call) else { return }
        let readers = homecoming.readers(in: call).sorted()
        for member in attendance.known.sorted() { call.act(.dropKeys(member)) }
        for member in readers { forget(member) }
        media.closePaths(in: &call)
        media.handover.deafen()
        for member in readers {
            media.startOver(member)
            call.forgetMessages(to: member)
            call.put(.rejoin(GroupRejoin(member: call.own, nonce: nonce)), .rejoin, to: member)
        }
        keys.restart(in: &call)
        call.start(.rejoin, GroupTiming.rejoin)
    }

    /// Another member is there again, with nothing of what it had.
    private mutating func letBack(_ rejoin: GroupRejoin, from peer: GroupPeer) {
        guard homecoming.receive(rejoin, from: peer, to: media.handover.told(toReturning: rejoin.member), in: &call)
        else { return }
        let member = rejoin.member
        keys.takeBack(member)
        forget(member)
        call.forgetMessages(to: member)
        media.closePath(to: member, in: &call)
        media.startOver(member)
        call.stop(.path(member))
        call.stop(.silence(member))
        homecoming.letBack(rejoin, to: media.handover.told(toReturning: rejoin.member), in: &call)
        // It need not be called any more.
        for guest in call.roster.invited where call.lines.members(peer).contains(guest.number) {
            guests.dismiss(guest.number, .noAnswer, in: &call)
        }
    }

    /// A member has gone, or begins anew.
    private mutating func forget(_ member: MemberNumber) {
        keys.forget(member)
        news.forget(member)
        homecoming.forget(member)
        attendance.forget(member)
    }

    // MARK: Lines, paths, receipts, clocks

    mutating func handle(_ event: GroupLineInput, ofLineTo member: MemberNumber) {
        links.handle(event, ofLineTo: member, in: &call)
        switch event {
        case .failed: tellAgain(member)
        case .recognised: guests.forgo(member, in: &call)
        case .renewed: news.greetAgain(member)
        case .made, .up: break
        }
    }

    /// What a member was told it may not know any more.
    private mutating func tellAgain(_ member: MemberNumber) {
        news.tellAgain(member)
        media.handover.tellAgain(member)
    }

    mutating func handle(_ event: GroupPathInput, ofPath number: Int, to member: MemberNumber) {
        guard media.isCurrent(number, to: member) else { return }
        media.handle(event, ofPath: number, to: member, in: &call)
        switch event {
        case .heard: attendance.hear(member)
        case .unreadable: keys.failed(member, in: &call)
        case .described, .candidates, .silent, .failed, .wrongCertificate: break
        }
    }

    mutating func handle(_ event: GroupRoomInput, ofRoom number: Int) {
        media.handle(event, inRoom: number, in: &call)
        switch event {
        case .heard(let member): if media.handover.isHeard(member) { attendance.hear(member) }
        case .unreadable(let member): keys.failed(member, in: &call)
        case .large(let wishes): if media.handover.room?.number == number { news.want(large: wishes) }
        case .made, .renewed, .locked, .notLocked, .failed, .inside, .lost, .silent: break
        }
    }

    mutating func confirmed(_ number: Int) {
        guests.received(number, in: &call)
        guard let (member, message) = call.confirmed(number), case .key(let key) = message else { return }
        keys.confirmed(key, by: member, in: &call)
    }

    mutating func ranOut(_ timer: GroupTimer) {
        switch timer {
        case .ringing: end(.missed)
        case .invitation(let guest):
            call.send(.over(.invitation), to: guest)
            guests.timeIsOver(for: guest, in: &call)
        case .relay(let guest): guests.relayIsLate(for: guest)
        case .joining: end(.connectTimeout)
        case .rejoin: if !homecoming.timeIsOver() { end(.connectionLost) }
        case .alone: end(.alone)
        case .returning: end(.connectionLost)
        case .silence(let member): if !media.isHeard(member) { attendance.lose(member) }
        case .rotation: keys.timeIsOver(in: &call)
        case .again:
            call.sendAgain()
            keys.askAgain(in: &call)
        case .line(let member): _ = call.lines.timeIsOver(member)
        case .path(let member): media.timeIsOver(member, in: &call)
        case .ask: guests.stopAsking(in: &call)
        case .room, .roomLost, .token, .calm, .retreat, .overlap: media.roomRanOut(timer, in: &call)
        }
    }

    // MARK: What is to be done

    /// Brings everything to what list, lines and paths say. Whatever happened, this is what follows from it.
    mutating func settle() {
        guard call.hasConsent else { return }
        for member in attendance.takeReplaced(in: call) {
            dismiss(member)
            media.handover.startOver(member)
            guests.forget(member)
            links.forget(member, in: &call)
        }
        checkOwnStanding()
        guard call.hasConsent else { return }
        giveUpLost()
        guard call.hasConsent else { return }
        if call.roster.isHost || !homecoming.isAsking && attendance.succeed(in: &call) {
            guests.dismissUnawaited(in: &call)
        }
        for member in attendance.known.sorted() where !call.roster.isPresent(member) { dismiss(member) }
        links.join(media.wanted, in: &call)
        media.handover.announce(in: &call)
        for member in call.roster.present { attend(to: member) }
        if call.progress.untoldInviter == nil { media.followRoute(in: &call) }
        widen()
        guests.sendInvitations(media.wanted, in: &call)
        watch()
    }

    /// With a call server more may be in.
    mutating func widen() { call.widen(to: media.handover.capacity(base: call.baseCapacity, in: call)) }

    private mutating func checkOwnStanding() {
        if call.roster.standing(of: call.own) == .removed { return end(.removed) }
        switch homecoming.check(in: &call) {
        case .nothing: break
        case .ask: askToComeBack()
        case .giveUp: end(.connectionLost)
        }
    }

    /// Whom nobody has heard for long is out, as the host sees it. Who hears nobody doesn't know who is gone.
    private mutating func giveUpLost() {
        if call.roster.present.isEmpty, case .returning(let since) = call.progress { call.becomeOn(since: since) }
        guard case .on = call.progress else { return }
        if call.roster.isHost {
            attendance.letGo(in: &call)
        } else if attendance.isLost(in: call) {
            end(.connectionLost)
        }
    }

    /// A member has gone: nothing of it is left, and the others are given another key.
    private mutating func dismiss(_ member: MemberNumber) {
        let wasLost = attendance.isLost(member)
        forget(member)
        call.forgetMessages(to: member)
        tellGone(member, wasLost: wasLost)
        media.closePath(to: member, in: &call)
        call.stop(.silence(member))
        call.stop(.path(member))
        call.stop(.line(member))
        call.stop(.overlap(member))
        media.handover.forget(member)
        call.act(.dropKeys(member))
        links.abandon(member, in: &call)
        keys.exclude(member, in: &call)
    }

    /// The host tells whom it put out. Whom it has not heard may have gone on with others, and of two lists only one counts: the list tells
    /// it.
    private mutating func tellGone(_ member: MemberNumber, wasLost: Bool) {
        guard call.roster.isHost else { return }
        if call.roster.standing(of: member) == .removed {
            call.put(.remove(member), .farewell, to: member)
        } else if wasLost {
            call.put(.roster(call.roster.list), .farewell, to: member)
        }
    }

    /// Does for a member who is in what is still to be done.
    private mutating func attend(to member: MemberNumber) {
        if attendance.notice(member, in: &call), case .calling = call.progress {
            call.becomeOn(since: call.now)
            openMedia()
        }
        guard call.progress.untoldInviter == nil else { return }
        links.make(for: member, in: &call)
        keys.use(member, in: &call)
        guard call.lines.way(to: member) != nil else { return }
        news.greet(member, in: &call)
        news.tellList(member, in: &call)
        keys.admit(member, in: &call)
        news.tellState(member, in: &call)
        media.offerPath(to: member, in: &call)
    }

    private mutating func watch() {
        let isAlone = call.roster.present.isEmpty && call.roster.invited.isEmpty
        switch call.progress {
        case .calling: if isAlone { return end(guests.hasReachedNobody ? .nobodyReached : .nobodyJoined) }
        case .on, .returning:
            if isAlone {
                call.stop(.returning)
                call.startUnlessRunning(.alone, GroupTiming.alone)
            } else {
                call.stop(.alone)
            }
        case .ringing, .joining, .ended: break
        }
        if keys.lacksAny(in: call) || call.awaitsReceipts { call.startUnlessRunning(.again, GroupTiming.again) }
    }

    // MARK: Ending

    /// The call is over here.
    mutating func end(_ reason: GroupCallEndReason) {
        let (present, hadConsent, duration) = (
            call.roster.present, call.hasConsent, call.progress.duration(at: call.now)
        )
        media.handover.end(leaving: hadConsent && reason != .removed ? present : [], in: &call)
        media.close(in: &call)
        let goesOn = hadConsent && !present.isEmpty && reason != .removed && reason != .over
        if hadConsent {
            // Who has answered needs no word about the invitation, whether the list says so by now or not.
            for guest in call.roster.invited where guest.inviter == call.own && call.runs(.invitation(guest.number)) {
                call.send(.over(.invitation), to: guest.number)
            }
            // Also to who has left: with the last one there is nothing to come back into for anybody.
            let listed = call.roster.list.members.filter { $0.standing == .isIn || $0.standing == .left }.map(\.number)
            let receivers = attendance.everIn.union(listed).filter {
                $0 != call.own && call.roster.standing(of: $0) != .removed
            }
            for member in receivers.sorted() where reason != .removed {
                call.send(present.isEmpty ? .over(.call) : .leave, to: member)
            }
        }
        call.goesOn = goesOn
        if !goesOn { for member in call.lines.all.sorted() { call.act(.closeLine(member)) } }
        call.stopAll()
        keys.wipe()
        call.progress = .ended(reason)
        // Of a call that nobody came to, those who were to be in it.
        let all = call.roster.list.members.map(\.number).filter { $0 != call.own }
        let members = (attendance.everIn.isEmpty ? all : attendance.everIn.sorted()).compactMap { number in
            call.roster[number].map {
                GroupCallLogEntry.Member(name: $0.name, contact: call.lines.knownContacts[number])
            }
        }
        call.act(
            .record(
                GroupCallLogEntry(
                    callID: call.callID, members: members, media: media.wanted, duration: duration, reason: reason,
                    goesOn: goesOn)))
        call.act(.finished(reason))
    }
}

extension GroupMessage {
    /// Whether only a member says it that takes itself to be in.
    fileprivate var isOfMember: Bool {
        switch self {
        case .line, .key, .offer, .answer, .extra, .wantKey, .hello, .ask, .room, .heir, .state: true
        case .invitation, .join, .roster, .decline, .remove, .leave, .over, .rejoin, .rejoined: false
        }
    }
}
