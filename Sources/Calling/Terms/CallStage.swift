import BaseKit

/// Where a call stands. Each name says who has consented; there is no plain “connected”.
public enum CallStage: String, Sendable, Hashable, CaseIterable {
    /// The local person dialled; the invitation is on its way to the relay.
    case dialledAwaitingRelay
    /// The local person dialled and the relay holds the invitation; the contact has not consented.
    case dialledRinging
    /// The contact accepted without frame encryption; the local person has to decide about that.
    case dialledDecidingOnClearMedia
    /// A contact calls; the local person has not consented to anything.
    case ringingWithoutConsent
    /// Both consented; the callee's side is opening its media and making the offer.
    case acceptedPreparingOffer
    /// Both consented; the offer is out.
    case acceptedAwaitingAnswer
    /// Both consented; the caller's side is opening its media and making the answer.
    case acceptedByBothPreparingAnswer
    /// Both consented and both descriptions are exchanged; the media connection is being made and checked.
    case acceptedByBothConnecting
    /// Both consented, the connection stands and the peer's certificate is the announced one.
    case acceptedByBothConnected
    /// As before, but nothing has come through for a while.
    case acceptedByBothReconnecting
    /// The call is over.
    case ended

    /// Whether the local person dialled and the contact has not accepted.
    var isDialled: Bool { self == .dialledAwaitingRelay || self == .dialledRinging }

    /// Whether the local person has consented to this call, by dialling or by accepting. Media exists only then.
    public var hasLocalConsent: Bool {
        switch self {
        case .ringingWithoutConsent, .ended: false
        case .dialledAwaitingRelay, .dialledRinging, .dialledDecidingOnClearMedia, .acceptedPreparingOffer,
            .acceptedAwaitingAnswer, .acceptedByBothPreparingAnswer, .acceptedByBothConnecting,
            .acceptedByBothConnected, .acceptedByBothReconnecting:
            true
        }
    }
}

/// What a person sees of a call.
public enum CallPhase: Sendable, Hashable {
    /// The contact is being called.
    case ringingOut
    /// The contact calls.
    case ringingIn
    /// Both want to talk; the connection is being made.
    case connecting
    /// The call is on, since this moment of the call clock.
    case active(since: Instant)
    /// The call was on; the connection is being restored.
    case reconnecting
    /// The call is over.
    case ended(CallEndReason)
}
