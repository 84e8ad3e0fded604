import Signaling

// What the call's own media, the way to the relay and the clocks report.
extension CallMachine {
    mutating func invitationTaken(at now: Int64) -> [CallEffect] {
        if direction == .outgoing { reached(\.ringing, at: now) }
        switch state {
        case .dialledAwaitingRelay:
            state = .dialledRinging
            isWaitingForRelay = false
            // What it took to reach the relay is not taken from the contact's time to answer.
            return stop(.relay) + start(.noAnswer, CallTiming.noAnswer)
        case .dialledRinging, .dialledDecidingOnClearMedia, .ringingWithoutConsent, .acceptedPreparingOffer,
            .acceptedAwaitingAnswer, .acceptedByBothPreparingAnswer, .acceptedByBothConnecting,
            .acceptedByBothConnected, .acceptedByBothReconnecting, .ended:
            break
        }
        return []
    }

    /// The receipt came in: what the contact's side sends from now on, it sends knowing of this call. A relay that delivered
    /// the invitation has taken it.
    mutating func invitationDelivered(at now: Int64) -> [CallEffect] {
        isDelivered = true
        return invitationTaken(at: now)
    }

    mutating func mediaOpened() -> [CallEffect] {
        switch state {
        case .acceptedPreparingOffer: return [.makeOffer]
        case .acceptedByBothPreparingAnswer(let offer):
            guard !candidates.hasPeerDescription else { return [] }
            let early = candidates.takeFromPeer()
            return [.makeAnswer(to: offer.description, candidates: offer.candidates + early)]
        case .dialledAwaitingRelay, .dialledRinging, .dialledDecidingOnClearMedia, .ringingWithoutConsent,
            .acceptedAwaitingAnswer, .acceptedByBothConnecting, .acceptedByBothConnected,
            .acceptedByBothReconnecting, .ended:
            return []
        }
    }

    mutating func offerMade(
        _ offer: SessionDescription, _ first: [ICECandidate], at now: Int64
    ) -> [CallEffect] {
        switch state {
        case .acceptedPreparingOffer:
            reached(\.offer, at: now)
            state = .acceptedAwaitingAnswer
            let isEncrypted = frameKey != nil
            let message = CallOffer(
                callType: CallType(media: media, encryption: isEncrypted), description: offer.numbered(0),
                candidates: first, publicKey: isEncrypted ? keys?.publicKey : nil)
            candidates.maySend = true
            // Whoever called at the same moment may still have to accept; then the time for an answer counts.
            let timer = yielded == nil ? start(.connect, CallTiming.connect) : []
            return [.send(.offer(wireID, message))] + timer + sendCandidates()
        case .dialledAwaitingRelay, .dialledRinging, .dialledDecidingOnClearMedia, .ringingWithoutConsent,
            .acceptedAwaitingAnswer, .acceptedByBothPreparingAnswer, .acceptedByBothConnecting,
            .acceptedByBothConnected, .acceptedByBothReconnecting, .ended:
            return []
        }
    }

    mutating func answerMade(
        _ answer: SessionDescription, _ first: [ICECandidate], at now: Int64
    ) -> [CallEffect] {
        switch state {
        case .acceptedByBothPreparingAnswer:
            reached(\.answer, at: now)
            state = .acceptedByBothConnecting
            candidates.maySend = true
            let message = CallMessage.answer(wireID, CallAnswer(description: answer.numbered(0), candidates: first))
            return [.send(message)] + start(.connect, CallTiming.connect) + sendCandidates()
                + connectedIfSecure(at: now)
        case .dialledAwaitingRelay, .dialledRinging, .dialledDecidingOnClearMedia, .ringingWithoutConsent,
            .acceptedPreparingOffer, .acceptedAwaitingAnswer, .acceptedByBothConnecting, .acceptedByBothConnected,
            .acceptedByBothReconnecting, .ended:
            return []
        }
    }

    /// Media events mean something only while there is media.
    mutating func mediaEvent(_ event: CallMediaEvent, at now: Int64) -> [CallEffect] {
        guard isMediaOpen else { return [] }
        switch event {
        case .candidates(let own):
            candidates.collect(own)
            return timers.contains(.candidates) ? [] : sendCandidates()
        case .iceConnected: reached(\.iceConnected, at: now)
        case .dtlsConnected:
            reached(\.dtlsConnected, at: now)
            security.isDTLSConnected = true
            return connectedIfSecure(at: now)
        case .fingerprintVerified:
            security.isFingerprintVerified = true
            return connectedIfSecure(at: now)
        case .fingerprintMismatch:
            security.isFingerprintVerified = false
            return end(.fingerprintMismatch, telling: true, at: now)
        case .firstVideoFrame, .firstAudioFrame: reached(\.firstFrame, at: now)
        case .peerMedia(let microphone, let camera, let screen):
            peerMicrophone = microphone
            peerCamera = camera
            peerScreen = screen
        case .lost: return mediaLost(at: now)
        case .recovered: return mediaRecovered(at: now)
        case .peerLeft: return end(.peerHungUp, telling: false, at: now)
        case .renewalCandidates(let number, let own): return renewalCandidates(number, own)
        case .renewed(let number): return renewed(number, at: now)
        case .renewalFailed(let number, _): return renewalFailed(number, at: now)
        case .failed(let text):
            failure = text
            return end(.mediaFailed, telling: true, at: now)
        }
        return []
    }

    /// Own candidates go out at most every 1.5 seconds.
    private mutating func sendCandidates() -> [CallEffect] {
        let messages = candidates.takeOwn()
        guard !messages.isEmpty else { return [] }
        return messages.map { .send(.extra(wireID, $0)) } + start(.candidates, CallTiming.candidates)
    }

    /// The connection counts only when DTLS is done and the certificate is the announced one.
    private mutating func connectedIfSecure(at now: Int64) -> [CallEffect] {
        switch state {
        case .acceptedByBothConnecting:
            guard security.isComplete else { return [] }
            state = .acceptedByBothConnected(since: now)
            return stop(.connect)
        case .dialledAwaitingRelay, .dialledRinging, .dialledDecidingOnClearMedia, .ringingWithoutConsent,
            .acceptedPreparingOffer, .acceptedAwaitingAnswer, .acceptedByBothPreparingAnswer,
            .acceptedByBothConnected, .acceptedByBothReconnecting, .ended:
            return []
        }
    }

    /// A clock ran out. One that was stopped meanwhile means nothing.
    mutating func ranOut(_ timer: CallTimer, at now: Int64) -> [CallEffect] {
        guard timers.remove(timer) != nil else { return [] }
        switch timer {
        case .noAnswer:
            if case .dialledAwaitingRelay = state { return end(.signalingFailed, telling: true, at: now) }
            return end(.noAnswer, telling: true, at: now)
        case .relay:
            if case .dialledAwaitingRelay = state { isWaitingForRelay = true }
            return []
        case .ringLimit: return end(.missed, telling: false, at: now)
        case .decision: return end(.encryptionRefused, telling: true, at: now)
        case .connect: return end(.connectTimeout, telling: true, at: now)
        case .reconnect: return end(.connectionLost, telling: true, at: now)
        case .candidates: return sendCandidates()
        case .renewal: return renewalTimeIsOver(at: now)
        }
    }
}
