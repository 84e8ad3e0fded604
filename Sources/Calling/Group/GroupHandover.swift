import BaseKit
import Cryptography
import Signaling

/// When calls of several that this person is the host of go over a call server.
public enum GroupServerUse: Sendable, Hashable, CaseIterable {
    /// Never: there is none.
    case never
    /// From the fifth person on.
    case whenNeeded
    /// From the beginning.
    case always
}

/// Going over between ways from member to member and a room on a call server, both ways, with a time in which both carry.
///
/// The host makes rooms, each with a higher number than the one before, and says in the list whether the call goes over one. Who else
/// is in enters the newest that it was told of.
struct GroupHandover: Sendable {
    /// How far this side is with the newest room.
    enum Standing: Sendable, Hashable {
        case none
        /// The host waits for a new one.
        case making
        /// Own media are on their way there.
        case entering
        /// The server takes own media.
        case inside
        /// It was inside, and the server is not heard.
        case lost
    }

    /// Another member can't have us enter rooms more often.
    static let mostRooms = Allowance.Limit(burst: 8, interval: .seconds(5))

    /// When own calls go over a server.
    let use: GroupServerUse
    private(set) var standing = Standing.none
    /// The room that this side is or was in last.
    private(set) var room: GroupRoom?
    /// The newest room of each who told of one as the host: of two hosts only one stays.
    private var known: [MemberNumber: GroupRoom] = [:]
    /// Who is heard by the room.
    private(set) var heard: Set<MemberNumber> = []
    private var everHeard: Set<MemberNumber> = []
    /// The highest number of a room that was known or asked for.
    private(set) var highest = 0
    /// The number of the room that each member was told of.
    private var told: [MemberNumber: Int] = [:]
    private var keeping = RoomKeeping()
    private var allowance = Allowance(GroupHandover.mostRooms)
    /// How often in a row it did not come about.
    private var failures = 0

    init(use: GroupServerUse) { self.use = use }

    /// In an earlier life of the process there were rooms up to this number.
    mutating func goOn(after number: Int) { highest = max(highest, number) }

    /// Whether this side is in a room, or on its way there.
    var isEntered: Bool {
        switch standing {
        case .entering, .inside, .lost: true
        case .none, .making: false
        }
    }

    /// What a member that comes back is told: a keeper that has lost how the room is closed also that, by whom it had told it.
    func told(toReturning member: MemberNumber) -> GroupRoom? {
        guard isEntered, var shared = room?.shared else { return nil }
        shared.secret = keeping.secret(of: shared, toldBy: member)
        return shared
    }

    func isHeard(_ member: MemberNumber) -> Bool { heard.contains(member) }
    func hasHeard(_ member: MemberNumber) -> Bool { everHeard.contains(member) }
    var hasHeardAny: Bool { !everHeard.isEmpty }

    /// The most that may be in. Who is not the host knows by the list whether the host can make a room.
    func capacity(base: Int, in call: GroupContext) -> Int {
        let list = call.roster.list
        let canGoOver = call.roster.isHost ? use != .never || isEntered : list.route == .room || list.hasServer
        return canGoOver ? GroupRoster.maximumMembers : base
    }

    // MARK: The host

    /// Whether as many are in, or called, as need a room; where it is on for others already it stays for a while.
    private func isWanted(in call: GroupContext) -> Bool {
        switch use {
        case .never: isEntered && isCrowded(call)
        case .whenNeeded: isCrowded(call)
        case .always: true
        }
    }

    private func isCrowded(_ call: GroupContext) -> Bool {
        call.roster.list.members.count { $0.standing.isPresent } > GroupTiming.meshCapacity
    }

    /// The host says whether it has a call server, and that the call will need a room, or none any more.
    func announce(in call: inout GroupContext) {
        guard call.roster.isHost else { return }
        call.roster.setServer(use != .never)
        if use != .never, isCrowded(call) {
            call.roster.setRoute(.room)
        } else if standing == .none, !isWanted(in: call) {
            call.roster.setRoute(.mesh)
        }
    }

    /// What the host does about rooms.
    mutating func lead(in call: inout GroupContext) {
        guard call.roster.isHost else { return stopMaking(in: &call) }
        // Who comes back may not be the host any more.
        if case .joining = call.progress { return }
        let isWanted = isWanted(in: call)
        switch standing {
        case .none where isWanted && !call.runs(.room): make(in: &call)
        case .entering, .inside, .lost:
            if isWanted {
                call.stop(.calm)
                call.roster.setRoute(.room)
            } else if call.roster.list.route == .room {
                call.startUnlessRunning(.calm, GroupTiming.calm)
            }
        case .none, .making: break
        }
    }

    private mutating func make(in call: inout GroupContext) {
        guard use != .never, highest < GroupRoster.highestNumber else { return }
        highest += 1
        standing = .making
        call.act(.makeRoom(number: highest))
        call.start(.room, GroupTiming.room)
    }

    /// Who is not the host any more waits for no room of its own.
    private mutating func stopMaking(in call: inout GroupContext) {
        guard standing == .making else { return }
        standing = .none
        call.stop(.room)
    }

    /// The host tells a member of the room.
    mutating func tell(_ member: MemberNumber, in call: inout GroupContext) {
        guard call.roster.isHost, call.roster.list.route == .room, isEntered, let shared = room?.shared,
            told[member] != shared.number
        else { return }
        told[member] = shared.number
        call.put(.room(shared), .room, to: member)
    }

    /// The keeper tells whoever would follow it as the host how the room is closed, as it may go without a word.
    mutating func tellHeir(in call: inout GroupContext) {
        guard call.roster.list.route == .room, isEntered, let room else { return }
        keeping.tellHeir(of: room, in: &call)
    }

    /// The keeper says how the room is closed. Nothing comes of it while the keeper is there.
    mutating func receive(heritage room: GroupRoom, from member: MemberNumber, in call: inout GroupContext) {
        guard member == call.roster.list.host, room.secret != nil else { return call.reject(.wrongRole) }
        keeping.inherit(room, from: member)
    }

    /// The host that follows one that went without a word takes its place as the keeper, when the room is to be left.
    private mutating func inherit(in call: GroupContext) {
        let secret = secret
        if call.roster.isHost || call.roster.present.isEmpty { room?.secret = secret }
    }

    /// The member has gone, and no key opens what comes of it. Its room may still be that of the call: of two lists only one counts, and it
    /// need not know that it was gone here.
    mutating func forget(_ member: MemberNumber) {
        told[member] = nil
        heard.remove(member)
        everHeard.remove(member)
    }

    /// What a member was told it may not know any more.
    mutating func tellAgain(_ member: MemberNumber) {
        told[member] = nil
        keeping.tellAgain(member)
    }

    /// The member begins anew, with rooms of its own.
    mutating func startOver(_ member: MemberNumber) {
        tellAgain(member)
        known[member] = nil
    }

    /// No key opens anything any more.
    mutating func deafen() { heard = [] }

    /// So few have been in for a while that they reach each other directly.
    mutating func calmDown(in call: inout GroupContext) {
        if call.roster.isHost, !isWanted(in: call) { call.roster.setRoute(.mesh) }
    }

    // MARK: Messages

    /// The host has made a room, or knows of one; or a keeper that leaves hands it over. That somebody is the host may be known only later.
    mutating func receive(_ room: GroupRoom, from member: MemberNumber, in call: inout GroupContext) {
        switch call.roster.standing(of: member) {
        // As with lists: who left may have gone on alone, and its list may come to count.
        case .isIn, .left, nil: break
        case .inviting, .removed, .declined, .busy, .noAnswer: return call.reject(.wrongRole)
        }
        if let secret = room.secret, self.room?.isSame(as: room) == true { self.room?.secret = secret }
        if let former = known[member] {
            guard !former.isSame(as: room) else { return receive(renewed: room, from: member, in: &call) }
            guard room.number > former.number else { return call.reject(.late) }
        }
        guard allowance.admits(at: call.now) else { return call.reject(.tooOften) }
        known[member] = room.shared
    }

    /// The same room once more, with another token or PIN: whoever is in stays in.
    private mutating func receive(renewed room: GroupRoom, from member: MemberNumber, in call: inout GroupContext) {
        var renewed = known[member]
        guard renewed?.use(accessOf: room) == true else { return }
        guard allowance.admits(at: call.now) else { return call.reject(.tooOften) }
        known[member] = renewed
        if member == call.roster.list.host, self.room?.isSame(as: room) == true { useAccess(of: room, in: &call) }
    }

    private mutating func useAccess(of other: GroupRoom, in call: inout GroupContext) {
        guard room?.use(accessOf: other) == true, isEntered, let shared = room?.shared else { return }
        call.act(.useAccess(shared))
    }

    /// Who comes back is told of the room by whoever answers, and, where it was its keeper, how it is closed by the one whom it had told.
    mutating func inherit(_ room: GroupRoom, from member: MemberNumber, in call: GroupContext) {
        if room.secret != nil { keeping.inherit(room, from: member) }
        let host = call.roster.list.host
        if known[host] == nil { known[host] = room.shared }
    }

    /// Enters the room of the host, where that is another one; gives who is no longer heard.
    mutating func follow(in call: inout GroupContext) -> [MemberNumber] {
        let host = call.roster.list.host
        if host == call.own, isEntered, known[host] == nil { known[host] = room?.shared }
        guard call.roster.list.route == .room, standing != .making, let wanted = known[host],
            room?.isSame(as: wanted) != true || standing == .none && !call.runs(.room)
        else { return [] }
        failures = 0
        return enter(wanted, in: &call)
    }

    private mutating func enter(_ room: GroupRoom, in call: inout GroupContext) -> [MemberNumber] {
        defer { heard = [] }
        if let former = self.room, former.secret != nil, !former.isSame(as: room) {
            call.act(.leaveRoom(former))
            call.stop(.token)
        }
        highest = max(highest, room.number)
        if self.room?.isSame(as: room) == true {
            // What its keeper has stays.
            self.room?.use(accessOf: room)
        } else {
            self.room = room
            keeping.begin()
        }
        standing = .entering
        call.stop(.roomLost)
        call.act(.enterRoom(room.shared))
        call.start(.room, GroupTiming.room)
        return heard.sorted()
    }

    // MARK: What becomes of the room

    /// The room that was asked for; gives who is no longer heard.
    mutating func made(_ room: GroupRoom, in call: inout GroupContext) -> [MemberNumber] {
        guard standing == .making, room.number == highest, call.roster.isHost else {
            // Nobody waits for it any more.
            call.act(.leaveRoom(room))
            return []
        }
        known[call.own] = room.shared
        defer { if room.token != nil { call.start(.token, GroupTiming.token) } }
        return enter(room, in: &call)
    }

    /// The token of the room that this side has made runs out before long.
    func renewToken(in call: inout GroupContext) {
        guard let room, room.secret != nil, room.token != nil else { return }
        call.act(.renewToken(room.shared))
        // Until there is one.
        call.start(.token, GroupTiming.tokenPause)
    }

    /// There is another token, of which all are told.
    mutating func renewed(_ token: SecretText, in call: inout GroupContext) {
        guard room?.secret != nil, room?.token != nil else { return }
        call.start(.token, GroupTiming.token)
        tellAll(in: &call) { $0.token = token }
    }

    /// A member is put out of the call: it is not to stay in the room, nor to come back by the PIN that it knows, nor to close the room.
    mutating func putOut(in call: inout GroupContext) {
        keeping.putOut()
        lock(in: &call)
    }

    /// What closes the room, as far as this side has it.
    private var secret: SecretText? { room.flatMap(keeping.secret(of:)) }

    /// Whether this side could close the room.
    var isKeeper: Bool { secret != nil }

    private mutating func lock(in call: inout GroupContext) {
        guard isEntered || call.roster.list.route == .room, let room else { return }
        keeping.lock(room, in: &call)
    }

    /// The room has another PIN and another secret, of which all are told who are in.
    mutating func locked(pin: SecretText, secret: SecretText, in call: inout GroupContext) {
        keeping.locked()
        room?.secret = secret
        tellAll(in: &call) { $0.pin = pin }
        lock(in: &call)
    }

    /// The server could not be reached. It is tried again when it is.
    mutating func notLocked() { keeping.notLocked() }

    private mutating func tellAll(in call: inout GroupContext, of change: (inout GroupRoom) -> Void) {
        guard var changed = room?.shared else { return }
        change(&changed)
        known[call.own]?.use(accessOf: changed)
        useAccess(of: changed, in: &call)
        told = [:]
    }

    /// It can't be made.
    mutating func refused(in call: inout GroupContext) {
        guard standing == .making else { return }
        standing = .none
        if !isCrowded(call) { call.roster.setRoute(.mesh) }
        pause(in: &call)
    }

    /// The server takes own media, for the first time or again.
    mutating func inside(in call: inout GroupContext) {
        guard isEntered else { return }
        standing = .inside
        failures = 0
        call.stop(.room)
        call.stop(.roomLost)
        lock(in: &call)
    }

    /// The server is not heard.
    mutating func lost(in call: inout GroupContext) {
        guard standing == .inside else { return }
        standing = .lost
        call.start(.roomLost, GroupTiming.roomLost)
    }

    /// Something of a member comes by it; false when there is none.
    mutating func hear(_ member: MemberNumber) -> Bool {
        guard isEntered else { return false }
        heard.insert(member)
        everHeard.insert(member)
        return true
    }

    /// False when it was not heard.
    mutating func fallSilent(_ member: MemberNumber) -> Bool { heard.remove(member) != nil }

    /// It is of no use any more: gives who was heard by it. Another attempt follows.
    mutating func failed(in call: inout GroupContext) -> [MemberNumber] {
        guard isEntered else { return [] }
        let heard = leave(in: &call)
        if call.roster.isHost, !isCrowded(call) { call.roster.setRoute(.mesh) }
        pause(in: &call)
        return heard
    }

    private mutating func pause(in call: inout GroupContext) {
        failures += 1
        call.start(.room, min(GroupTiming.roomPause * (1 << min(failures - 1, 4)), GroupTiming.longestRoomPause))
    }

    /// The clock of making, entering and trying again: gives who is no longer heard.
    mutating func timeIsOver(in call: inout GroupContext) -> [MemberNumber] {
        switch standing {
        case .making:
            refused(in: &call)
            return []
        case .entering: return failed(in: &call)
        case .none:
            // After a second failure the host makes another one, of which the others are told.
            let isMade = call.roster.isHost && use != .never && failures > 1
            guard !isMade, call.roster.list.route == .room, let room else { return [] }
            return enter(room, in: &call)
        case .inside, .lost: return []
        }
    }

    // MARK: Both at once

    /// Whether a way to a member is to be there: always without a room, and beside one that doesn't bring the member, where few are in or
    /// where there was such a way.
    func wantsPath(to member: MemberNumber, hadOne: Bool, in call: GroupContext) -> Bool {
        guard call.roster.list.route == .room else { return true }
        return standing != .entering && !isHeard(member) && (hadOne || !isCrowded(call))
    }

    /// Where a member comes by the room and directly, one of the ways goes after a while.
    func overlap(with member: MemberNumber, hasPath: Bool, in call: inout GroupContext) {
        if call.roster.list.route == .room, standing == .inside, isHeard(member), hasPath {
            call.startUnlessRunning(.overlap(member), GroupTiming.overlap)
        }
    }

    /// The call goes directly again: the room is left when all are heard so, or after a while.
    mutating func retreat(hasAllDirectly: Bool, in call: inout GroupContext) {
        guard isEntered, call.roster.list.route == .mesh else { return call.stop(.retreat) }
        inherit(in: call)
        // Its keeper ends it for all, who may still need it.
        if hasAllDirectly, room?.secret == nil || call.roster.present.isEmpty {
            closeForGood(in: &call)
        } else {
            call.startUnlessRunning(.retreat, GroupTiming.retreat)
        }
    }

    /// The time for going back is over: gives who is no longer heard.
    mutating func retreatIsOver(in call: inout GroupContext) -> [MemberNumber] {
        guard isEntered, call.roster.list.route == .mesh else { return [] }
        return closeForGood(in: &call)
    }

    /// Leaves the room, which others may use on; gives who was heard by it.
    @discardableResult
    private mutating func leave(in call: inout GroupContext) -> [MemberNumber] { leave(room?.shared, in: &call) }

    /// The same, and ends it where this side is its keeper.
    @discardableResult
    private mutating func closeForGood(in call: inout GroupContext) -> [MemberNumber] {
        defer { room?.secret = nil }
        call.stop(.token)
        if room?.secret != nil { known[call.own] = nil }
        return leave(room, in: &call)
    }

    private mutating func leave(_ room: GroupRoom?, in call: inout GroupContext) -> [MemberNumber] {
        defer { (standing, heard) = (.none, []) }
        for timer in [GroupTimer.room, .roomLost, .retreat, .calm] { call.stop(timer) }
        if let room, isEntered || room.secret != nil { call.act(.leaveRoom(room)) }
        return heard.sorted()
    }

    /// The call is over here: who leaves others behind hands the room to the host that follows.
    mutating func end(leaving present: [MemberNumber], in call: inout GroupContext) {
        inherit(in: call)
        guard let room else { return }
        guard room.secret != nil, let successor = present.min() else {
            closeForGood(in: &call)
            return
        }
        call.send(.room(room), to: successor)
        leave(in: &call)
    }
}

extension GroupRoom {
    /// Without what only its keeper has.
    fileprivate var shared: GroupRoom {
        var shared = self
        shared.secret = nil
        return shared
    }

    /// Uses token and PIN of the same room; whether they are others.
    @discardableResult fileprivate mutating func use(accessOf other: GroupRoom) -> Bool {
        let former = (token, pin)
        (token, pin) = (other.token ?? token, other.pin ?? pin)
        return former.0 != token || former.1 != pin
    }

    func isSame(as other: GroupRoom) -> Bool {
        (number, address, room) == (other.number, other.address, other.room)
    }
}
