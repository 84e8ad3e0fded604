import Calling
import Signaling

/// The way back into the group call that the person was in, by what is heard of it while they are out of it. Who is only being called
/// into it counts as out.
struct WayBack: Sendable {
    /// What leads back; nil where nothing does.
    private(set) var kept: KeptGroup?
    /// Who has called the person back into it and has not taken that back. An earlier version takes an invitation back by the same
    /// message that ends the call.
    private var callers: Set<ContactID> = []
    /// Who has left it since the person did.
    private var departed: Set<MemberNumber> = []
    /// Whether the person has accepted an invitation back into it and is not on a list by it yet.
    private var isJoiningAnew = false
    /// The last call that is over. What it was to be kept by may be read only then.
    private var over: CallID?

    init(_ kept: KeptGroup? = nil) { self.kept = kept }

    // MARK: What the own part of the call says

    /// A call is to be kept, in place of the one before.
    ///
    /// - Parameter isIn: whether the person is in it now; else this was said before they left.
    /// - Returns: false where it is not worth that, or is over.
    mutating func keep(_ call: KeptGroupCall, isIn: Bool, at now: Int64) -> Bool {
        guard isIn || over != call.callID else { return false }
        if let former = kept?.call {
            let isSame = former.callID == call.callID
            // By an invitation alone nobody lets this person in: what is kept of an earlier stay, or of another call, leads further.
            if call.roster.number == 0, !isSame || former.roster.number > 0 {
                isJoiningAnew = isSame
                return false
            }
            // A call to which nobody has come yet is not worth the way back into another.
            if !isSame, !call.hasOthers { return false }
            if !isSame { forget() }
        }
        var call = call
        if isIn { (callers, departed, over) = ([], [], nil) } else { call.note(departed, areIn: false) }
        isJoiningAnew = false
        kept = KeptGroup(call, at: now)
        return true
    }

    /// A call ended so that its own part leads nowhere.
    mutating func end(_ call: CallID) {
        guard kept?.call.callID == call else { return }
        // What was kept of an earlier stay still leads there, but for lines that are gone.
        if isJoiningAnew { isJoiningAnew = false } else { forget() }
    }

    /// Nothing leads back any more.
    mutating func forget() {
        self = WayBack(over: kept?.call.callID ?? over)
    }

    private init(over: CallID?) { self.over = over }

    // MARK: What is heard from outside

    /// A contact calls the person back into the call.
    mutating func called(into call: CallID, by contact: ContactID) {
        if kept?.call.callID == call { callers.insert(contact) }
    }

    /// The person has answered that: it is not taken back any more.
    mutating func answered(_ call: CallID, of contact: ContactID) {
        if kept?.call.callID == call { callers.remove(contact) }
    }

    /// Others leave the call, come back, take an invitation back, or end it: when the last one has left, there is nothing to come back
    /// into.
    mutating func hear(_ message: GroupMessage, of call: CallID, from peer: GroupPeer) {
        guard let known = kept?.call, known.callID == call else { return }
        let senders = known.members(peer)
        switch message {
        case .rejoin(let rejoin) where senders.contains(rejoin.member):
            departed.remove(rejoin.member)
            kept?.call.note([rejoin.member], areIn: true)
        case .leave:
            departed.formUnion(senders)
            kept?.call.note(senders, areIn: false)
            if kept?.call.hasOthers == false { forget() }
        case .remove where senders.contains(known.roster.host): forget()
        case .over(let ending):
            var wasCaller = false
            if case .contact(let contact) = peer { wasCaller = callers.remove(contact) != nil }
            switch ending {
            case .invitation: break
            case .call: forget()
            case nil: if !wasCaller { forget() }
            }
        default: break
        }
    }
}

extension KeptGroupCall {
    /// Who may be at the other end.
    fileprivate func members(_ peer: GroupPeer) -> Set<MemberNumber> {
        switch peer {
        case .line(let member): [member]
        case .contact(let contact): Set(contacts.filter { $0.value == contact }.keys)
        }
    }
}
