import Signaling

/// What this member has told each other one and heard of it, as far as neither keys, lines nor paths have a place for it.
struct GroupOthers: Sendable {
    struct Other: Sendable {
        /// Whether it was greeted since it came.
        var isGreeted = false
        /// The number of the list it was sent.
        var listSent: Int?
        /// The number of the state it was sent.
        var stateSent = 0
        /// Its newest key.
        var key: GroupKey?
        /// Whether that key is in use.
        var isKeyInUse = false
        /// How many times its key was waited for.
        var waits = 0
        /// By what it asked to come back.
        var nonce: RejoinNonce?
        /// What of it is on.
        var state = GroupState()
    }

    private var others: [MemberNumber: Other] = [:]
    /// Who counts as in since it was noticed.
    private(set) var known: Set<MemberNumber> = []
    /// Who was not heard for so long that it counts as gone here, whatever the list says.
    private(set) var lost: Set<MemberNumber> = []

    subscript(member: MemberNumber) -> Other {
        get { others[member] ?? Other() }
        set { others[member] = newValue }
    }

    /// True when the member was not noticed before.
    mutating func notice(_ member: MemberNumber) -> Bool { known.insert(member).inserted }

    mutating func lose(_ member: MemberNumber) { lost.insert(member) }

    mutating func hear(_ member: MemberNumber) { lost.remove(member) }

    /// The member has gone, or begins anew; what is on at its side it will say again.
    mutating func forget(_ member: MemberNumber) {
        others[member] = nil
        known.remove(member)
        lost.remove(member)
    }

    mutating func forgetAll() { self = GroupOthers() }
}
