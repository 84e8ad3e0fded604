import Signaling

/// Coming back: this member's own question to the others, and theirs.
struct GroupReturn: Sendable {
    /// What a member that is not on the list any more does.
    enum Step {
        case nothing
        case ask
        case giveUp
    }

    /// The question for coming back and how many have answered it, until the list shows this member again.
    private var question: (nonce: RejoinNonce, answers: Int)?
    /// How often this member came back by itself.
    private var count = 0
    /// By what each other member asked last.
    private var asked: [MemberNumber: RejoinNonce] = [:]

    /// Whether this member waits to be on the list again.
    var isAsking: Bool { question != nil }

    // MARK: This member

    /// Looks at the list, which may not show this member any more.
    mutating func check(in call: inout GroupContext) -> Step {
        guard call.roster.standing(of: call.own) != .isIn else {
            if question?.answers != 0 {
                question = nil
                call.stop(.rejoin)
            }
            return .nothing
        }
        guard question == nil else { return .nothing }
        guard count < GroupTiming.mostReturns, !call.lines.upLines.isEmpty || !call.lines.contactsByMember.isEmpty
        else { return .giveUp }
        count += 1
        return .ask
    }

    /// The time for a question is over: false when nobody has answered. Whom others have and the host does not asks again.
    mutating func timeIsOver() -> Bool {
        guard let answers = question?.answers, answers > 0 else { return false }
        question = nil
        return true
    }

    /// Everybody who may be reached.
    func readers(in call: GroupContext) -> Set<MemberNumber> {
        Set(call.roster.list.members.map(\.number)).union(call.lines.upLines).subtracting([call.own])
    }

    /// A new question; nil where chance gives none.
    mutating func begin(in call: GroupContext) -> RejoinNonce? {
        guard let nonce = RejoinNonce(bytes: call.random(RejoinNonce.count).bytes) else { return nil }
        question = (nonce, 0)
        return nonce
    }

    /// Somebody has this member again: the first list counts, then any that shows it.
    /// False when nobody waits for it.
    mutating func receive(_ answer: GroupRejoined, in call: inout GroupContext) -> Bool {
        guard let (nonce, answers) = question, nonce == answer.nonce else {
            call.reject(.late)
            return false
        }
        question?.answers += 1
        let showsThis = answer.roster.members.contains { $0.number == call.own && $0.standing == .isIn }
        // Who answers need not be the host, or be it for much longer.
        if showsThis { call.stop(.rejoin) } else if answers == 0 { call.start(.rejoin, GroupTiming.rejoin) }
        if answers == 0 || showsThis { _ = call.roster.merge(answer.roster) }
        return true
    }

    // MARK: Others

    /// Another member asks to come back. True when it has begun anew; the same question again is answered again.
    mutating func receive(
        _ rejoin: GroupRejoin, from peer: GroupPeer, to room: GroupRoom?, in call: inout GroupContext
    ) -> Bool {
        let member = rejoin.member
        guard call.lines.members(peer).contains(member) else {
            call.reject(.wrongRole)
            return false
        }
        switch call.roster.standing(of: member) {
        case .isIn, .left: break
        // Of its joining only others have heard: by the link that they handed on it has a line here.
        case .noAnswer where peer == .line(member): break
        case .inviting, .removed, .declined, .busy, .noAnswer, nil:
            call.reject(.outOfTurn)
            return false
        }
        guard asked[member] != rejoin.nonce else {
            answer(rejoin, room, in: &call)
            return false
        }
        return true
    }

    /// Lets a member back that has begun anew.
    mutating func letBack(_ rejoin: GroupRejoin, to room: GroupRoom?, in call: inout GroupContext) {
        asked[rejoin.member] = rejoin.nonce
        if call.roster.isHost { call.roster.set(.isIn, of: rejoin.member) } else { call.roster.comeBack(rejoin.member) }
        answer(rejoin, room, in: &call)
    }

    private func answer(_ rejoin: GroupRejoin, _ room: GroupRoom?, in call: inout GroupContext) {
        call.send(
            .rejoined(GroupRejoined(nonce: rejoin.nonce, roster: call.roster.list, room: room)), to: rejoin.member)
    }

    /// The member has gone, or begins anew.
    mutating func forget(_ member: MemberNumber) { asked[member] = nil }
}
