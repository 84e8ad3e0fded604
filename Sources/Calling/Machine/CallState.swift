import BaseKit
import Signaling

/// Where a call stands, together with what is needed only there. The name says who has consented.
enum CallState: Sendable {
    case dialledAwaitingRelay
    case dialledRinging
    case dialledDecidingOnClearMedia(CallOffer)
    case ringingWithoutConsent(CallInvitation)
    case acceptedPreparingOffer
    case acceptedAwaitingAnswer
    case acceptedByBothPreparingAnswer(CallOffer)
    case acceptedByBothConnecting
    case acceptedByBothConnected(since: Instant)
    case acceptedByBothReconnecting(since: Instant)
    case ended(CallEndReason)

    /// The state without what belongs to it.
    var stage: CallStage {
        switch self {
        case .dialledAwaitingRelay: .dialledAwaitingRelay
        case .dialledRinging: .dialledRinging
        case .dialledDecidingOnClearMedia: .dialledDecidingOnClearMedia
        case .ringingWithoutConsent: .ringingWithoutConsent
        case .acceptedPreparingOffer: .acceptedPreparingOffer
        case .acceptedAwaitingAnswer: .acceptedAwaitingAnswer
        case .acceptedByBothPreparingAnswer: .acceptedByBothPreparingAnswer
        case .acceptedByBothConnecting: .acceptedByBothConnecting
        case .acceptedByBothConnected: .acceptedByBothConnected
        case .acceptedByBothReconnecting: .acceptedByBothReconnecting
        case .ended: .ended
        }
    }

    /// What a person sees of it.
    ///
    /// - Parameter hasYielded: whether the own call of two may still win. So long the person sees the one that was dialled.
    func phase(hasYielded: Bool) -> CallPhase {
        switch self {
        case .dialledAwaitingRelay, .dialledRinging, .dialledDecidingOnClearMedia: .ringingOut
        case .ringingWithoutConsent: .ringingIn
        case .acceptedPreparingOffer, .acceptedAwaitingAnswer: hasYielded ? .ringingOut : .connecting
        case .acceptedByBothPreparingAnswer, .acceptedByBothConnecting: .connecting
        case .acceptedByBothConnected(let since): .active(since: since)
        case .acceptedByBothReconnecting: .reconnecting
        case .ended(let reason): .ended(reason)
        }
    }

    /// Since when the call is on: connected once, and not over. Nil otherwise.
    var onSince: Instant? {
        switch self {
        case .acceptedByBothConnected(let since), .acceptedByBothReconnecting(let since): since
        case .dialledAwaitingRelay, .dialledRinging, .dialledDecidingOnClearMedia, .ringingWithoutConsent,
            .acceptedPreparingOffer, .acceptedAwaitingAnswer, .acceptedByBothPreparingAnswer,
            .acceptedByBothConnecting, .ended:
            nil
        }
    }

    var isOn: Bool { onSince != nil }

    var isOver: Bool { if case .ended = self { true } else { false } }

    /// Whether nothing comes through at present in a call that is on.
    var isReconnecting: Bool { if case .acceptedByBothReconnecting = self { true } else { false } }

    /// Whether an invitation by the same contact is settled by comparing ids; otherwise it replaces the call.
    var isOpenToGlare: Bool {
        switch self {
        case .dialledAwaitingRelay, .dialledRinging: true
        case .dialledDecidingOnClearMedia, .ringingWithoutConsent, .acceptedPreparingOffer, .acceptedAwaitingAnswer,
            .acceptedByBothPreparingAnswer, .acceptedByBothConnecting, .acceptedByBothConnected,
            .acceptedByBothReconnecting, .ended:
            false
        }
    }

    /// What an end by the peer means here; nil where the call is over.
    func reason(endedByPeer cause: CallEndCause?) -> CallEndReason? {
        switch self {
        case .dialledAwaitingRelay, .dialledRinging: .beforeConnection(cause, otherwise: .declinedByPeer)
        case .ringingWithoutConsent: .missed
        case .dialledDecidingOnClearMedia, .acceptedPreparingOffer, .acceptedAwaitingAnswer,
            .acceptedByBothPreparingAnswer, .acceptedByBothConnecting:
            .beforeConnection(cause, otherwise: .peerHungUp)
        case .acceptedByBothConnected, .acceptedByBothReconnecting:
            cause == .mediaFailed ? .peerMediaStopped : .peerHungUp
        case .ended: nil
        }
    }

    /// What it means here that the local person hangs up; nil where the call is over.
    func reason(hungUp direction: CallDirection) -> CallEndReason? {
        switch self {
        case .dialledAwaitingRelay, .dialledRinging, .dialledDecidingOnClearMedia: .cancelled
        case .ringingWithoutConsent: .declined
        case .acceptedPreparingOffer, .acceptedAwaitingAnswer: direction == .outgoing ? .cancelled : .hungUp
        case .acceptedByBothPreparingAnswer, .acceptedByBothConnecting, .acceptedByBothConnected,
            .acceptedByBothReconnecting:
            .hungUp
        case .ended: nil
        }
    }
}
