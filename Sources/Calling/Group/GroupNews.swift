import Signaling

/// What each other member was told of this side, and what it says of its own.
struct GroupNews: Sendable {
    private struct Entry {
        /// Whether it was greeted since it came.
        var isGreeted = false
        /// The number of the list it was sent.
        var listSent: Int?
        /// The number of the state it was sent.
        var stateSent = 0
        /// Whether it was told that its large pictures are wanted.
        var largeSent: Bool?
        /// What of it is on.
        var state = GroupState()
    }

    private var entries: [MemberNumber: Entry] = [:]
    private var shown: (state: GroupState, number: Int) = (GroupState(), 0)
    /// Of whom large pictures are wanted and of whom not.
    private var large: [MemberNumber: Bool] = [:]

    /// What is on at a member's side.
    func state(of member: MemberNumber) -> GroupState { entries[member]?.state ?? GroupState() }

    mutating func set(_ state: GroupState, of member: MemberNumber) { entries[member, default: Entry()].state = state }

    /// What is on at this side.
    mutating func show(_ state: GroupState) {
        shown = (state, state.isCovered(by: shown.state) ? shown.number : shown.number + 1)
    }

    /// Of whom large pictures are wanted and of whom not.
    mutating func want(large: [MemberNumber: Bool]) { self.large.merge(large) { $1 } }

    /// The first message on a line says who is there.
    mutating func greet(_ member: MemberNumber, in call: inout GroupContext) {
        guard let way = call.lines.way(to: member), !entries[member, default: Entry()].isGreeted else { return }
        entries[member, default: Entry()].isGreeted = true
        if case .line = way { call.send(.hello(GroupHello(call.own)), to: member) }
    }

    /// The member is to be greeted again.
    mutating func greetAgain(_ member: MemberNumber) { entries[member]?.isGreeted = false }

    /// The host sends the list where a member has an older one.
    mutating func tellList(_ member: MemberNumber, in call: inout GroupContext) {
        let list = call.roster.list
        guard call.roster.isHost, entries[member, default: Entry()].listSent != list.number else { return }
        entries[member, default: Entry()].listSent = list.number
        call.put(.roster(list), .roster, to: member)
    }

    /// Tells a member what is on here, and whether its large pictures are wanted, if that has changed.
    mutating func tellState(_ member: MemberNumber, in call: inout GroupContext) {
        let (entry, large) = (entries[member] ?? Entry(), large[member])
        guard entry.stateSent != shown.number || entry.largeSent != large else { return }
        entries[member, default: Entry()].stateSent = shown.number
        entries[member, default: Entry()].largeSent = large
        var state = shown.state
        state.large = large
        call.send(.state(state), to: member)
    }

    /// What a member was told it may not know any more.
    mutating func tellAgain(_ member: MemberNumber) {
        entries[member]?.isGreeted = false
        entries[member]?.listSent = nil
        entries[member]?.stateSent = 0
        entries[member]?.largeSent = nil
    }

    /// The member has gone, or begins anew; what is on at its side it will say again.
    mutating func forget(_ member: MemberNumber) { entries[member] = nil }
}
