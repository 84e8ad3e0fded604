import Signaling

// Both persons call each other at the same moment.
//
// Programs of the protocol's authors have no rule for it: each takes the later received invitation in place of its own
// call, so that one of the calls, or both, is forgotten. Two Parleys compare the two call ids as RingRTC does
// (`call_manager.rs`, glare): the higher one stands. Both persons dialled and thereby consented, so nobody has to accept:
// the side that yields becomes the callee of the other call and makes the offer for it at once.
//
// The own call yields in three cases:
// - Both sides compare ids, and the own one is lower.
// - Its receipt came before the other invitation: the contact's side had it, and has put another call in its place.
// - The contact's side compares nothing. Which call it has kept depends on what it received when, which nobody can know here. If it
//   is its own, it takes our offer. If it is ours, it rings, and ignores our offer; as soon as its person accepts, its offer for our
//   call comes, and we go back to being the caller. For that the own call is kept as `yielded` until the other one is answered.
//
// Two Parleys may both yield, when a receipt overtook the other invitation. Then two offers cross, and ids decide.
extension CallMachine {
    /// Whether an invitation by the same contact is settled by comparing ids; otherwise it replaces the call.
    public var isOpenToGlare: Bool {
        switch state {
        case .dialledAwaitingRelay, .dialledRinging: true
        case .acceptedPreparingOffer, .acceptedAwaitingAnswer: false
        case .dialledDecidingOnClearMedia, .ringingWithoutConsent, .acceptedByBothPreparingAnswer,
            .acceptedByBothConnecting, .acceptedByBothConnected, .acceptedByBothReconnecting, .ended:
            false
        }
    }

    mutating func receiveOtherInvitation(
        _ id: CallID, _ invitation: CallInvitation, at now: Int64
    ) -> [CallEffect] {
        guard isOpenToGlare, let keys else { return reject(isEnded ? .late : .outOfTurn) }
        // A call without frame encryption never takes the place of one with it.
        let yields = wireID < id || isDelivered || !invitation.settlesCrossing
        guard yields, let peerKey = invitation.usableKey, let key = try? keys.frameKey(with: peerKey) else {
            return reject(.glare)
        }
        yielded = Yielded(callID: wireID, media: media, isSettledByIDs: invitation.settlesCrossing)
        wireID = id
        role = .callee
        media = media.limited(to: invitation.callType.media)
        frameKey = key
        isFrameEncrypted = true
        isWaitingForRelay = false
        state = .acceptedPreparingOffer
        reached(\.accepted, at: now)
        // The time for an answer runs on: a peer that knows no rule still rings.
        return stop(.relay) + openMedia(.offerer)
    }

    /// A message for the own call that was given up.
    mutating func receive(_ message: CallMessage, forYielded own: Yielded, at now: Int64) -> [CallEffect] {
        guard message.mayCome(from: .callee) else { return reject(.wrongRole) }
        switch state {
        case .acceptedPreparingOffer, .acceptedAwaitingAnswer: break
        case .ended: return reject(.late)
        case .dialledAwaitingRelay, .dialledRinging, .dialledDecidingOnClearMedia, .ringingWithoutConsent,
            .acceptedByBothPreparingAnswer, .acceptedByBothConnecting, .acceptedByBothConnected,
            .acceptedByBothReconnecting:
            return reject(.outOfTurn)
        }
        switch message {
        case .invitation, .answer: return reject(.wrongRole)
        case .extra, .renew: return reject(.outOfTurn)
        case .end(_, let cause):
            return end(.beforeConnection(cause, otherwise: .declinedByPeer), telling: false, at: now)
        case .offer(_, let offer):
            guard goesBack(to: own, for: offer) else { return reject(.glare) }
            formerIDs.insert(wireID)
            wireID = own.callID
            yielded = nil
            role = .caller
            media = own.media
            frameKey = nil
            setup.accepted = nil
            setup.offer = nil
            state = .dialledRinging
            return closeMedia() + receiveOffer(offer, at: now)
        }
    }

    /// Whether an offer for the own call that was given up brings it back.
    private func goesBack(to own: Yielded, for offer: CallOffer) -> Bool {
        // A program that knows no rule has kept our call, and forgotten its own.
        guard offer.description.transportNumber != nil else { return true }
        if own.isSettledByIDs { return wireID < own.callID }
        // An older Parley, which did not say that it compares ids: it has yielded as the lower one, and goes back on our offer.
        if case .acceptedAwaitingAnswer = state { return own.callID < wireID }
        return true
    }

    private var isEnded: Bool { if case .ended = state { true } else { false } }
}
