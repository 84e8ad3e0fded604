import Cryptography
import Signaling

/// The keys of a group call: the own one as the others are given it, and theirs.
struct GroupKeys: Sendable {
    private struct Theirs {
        var newest: GroupKey?
        var isInUse = false
        /// How many times it was waited for.
        var waits = 0
    }

    private(set) var schedule: KeySchedule
    private var theirs: [MemberNumber: Theirs] = [:]

    init(_ schedule: KeySchedule) { self.schedule = schedule }

    /// Whether a member that can be reached has not given its key.
    func lacksAny(in call: GroupContext) -> Bool {
        call.roster.present.contains { theirs[$0]?.newest == nil && call.lines.way(to: $0) != nil }
    }

    // MARK: Those of the others

    mutating func set(_ key: GroupKey, of member: MemberNumber) {
        theirs[member, default: Theirs()].newest = key
        theirs[member]?.isInUse = false
    }

    /// Opens a member's frames with its newest key.
    mutating func use(_ member: MemberNumber, in call: inout GroupContext) {
        guard let key = theirs[member]?.newest, theirs[member]?.isInUse == false else { return }
        theirs[member]?.isInUse = true
        call.act(.useMemberKey(member, key))
    }

    /// No key opens what a member seals.
    func failed(_ member: MemberNumber, in call: inout GroupContext) {
        if theirs[member]?.isInUse == true { call.send(.wantKey, to: member) }
    }

    /// Asks who has not given its key in a while.
    mutating func askAgain(in call: inout GroupContext) {
        for member in call.roster.present where theirs[member]?.newest == nil && call.lines.way(to: member) != nil {
            theirs[member, default: Theirs()].waits += 1
            if let waits = theirs[member]?.waits, waits > 1 { call.send(.wantKey, to: member) }
        }
    }

    /// The member has gone, or begins anew.
    mutating func forget(_ member: MemberNumber) { theirs[member] = nil }

    // MARK: The own one

    /// A member that has none is given the own key.
    mutating func admit(_ member: MemberNumber, in call: inout GroupContext) {
        guard !schedule.holders.contains(member) else { return }
        let before = schedule.current
        let (key, receivers) = schedule.admit(member) { call.random(GroupKey.count) }
        give(key, to: receivers, in: &call)
        if schedule.current != before { call.act(.useKey(schedule.current)) }
        if schedule.isChanging { call.startUnlessRunning(.rotation, GroupTiming.rotation) }
    }

    /// A member that lost the own key asks for it.
    func giveAgain(to member: MemberNumber, in call: inout GroupContext) {
        guard call.roster.isPresent(member), schedule.holders.contains(member) else { return call.reject(.outOfTurn) }
        call.put(.key(schedule.newest), .key, to: member)
    }

    /// Who stays is given a new key, where the member had the one in use.
    mutating func exclude(_ member: MemberNumber, in call: inout GroupContext) {
        guard let (key, receivers) = schedule.exclude(member, fresh: { call.random(GroupKey.count) }) else { return }
        give(key, to: receivers, in: &call)
        if receivers.isEmpty { timeIsOver(in: &call) }
        guard schedule.isChanging else { return }
        let isRemoved = call.roster.standing(of: member) == .removed
        call.startUnlessRunning(.rotation, isRemoved ? GroupTiming.rotationAfterRemoval : GroupTiming.rotation)
    }

    /// A member has lost the own key and will be given it as a newcomer.
    mutating func takeBack(_ member: MemberNumber) { schedule.forget(member) }

    mutating func confirmed(_ key: GroupKey, by member: MemberNumber, in call: inout GroupContext) {
        guard schedule.confirmed(member, epoch: key.epoch) else { return }
        call.stop(.rotation)
        call.act(.useKey(schedule.current))
    }

    /// Nobody is waited for any more.
    mutating func timeIsOver(in call: inout GroupContext) {
        if schedule.timeIsOver() { call.act(.useKey(schedule.current)) }
    }

    /// Another key, which nobody has.
    mutating func restart(in call: inout GroupContext) {
        schedule.restart(call.random(GroupKey.count))
        call.act(.useKey(schedule.current))
    }

    mutating func wipe() { schedule.wipe() }

    private func give(_ key: GroupKey, to members: Set<MemberNumber>, in call: inout GroupContext) {
        for member in members.sorted() { call.put(.key(key), .key, to: member) }
    }
}
