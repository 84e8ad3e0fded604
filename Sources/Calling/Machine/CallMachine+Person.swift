import Signaling

// What the local person does.
extension CallMachine {
    /// The local person accepts the call that rings. Only here does an incoming call get consent.
    mutating func accept(_ wanted: CallMedia, keys: CallKeys, clearMedia: Bool, at now: Int64) -> [CallEffect] {
        switch state {
        case .ringingWithoutConsent(let invitation):
            if let peerKey = invitation.usableKey {
                do throws(CallEndReason) {
                    frameKey = try keys.frameKey(with: peerKey)
                } catch {
                    return end(error, telling: true, at: now)
                }
            } else if !clearMedia || policy == .refuse {
                // Never silently: the person has to say it knowingly.
                return []
            }
            self.keys = keys
            media = invitation.callType.media.limited(to: wanted)
            isFrameEncrypted = frameKey != nil
            state = .acceptedPreparingOffer
            reached(\.accepted, at: now)
            return stop(.ringLimit) + start(.connect, CallTiming.connect) + openMedia(.offerer)
        case .dialledAwaitingRelay, .dialledRinging, .dialledDecidingOnClearMedia, .acceptedPreparingOffer,
            .acceptedAwaitingAnswer, .acceptedByBothPreparingAnswer, .acceptedByBothConnecting,
            .acceptedByBothConnected, .acceptedByBothReconnecting, .ended:
            return []
        }
    }

    /// The local person declines. The peer is told, so that it does not ring on.
    mutating func decline(at now: Int64) -> [CallEffect] {
        switch state {
        case .ringingWithoutConsent: return end(.declined, telling: true, at: now)
        case .dialledAwaitingRelay, .dialledRinging, .dialledDecidingOnClearMedia, .acceptedPreparingOffer,
            .acceptedAwaitingAnswer, .acceptedByBothPreparingAnswer, .acceptedByBothConnecting,
            .acceptedByBothConnected, .acceptedByBothReconnecting, .ended:
            return []
        }
    }

    /// The local person ends the call, wherever it stands.
    mutating func hangUp(at now: Int64) -> [CallEffect] {
        switch state {
        case .dialledAwaitingRelay, .dialledRinging, .dialledDecidingOnClearMedia:
            return end(.cancelled, telling: true, at: now)
        case .ringingWithoutConsent: return end(.declined, telling: true, at: now)
        case .acceptedPreparingOffer, .acceptedAwaitingAnswer:
            return end(direction == .outgoing ? .cancelled : .hungUp, telling: true, at: now)
        case .acceptedByBothPreparingAnswer, .acceptedByBothConnecting, .acceptedByBothConnected,
            .acceptedByBothReconnecting:
            return end(.hungUp, telling: true, at: now)
        case .ended: return []
        }
    }

    /// The local person was asked about missing frame encryption and wants the call still.
    mutating func continueWithClearMedia(at now: Int64) -> [CallEffect] {
        switch state {
        case .dialledDecidingOnClearMedia(let offer):
            return stop(.decision) + prepareAnswer(to: offer, at: now)
        case .dialledAwaitingRelay, .dialledRinging, .ringingWithoutConsent, .acceptedPreparingOffer,
            .acceptedAwaitingAnswer, .acceptedByBothPreparingAnswer, .acceptedByBothConnecting,
            .acceptedByBothConnected, .acceptedByBothReconnecting, .ended:
            return []
        }
    }
}
