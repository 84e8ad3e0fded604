import Signaling

extension CallMachine {
    mutating func start(_ timer: CallTimer, _ milliseconds: Int64) -> [CallEffect] {
        timers.insert(timer)
        return [.startTimer(timer, milliseconds: milliseconds)]
    }

    mutating func stop(_ timer: CallTimer) -> [CallEffect] {
        timers.remove(timer) == nil ? [] : [.stopTimer(timer)]
    }

    /// Ends the call from any state; a call that is over stays as it is. Media goes first, then everything else.
    mutating func end(_ reason: CallEndReason, telling: Bool, at now: Int64) -> [CallEffect] {
        var effects: [CallEffect] = []
        switch state {
        case .ended: return []
        case .acceptedByBothConnected(let since), .acceptedByBothReconnecting(let since): duration = now - since
        case .ringingWithoutConsent, .dialledAwaitingRelay, .dialledRinging, .dialledDecidingOnClearMedia,
            .acceptedPreparingOffer, .acceptedAwaitingAnswer, .acceptedByBothPreparingAnswer, .acceptedByBothConnecting:
            break
        }
        effects += closeMedia()
        for timer in timers.sorted(by: { $0.rawValue < $1.rawValue }) { effects += stop(timer) }
        if telling { effects.append(.send(.end(wireID, because: reason.cause))) }
        // Whatever ended the other call, the contact's side may still be ringing for this one.
        if let yielded, telling || reason == .peerHungUp {
            effects.append(.send(.end(yielded.callID, because: reason.cause)))
        }
        state = .ended(reason)
        keys = nil
        frameKey = nil
        effects.append(
            .record(
                CallLogEntry(
                    callID: callID, contact: contact, direction: direction, media: media,
                    startedAt: startedAt.wallClock, duration: duration, reason: reason, setup: setup)))
        effects.append(.finished(reason))
        return effects
    }

    mutating func closeMedia() -> [CallEffect] {
        candidates.reset()
        renewal = Renewal()
        guard isMediaOpen else { return [] }
        isMediaOpen = false
        return [.closeMedia]
    }

    /// The only place from which media is opened. Callers of it have local consent.
    mutating func openMedia(_ role: MediaPlan.Role) -> [CallEffect] {
        isMediaOpen = true
        security = SecurityChecks()
        return [.openMedia(MediaPlan(role: role, media: media, frameKey: frameKey))]
    }
}

extension CallEndReason {
    /// What the peer is told of it; nil where an end says all.
    fileprivate var cause: CallEndCause? {
        switch self {
        case .mediaFailed: .mediaFailed
        case .missedWhileBusy: .busy
        case .encryptionRefused: .encryptionRefused
        case .keyAgreementFailed: .keyAgreementFailed
        default: nil
        }
    }
}
