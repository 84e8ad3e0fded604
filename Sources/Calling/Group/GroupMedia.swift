import BaseKit
import Signaling

/// The devices of this side and the paths to the others: opened after consent only, and a new one offered where nothing is heard.
struct GroupMedia: Sendable {
    private(set) var wanted: CallMedia
    private(set) var paths: GroupPaths
    var handover: GroupHandover
    private(set) var isOpen = false
    /// How many paths each member may still have made here: every one costs a certificate, a pipeline and candidates.
    private var offers: [MemberNumber: Allowance] = [:]
    /// Who keeps to the times offers less often, also over a network that fails all the time.
    static let mostOffers = Allowance.Limit(burst: 30, interval: GroupTiming.path / 2)

    init(_ wanted: CallMedia, _ paths: GroupPaths, _ server: GroupServerUse) {
        self.wanted = wanted
        self.paths = paths
        handover = GroupHandover(use: server)
    }

    // MARK: By either way

    func isHeard(_ member: MemberNumber) -> Bool { paths.isHeard(member) || handover.isHeard(member) }
    func hasHeard(_ member: MemberNumber) -> Bool { paths.hasHeard(member) || handover.hasHeard(member) }
    var heard: Set<MemberNumber> { paths.heard.union(handover.heard) }

    /// Whether a path is the one to a member now.
    func isCurrent(_ number: Int, to member: MemberNumber) -> Bool { isOpen && paths.isCurrent(number, member) }

    /// The person takes less than is offered.
    mutating func limit(to wish: CallMedia) { wanted = wanted.limited(to: wish) }

    // MARK: Opening

    /// Devices are opened, and what they bring is sealed with a key.
    mutating func open(with key: GroupKey, in call: inout GroupContext) {
        guard !isOpen else { return }
        isOpen = true
        call.act(.openMedia(wanted))
        call.act(.useKey(key))
    }

    mutating func close(in call: inout GroupContext) {
        if isOpen { call.act(.closeMedia) }
        isOpen = false
    }

    /// Offers a path where this side is the one to do so and there is none.
    mutating func offerPath(to member: MemberNumber, in call: inout GroupContext) {
        guard isOpen, paths.offers(to: member), !paths.isOpen(member), !call.runs(.path(member)),
            handover.wantsPath(to: member, hadOne: paths.hasHeard(member), in: call),
            let number = paths.offer(member)
        else { return }
        call.act(.openPath(member, number: number, .offers))
        call.start(.path(member), GroupTiming.path)
    }

    mutating func closePath(to member: MemberNumber, in call: inout GroupContext) {
        if paths.close(member) { call.act(.closePath(member)) }
    }

    mutating func closePaths(in call: inout GroupContext) {
        for member in paths.open.sorted() { closePath(to: member, in: &call) }
    }

    /// A path was not heard in time.
    mutating func timeIsOver(_ member: MemberNumber, in call: inout GroupContext) {
        if !paths.isHeard(member) { closePath(to: member, in: &call) }
    }

    /// The member begins anew.
    mutating func startOver(_ member: MemberNumber) {
        paths.startOver(member)
        handover.startOver(member)
    }

    // MARK: Messages

    mutating func receive(offer: GroupDescription, from member: MemberNumber, in call: inout GroupContext) {
        guard !paths.offers(to: member) else { return call.reject(.wrongRole) }
        guard call.roster.isPresent(member), isOpen else { return call.reject(.outOfTurn) }
        guard paths.wouldAccept(offer.path, of: member) else { return call.reject(.late) }
        guard offers[member, default: Allowance(Self.mostOffers)].admits(at: call.now) else {
            return call.reject(.tooOften)
        }
        paths.accept(offer.path, of: member)
        call.act(.openPath(member, number: offer.path, .answers(offer)))
        // The path before it may have been heard; this one need not be.
        call.startUnlessRunning(.silence(member), GroupTiming.silence)
    }

    mutating func receive(answer: GroupDescription, from member: MemberNumber, in call: inout GroupContext) {
        guard paths.answered(answer.path, by: member) else { return call.reject(.late) }
        call.act(.answerPath(member, number: answer.path, answer))
    }

    func receive(extra: GroupCandidates, from member: MemberNumber, in call: inout GroupContext) {
        guard paths.isCurrent(extra.path, member) else { return call.reject(.late) }
        call.act(.addCandidates(member, number: extra.path, extra.candidates))
    }

    // MARK: What happens on a path

    mutating func handle(
        _ event: GroupPathInput, ofPath number: Int, to member: MemberNumber, in call: inout GroupContext
    ) {
        switch event {
        case .described(let description, let candidates):
            let half = GroupDescription(path: number, description: description, candidates: candidates)
            call.send(paths.offers(to: member) ? .offer(half) : .answer(half), to: member)
        case .candidates(let candidates):
            call.send(.extra(GroupCandidates(path: number, candidates: candidates)), to: member)
        case .heard:
            if paths.isHeard(number, member) { heard(member, in: &call) }
        case .silent:
            if paths.isSilent(number, member) { notHeard(member, in: &call) }
        case .failed:
            closePath(to: member, in: &call)
            notHeard(member, in: &call)
        case .wrongCertificate:
            if paths.distrust(member) { call.act(.closePath(member)) }
            notHeard(member, in: &call)
        case .unreadable: break
        }
    }

    private func heard(_ member: MemberNumber, in call: inout GroupContext) {
        if paths.isHeard(member) { call.stop(.path(member)) }
        call.stop(.silence(member))
        switch call.progress {
        case .joining: call.becomeOn(since: call.now)
        case .returning(let since): call.becomeOn(since: since)
        case .calling, .ringing, .on, .ended: break
        }
    }

    private func notHeard(_ member: MemberNumber, in call: inout GroupContext) {
        guard !isHeard(member) else { return }
        call.startUnlessRunning(.silence(member), GroupTiming.silence)
        if paths.offers(to: member) { call.start(.path(member), GroupTiming.path / 2) }
        let hasHeardAny = paths.hasHeardAny || handover.hasHeardAny
        if case .on(let since) = call.progress, hasHeardAny, heard.isEmpty, !call.roster.present.isEmpty {
            call.progress = .returning(since: since)
            call.start(.returning, GroupTiming.returning)
        }
    }

    // MARK: A room

    /// Something happened in the room of this number.
    mutating func handle(_ event: GroupRoomInput, inRoom number: Int, in call: inout GroupContext) {
        if case .made(let room) = event { return letGo(handover.made(room, in: &call), in: &call) }
        if case .failed = event, handover.standing == .making { return handover.refused(in: &call) }
        guard handover.room?.number == number else { return }
        switch event {
        case .locked(let pin, let secret): return handover.locked(pin: pin, secret: secret, in: &call)
        case .notLocked: return handover.notLocked()
        default: break
        }
        guard handover.isEntered else { return }
        switch event {
        case .made, .locked, .notLocked, .unreadable, .large: break
        case .renewed(let token): handover.renewed(token, in: &call)
        case .failed: letGo(handover.failed(in: &call), in: &call)
        case .inside: handover.inside(in: &call)
        case .lost: handover.lost(in: &call)
        case .heard(let member): if handover.hear(member) { heard(member, in: &call) }
        case .silent(let member): if handover.fallSilent(member) { notHeard(member, in: &call) }
        }
    }

    /// These are no longer heard by the room. Mutating, so that it sees what the room has become.
    private mutating func letGo(_ members: [MemberNumber], in call: inout GroupContext) {
        for member in members { notHeard(member, in: &call) }
    }

    /// A clock of going over ran out.
    mutating func roomRanOut(_ timer: GroupTimer, in call: inout GroupContext) {
        switch timer {
        case .room: letGo(handover.timeIsOver(in: &call), in: &call)
        case .roomLost: letGo(handover.failed(in: &call), in: &call)
        case .retreat: letGo(handover.retreatIsOver(in: &call), in: &call)
        case .token: handover.renewToken(in: &call)
        case .calm: handover.calmDown(in: &call)
        case .overlap(let member):
            if call.roster.list.route == .room, handover.isHeard(member) { closePath(to: member, in: &call) }
        default: break
        }
    }

    /// Goes over, or back, with all who are in.
    mutating func followRoute(in call: inout GroupContext) {
        guard isOpen else { return }
        handover.lead(in: &call)
        letGo(handover.follow(in: &call), in: &call)
        let present = call.roster.present
        for member in present {
            handover.tell(member, in: &call)
            handover.overlap(with: member, hasPath: paths.isOpen(member), in: &call)
        }
        handover.tellHeir(in: &call)
        handover.retreat(hasAllDirectly: present.allSatisfy(paths.isHeard), in: &call)
    }
}
