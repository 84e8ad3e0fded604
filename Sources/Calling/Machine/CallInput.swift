import Signaling

/// Everything that can happen to a call, by where it comes from.
public enum CallInput: Sendable {
    /// The local person.
    case person(PersonInput)
    /// The way to the relay.
    case relay(RelayInput)
    /// The peer.
    case peer(CallMessage)
    /// The call's own media.
    case media(MediaInput)
    /// The machine's network addresses are others than before.
    case networkChanged(hasLostAddress: Bool)
    /// The person is occupied with another call, or no more.
    case attention(isElsewhere: Bool)
    /// A clock ran out.
    case clock(CallTimer)
}

/// What the local person does to a call that exists.
public enum PersonInput: Sendable {
    /// Accepts the call that rings, with a fresh key pair. `clearMedia` says that the person knows that frames will
    /// not be encrypted and wants the call still.
    case accept(CallMedia, keys: CallKeys, clearMedia: Bool)
    /// Declines the call that rings.
    case decline
    /// Wants to hear nothing of the call that rings; the caller is told nothing.
    case ignore
    /// Puts the call that is on on hold.
    case hold
    /// Goes on with the call that is on hold.
    case resume
    /// Ends or cancels the call.
    case hangUp
    /// Goes on without frame encryption, after having been asked.
    case continueWithClearMedia
}

/// What becomes of own messages.
public enum RelayInput: Sendable, Hashable {
    /// The relay holds the invitation.
    case invitationTaken
    /// The contact's device has the invitation.
    case invitationDelivered
    /// A message without which the call cannot go on will not be sent.
    case sendingFailed
    /// The contact has deleted this side: nothing will reach it any more, nor come from it.
    case contactGone
}

/// What the call's media does.
public enum MediaInput: Sendable, Hashable {
    /// It is open.
    case opened
    /// The offer is made.
    case offerMade(SessionDescription, [ICECandidate])
    /// The answer is made.
    case answerMade(SessionDescription, [ICECandidate])
    /// The offer for the transport of this number is made.
    case renewalOfferMade(Int, SessionDescription, [ICECandidate])
    /// The answer for the transport of this number is made.
    case renewalAnswerMade(Int, SessionDescription, [ICECandidate])
    /// Something happened to it.
    case event(CallMediaEvent)
}
