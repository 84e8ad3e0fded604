import Signaling

// Both persons call each other at the same moment.
//
// Programs of the protocol's authors have no rule for it: each takes the later received invitation in place of its own
// call, so that both ring. We compare the two call ids as RingRTC does (`call_manager.rs`, glare): the higher one stands.
// Both persons dialled and thereby consented, so nobody has to accept: the side whose id is lower becomes the callee of
// the other call and makes the offer for it at once.
//
// A peer that knows no rule has replaced its call by ours and rings. If our id is the higher one, nothing is special: its
// person accepts our call. If ours is the lower one, the peer ignores our offer for the call it has forgotten; as soon as
// its person accepts, its offer for our call arrives, and we go back to being the caller. For that the own call is kept as
// `yielded` until the other one is answered.
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
        guard wireID < id, let peerKey = invitation.usableKey, let key = try? keys.frameKey(with: peerKey) else {
            return reject(.glare)
        }
        yielded = Yielded(callID: wireID, media: media)
        wireID = id
        role = .callee
        media = media.limited(to: invitation.callType.media)
        frameKey = key
        isFrameEncrypted = true
        state = .acceptedPreparingOffer
        reached(\.accepted, at: now)
        // The time for an answer runs on: a peer that knows no rule still rings.
        return openMedia(.offerer)
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

    private var isEnded: Bool { if case .ended = state { true } else { false } }
}
