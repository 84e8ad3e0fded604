import Signaling

// What the peer sends. Every message is checked for the role of its sender before anything else.
extension CallMachine {
    mutating func receive(_ message: CallMessage, at now: Int64) -> [CallEffect] {
        if message.callID == wireID {
            guard message.mayCome(from: role.opposite) else { return reject(.wrongRole) }
            switch message {
            case .invitation: return reject(isOver ? .late : .duplicate)
            case .offer(_, let offer): return receiveOffer(offer, at: now)
            case .answer(_, let answer): return receiveAnswer(answer, at: now)
            case .extra(_, let candidates): return receiveExtra(candidates)
            case .renew(_, let number): return receiveRequest(after: number, at: now)
            case .end(_, let cause): return receiveEnd(because: cause, at: now)
            }
        }
        if let yielded, message.callID == yielded.callID { return receive(message, forYielded: yielded, at: now) }
        if formerIDs.contains(message.callID) || message.callID == callID { return reject(.late) }
        if case .invitation(let id, let invitation) = message {
            return receiveOtherInvitation(id, invitation, at: now)
        }
        return reject(.unknownCall)
    }

    mutating func reject(_ kind: MessageRejection) -> [CallEffect] {
        rejections.count(kind)
        return []
    }

    private var isOver: Bool { if case .ended = state { true } else { false } }

    /// The contact accepts; the caller has consented by dialling, for no more than it dialled.
    mutating func receiveOffer(_ offer: CallOffer, at now: Int64) -> [CallEffect] {
        switch state {
        case .dialledAwaitingRelay, .dialledRinging:
            reached(\.accepted, at: now)
            reached(\.offer, at: now)
            let stopped = stop(.noAnswer) + stop(.relay)
            guard let peerKey = offer.usableKey else { return stopped + missingKey(in: offer, at: now) }
            do throws(CallEndReason) {
                guard let keys else { throw CallEndReason.keyAgreementFailed }
                frameKey = try keys.frameKey(with: peerKey)
            } catch {
                return stopped + end(error, telling: true, at: now)
            }
            return stopped + prepareAnswer(to: offer, at: now)
        case .acceptedByBothConnected, .acceptedByBothReconnecting: return receiveRenewal(offer, at: now)
        case .dialledDecidingOnClearMedia, .ringingWithoutConsent, .acceptedPreparingOffer, .acceptedAwaitingAnswer,
            .acceptedByBothPreparingAnswer, .acceptedByBothConnecting:
            return reject(.outOfTurn)
        case .ended: return reject(.late)
        }
    }

    /// We asked for frame encryption and the peer would go without.
    private mutating func missingKey(in offer: CallOffer, at now: Int64) -> [CallEffect] {
        isFrameEncrypted = false
        switch policy {
        case .refuse: return end(.encryptionRefused, telling: true, at: now)
        case .ask:
            state = .dialledDecidingOnClearMedia(offer)
            return start(.decision, CallTiming.decision)
        }
    }

    mutating func prepareAnswer(to offer: CallOffer, at now: Int64) -> [CallEffect] {
        media = media.limited(to: offer.callType.media)
        isFrameEncrypted = frameKey != nil
        state = .acceptedByBothPreparingAnswer(offer)
        let effects = start(.connect, CallTiming.connect) + openMedia(.answerer)
        renewal.isAgreed = offer.description.transportNumber != nil
        return effects
    }

    private mutating func receiveAnswer(_ answer: CallAnswer, at now: Int64) -> [CallEffect] {
        switch state {
        case .acceptedAwaitingAnswer:
            if let yielded {
                formerIDs.insert(yielded.callID)
                self.yielded = nil
            }
            reached(\.answer, at: now)
            state = .acceptedByBothConnecting
            renewal.isAgreed = answer.description.transportNumber != nil
            let early = candidates.takeFromPeer()
            return stop(.noAnswer) + start(.connect, CallTiming.connect)
                + [.applyAnswer(answer.description, candidates: answer.candidates + early)]
        case .acceptedByBothConnected, .acceptedByBothReconnecting: return receiveRenewal(answer, at: now)
        case .dialledAwaitingRelay, .dialledRinging, .dialledDecidingOnClearMedia, .ringingWithoutConsent,
            .acceptedPreparingOffer, .acceptedByBothPreparingAnswer, .acceptedByBothConnecting:
            return reject(.outOfTurn)
        case .ended: return reject(.late)
        }
    }

    /// Candidates are data: before media has the peer's description they are only kept.
    private mutating func receiveExtra(_ more: [ICECandidate]) -> [CallEffect] {
        switch state {
        case .dialledAwaitingRelay, .dialledRinging, .dialledDecidingOnClearMedia, .ringingWithoutConsent,
            .acceptedPreparingOffer, .acceptedAwaitingAnswer:
            return candidates.keep(more) ? [] : reject(.tooMany)
        case .acceptedByBothPreparingAnswer, .acceptedByBothConnecting, .acceptedByBothConnected,
            .acceptedByBothReconnecting:
            guard candidates.hasPeerDescription else { return candidates.keep(more) ? [] : reject(.tooMany) }
            guard candidates.count(more) else { return reject(.tooMany) }
            return more.isEmpty ? [] : pass(more)
        case .ended: return reject(.late)
        }
    }

    private mutating func receiveEnd(because cause: CallEndCause?, at now: Int64) -> [CallEffect] {
        switch state {
        case .dialledAwaitingRelay, .dialledRinging:
            return end(.beforeConnection(cause, otherwise: .declinedByPeer), telling: false, at: now)
        case .ringingWithoutConsent: return end(.missed, telling: false, at: now)
        case .dialledDecidingOnClearMedia, .acceptedPreparingOffer, .acceptedAwaitingAnswer,
            .acceptedByBothPreparingAnswer, .acceptedByBothConnecting:
            return end(.beforeConnection(cause, otherwise: .peerHungUp), telling: false, at: now)
        case .acceptedByBothConnected, .acceptedByBothReconnecting:
            return end(cause == .mediaFailed ? .peerMediaStopped : .peerHungUp, telling: false, at: now)
        case .ended: return reject(.late)
        }
    }
}

extension CallEndReason {
    /// What an end by the peer means in a call that was never connected.
    static func beforeConnection(_ cause: CallEndCause?, otherwise reason: CallEndReason) -> CallEndReason {
        switch cause {
        case .mediaFailed: .peerMediaFailed
        // Who has answered is not in another call.
        case .busy: reason == .declinedByPeer ? .peerBusy : reason
        case .encryptionRefused: .encryptionRefusedByPeer
        case .keyAgreementFailed: .keyAgreementFailedAtPeer
        case nil: reason
        }
    }
}
