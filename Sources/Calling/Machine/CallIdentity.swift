import Signaling

/// The names of a call and the part of this side in it. Both change only when both persons call each other at the same moment.
///
/// Programs of the protocol's authors have no rule for that: each takes the later received invitation in place of its own
/// call, so that one of the calls, or both, is forgotten. Two Parleys compare the two call ids as RingRTC does
/// (`call_manager.rs`, glare): the higher one stands. Both persons dialled and thereby consented, so nobody has to accept:
/// the side that yields becomes the callee of the other call and makes the offer for it at once.
///
/// The own call yields in three cases:
/// - Both sides compare ids, and the own one is lower.
/// - Its receipt came before the other invitation: the contact's side had it, and has put another call in its place.
/// - The contact's side compares nothing. Which call it has kept depends on what it received when, which nobody can know here. If it
///   is its own, it takes our offer. If it is ours, it rings, and ignores our offer; as soon as its person accepts, its offer for our
///   call comes, and we go back to being the caller. For that the own call is kept as ``yielded`` until the other one is answered.
///
/// Two Parleys may both yield, when a receipt overtook the other invitation. Then two offers cross, and ids decide.
struct CallIdentity: Sendable {
    /// The own call that was given up when both called at once.
    struct Yielded: Sendable {
        let callID: CallID
        let media: CallMedia
        /// Whether the contact's program compares ids as well.
        let isSettledByIDs: Bool
    }

    /// The call's name here. It never changes.
    let callID: CallID
    /// The call's name in messages.
    private(set) var wireID: CallID
    /// The part of this side in the protocol.
    private(set) var role: CallRole
    /// The own call that was given up, until the other one is answered.
    private(set) var yielded: Yielded?
    /// Names under which messages may still come that mean nothing any more.
    private(set) var formerIDs: Set<CallID> = []

    init(_ callID: CallID, role: CallRole) {
        self.callID = callID
        wireID = callID
        self.role = role
    }

    /// All names of this call.
    var all: Set<CallID> { formerIDs.union([callID, wireID]).union(yielded.map { [$0.callID] } ?? []) }

    /// Whether messages under this name, which is neither the present one nor that of ``yielded``, come too late.
    func isFormer(_ id: CallID) -> Bool { formerIDs.contains(id) || id == callID }

    /// Whether the own call gives way to another one of the same contact.
    ///
    /// - Parameter isDelivered: whether the contact's side has confirmed that it has the own one.
    func yields(to id: CallID, _ invitation: CallInvitation, isDelivered: Bool) -> Bool {
        wireID < id || isDelivered || !invitation.settlesCrossing
    }

    /// Gives the own call up for another one, whose callee this side becomes.
    mutating func yield(to id: CallID, _ invitation: CallInvitation, media: CallMedia) {
        yielded = Yielded(callID: wireID, media: media, isSettledByIDs: invitation.settlesCrossing)
        wireID = id
        role = .callee
    }

    /// Whether an offer for the own call that was given up brings it back.
    ///
    /// - Parameter hasOffered: whether the offer for the other call is out.
    func goesBack(for offer: CallOffer, hasOffered: Bool) -> Bool {
        guard let yielded else { return false }
        // A program that knows no rule has kept our call, and forgotten its own.
        guard offer.description.transportNumber != nil else { return true }
        if yielded.isSettledByIDs { return wireID < yielded.callID }
        // An older Parley, which did not say that it compares ids: it has yielded as the lower one, and goes back on our offer.
        return hasOffered ? yielded.callID < wireID : true
    }

    /// Takes the own call back, whose caller this side is again.
    ///
    /// - Returns: what it was to carry; nil if none was given up.
    mutating func goBack() -> CallMedia? {
        guard let own = yielded else { return nil }
        formerIDs.insert(wireID)
        wireID = own.callID
        role = .caller
        yielded = nil
        return own.media
    }

    /// The other call is answered: the own one is given up for good.
    mutating func settle() {
        if let yielded { formerIDs.insert(yielded.callID) }
        yielded = nil
    }
}
