import Signaling

/// The links by which lines come about: made here for the others, handed on between two who have no line yet, opened here.
struct GroupLinks: Sendable {
    /// The links made here, until somebody speaks on their lines.
    private var made: [MemberNumber: GroupLink] = [:]

    /// Makes a link for a member, where this side is the one to do so and there is nothing yet.
    func make(for member: MemberNumber, in call: inout GroupContext) {
        guard call.own > member, call.lines.lacksLine(member) else { return }
        call.lines.make(member)
        call.act(.makeLine(member))
    }

    /// What becomes of a line.
    mutating func handle(_ event: GroupLineInput, ofLineTo member: MemberNumber, in call: inout GroupContext) {
        switch event {
        case .made(let link):
            guard call.lines.made(for: member) else {
                if call.lines.way(to: member) == nil { call.act(.closeLine(member)) }
                return
            }
            made[member] = link
            if call.progress.untoldInviter == nil { offer(link, to: member, in: &call) }
        case .up:
            made[member] = nil
            if call.lines.isUp(member) { call.stop(.line(member)) }
        case .failed:
            made[member] = nil
            call.lines.failed(member)
        case .recognised(let contact):
            call.lines.recognise(member, as: contact)
        case .renewed: call.lines.unrecognise(member)
        }
    }

    /// Something came by a line: it is up, whatever this side missed of its making.
    mutating func speaks(_ member: MemberNumber, in call: inout GroupContext) {
        guard call.lines.speaks(member) else { return }
        made[member] = nil
        call.stop(.line(member))
    }

    /// Forgets a line that is not up.
    mutating func abandon(_ member: MemberNumber, in call: inout GroupContext) {
        guard call.lines.abandon(member) else { return }
        made[member] = nil
        call.act(.closeLine(member))
    }

    /// The number means somebody else now, to whom the ways so far do not lead.
    mutating func forget(_ member: MemberNumber, in call: inout GroupContext) {
        made[member] = nil
        if call.lines.forget(member) { call.act(.closeLine(member)) }
    }

    // MARK: Joining

    /// Tells the inviter, once there is a link for each member who is to get one.
    mutating func join(_ media: CallMedia, in call: inout GroupContext) {
        guard let inviter = call.progress.untoldInviter else { return }
        for member in call.roster.present { make(for: member, in: &call) }
        guard !call.lines.isMakingAny else { return }
        let links = call.roster.present.compactMap { member in
            call.lines.isOffered(to: member) ? made[member].map { LinkForMember(member: member, link: $0) } : nil
        }
        call.progress = .joining(through: nil)
        call.put(.join(GroupJoin(member: call.own, media: media, links: links)), .join(call.own), to: inviter)
        for link in links { call.start(.line(link.member), GroupTiming.line) }
    }

    /// Whom this side has invited joins with links for others.
    func handOn(_ join: GroupJoin, from member: MemberNumber, in call: inout GroupContext) {
        for link in join.links where link.member != call.own && link.member != member {
            handOn(GroupLine(maker: member, user: link.member, link: link.link), in: &call)
        }
    }

    // MARK: Later

    /// A link goes to the member by somebody who has a way to it, another one each time.
    private func offer(_ link: GroupLink, to member: MemberNumber, in call: inout GroupContext) {
        call.start(.line(member), GroupTiming.line)
        let roster = call.roster
        let near = [roster[member]?.inviter, roster[call.own]?.inviter, roster.list.host].compactMap { $0 }
        var seen: Set<MemberNumber> = [call.own, member]
        let introducers = (near + roster.present).filter {
            seen.insert($0).inserted && roster.isPresent($0) && call.lines.way(to: $0) != nil
        }
        guard !introducers.isEmpty else { return }
        let introducer = introducers[max(0, call.lines.attempts(member) - 1) % introducers.count]
        let line = GroupLine(maker: call.own, user: member, link: link)
        call.put(.line(line), .line(maker: call.own, user: member), to: introducer)
    }

    /// A link is to be opened here, or to be handed on.
    func receive(_ line: GroupLine, from member: MemberNumber, in call: inout GroupContext) {
        if line.user == call.own {
            open(line, in: &call)
        } else if line.maker == member {
            handOn(line, in: &call)
        } else {
            call.reject(.wrongRole)
        }
    }

    private func open(_ line: GroupLine, in call: inout GroupContext) {
        guard call.own < line.maker else { return call.reject(.wrongRole) }
        guard call.lines.join(line.maker) else {
            // Its maker may not know that there is a line.
            if case .line = call.lines.way(to: line.maker) { call.send(.hello(GroupHello(call.own)), to: line.maker) }
            return call.reject(.duplicate)
        }
        call.act(.joinLine(line.maker, line.link))
    }

    private func handOn(_ line: GroupLine, in call: inout GroupContext) {
        guard call.roster.isPresent(line.user), call.lines.way(to: line.user) != nil else {
            return call.reject(.outOfTurn)
        }
        call.put(.line(line), .line(maker: line.maker, user: line.user), to: line.user)
    }
}
