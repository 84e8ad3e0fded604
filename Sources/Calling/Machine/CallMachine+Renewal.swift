import Signaling

// A new transport for a call whose path is broken or about to be. Only in a call that is on, only between two programs that
// both announced it, and never with less than the call already has: the frame key stays, and media compares the new
// certificate with the new description before a frame passes.
extension CallMachine {
    /// Whether the call is on: connected once, and not over.
    private var isOn: Bool {
        switch state {
        case .acceptedByBothConnected, .acceptedByBothReconnecting: true
        case .dialledAwaitingRelay, .dialledRinging, .dialledDecidingOnClearMedia, .ringingWithoutConsent,
            .acceptedPreparingOffer, .acceptedAwaitingAnswer, .acceptedByBothPreparingAnswer,
            .acceptedByBothConnecting, .ended:
            false
        }
    }

    /// The machine's addresses changed. While the connection is lost each change is a chance; otherwise only the loss of an
    /// address is a reason.
    mutating func networkChanged(hasLostAddress: Bool, at now: Int64) -> [CallEffect] {
        if case .acceptedByBothReconnecting = state { return wantTransport(.address, at: now) }
        return isOn && hasLostAddress ? wantTransport(.address, at: now) : []
    }

    /// A new transport is wanted: the callee makes the offer, the caller asks for it.
    mutating func wantTransport(_ cause: Renewal.Cause, at now: Int64) -> [CallEffect] {
        guard isOn, renewal.isAgreed else { return [] }
        switch role {
        case .callee:
            guard let attempt = renewal.attempt else { return begin(cause, at: now) }
            // What is under way serves as well, unless it rests on an address that is gone.
            guard cause == .address else { return [] }
            return [.renew(.abandon(attempt.number))] + begin(cause, at: now)
        case .caller:
            guard renewal.askedAfter != renewal.newest else { return [] }
            renewal.askedAfter = renewal.newest
            return [.send(.renew(wireID, after: renewal.newest))]
        }
    }

    private mutating func begin(_ cause: Renewal.Cause, at now: Int64) -> [CallEffect] {
        renewal.attempt = nil
        let pause = renewal.pause(before: cause, at: now)
        guard pause == 0 else {
            renewal.waiting = cause
            return start(.renewal, pause)
        }
        guard let number = renewal.begin(cause, at: now) else { return [] }
        return [.renew(.makeOffer(number))] + start(.renewal, CallTiming.renewalAttempt)
    }

    // MARK: The peer

    /// The caller asks. An offer that it can't have seen yet is the answer already.
    mutating func receiveRequest(after number: Int, at now: Int64) -> [CallEffect] {
        guard isOn, renewal.isAgreed, number <= renewal.newest else { return reject(isOver ? .late : .outOfTurn) }
        if var attempt = renewal.attempt {
            guard attempt.number <= number else {
                attempt.cause = .asked
                renewal.attempt = attempt
                return []
            }
            guard renewal.takesWish(at: now) else { return reject(.tooOften) }
            return [.renew(.abandon(attempt.number))] + begin(.asked, at: now)
        }
        guard !renewal.isOutdated(requestAfter: number, at: now), renewal.inUse.number <= number,
            renewal.waiting == nil
        else { return [] }
        return renewal.takesWish(at: now) ? begin(.asked, at: now) : reject(.tooOften)
    }

    /// The callee offers a new transport.
    mutating func receiveRenewal(_ offer: CallOffer, at now: Int64) -> [CallEffect] {
        guard renewal.isAgreed, let number = offer.description.transportNumber, number > 0,
            offer.callType.encryption == (frameKey != nil)
        else { return reject(.outOfTurn) }
        guard number > renewal.newest else { return reject(.late) }
        guard renewal.takesOffer(at: now) else { return reject(.tooOften) }
        guard candidates.count(offer.candidates) else { return reject(.tooMany) }
        let former = renewal.attempt.map { [CallEffect.renew(.abandon($0.number))] } ?? []
        renewal.newest = number
        renewal.attempt = Renewal.Attempt(number: number, peerFragment: offer.description.usernameFragment)
        return former + [.renew(.makeAnswer(number, to: offer.description, candidates: offer.candidates))]
            + start(.renewal, CallTiming.renewalAttempt)
    }

    /// The caller answers an offer for a new transport.
    mutating func receiveRenewal(_ answer: CallAnswer, at now: Int64) -> [CallEffect] {
        guard renewal.isAgreed, let number = answer.description.transportNumber, number > 0, number <= renewal.newest
        else { return reject(.outOfTurn) }
        guard var attempt = renewal.attempt, attempt.number == number, attempt.step == .awaitingAnswer else {
            return reject(.late)
        }
        guard candidates.count(answer.candidates) else { return reject(.tooMany) }
        attempt.step = .connecting
        attempt.peerFragment = answer.description.usernameFragment
        renewal.attempt = attempt
        return [.renew(.applyAnswer(number, answer.description, candidates: answer.candidates))]
            + start(.renewal, CallTiming.renewalAttempt)
    }

    /// Candidates go to the transport they were found for.
    mutating func pass(_ more: [ICECandidate]) -> [CallEffect] {
        guard let number = renewal.number(of: more) else { return reject(.late) }
        return number == 0 ? [.addCandidates(more)] : [.renew(.addCandidates(number, more))]
    }

    private var isOver: Bool { if case .ended = state { true } else { false } }

    // MARK: Media

    mutating func renewalOfferMade(
        _ number: Int, _ offer: SessionDescription, _ first: [ICECandidate]
    ) -> [CallEffect] {
        guard isOn, var attempt = renewal.attempt, attempt.number == number, attempt.step == .making else { return [] }
        attempt.step = .awaitingAnswer
        attempt.ownFragment = offer.usernameFragment
        renewal.attempt = attempt
        // The keys of the call stay, so none is sent.
        let message = CallOffer(
            callType: CallType(media: media, encryption: frameKey != nil), description: offer.numbered(number),
            candidates: first, publicKey: nil)
        return stop(.renewal) + [.send(.offer(wireID, message))]
    }

    mutating func renewalAnswerMade(
        _ number: Int, _ answer: SessionDescription, _ first: [ICECandidate]
    ) -> [CallEffect] {
        guard isOn, var attempt = renewal.attempt, attempt.number == number, attempt.step == .making else { return [] }
        attempt.step = .connecting
        attempt.ownFragment = answer.usernameFragment
        renewal.attempt = attempt
        let message = CallAnswer(description: answer.numbered(number), candidates: first)
        return [.send(.answer(wireID, message))] + start(.renewal, CallTiming.renewalAttempt)
    }

    /// Own candidates of a later transport name it by its fragment.
    func renewalCandidates(_ number: Int, _ own: [ICECandidate]) -> [CallEffect] {
        guard isOn, let fragment = renewal.ownFragment(of: number) else { return [] }
        let marked = own.map { candidate in
            var candidate = candidate
            candidate.usernameFragment = fragment
            return candidate
        }
        return stride(from: 0, to: marked.count, by: CandidateBoxes.maximumInMessage).map {
            .send(.extra(wireID, Array(marked[$0..<min($0 + CandidateBoxes.maximumInMessage, marked.count)])))
        }
    }

    /// The new transport is verified and has taken over.
    mutating func renewed(_ number: Int, at now: Int64) -> [CallEffect] {
        guard isOn, let attempt = renewal.attempt, attempt.number == number else { return [] }
        renewal.inUse = attempt
        renewal.attempt = nil
        return stop(.renewal) + back()
    }

    /// The new transport came to nothing.
    mutating func renewalFailed(_ number: Int, at now: Int64) -> [CallEffect] {
        guard isOn, renewal.attempt?.number == number else { return [] }
        renewal.attempt = nil
        return stop(.renewal) + tryAgain(at: now)
    }

    /// While nothing arrives there is another attempt; otherwise the call is well without.
    private mutating func tryAgain(at now: Int64) -> [CallEffect] {
        if case .acceptedByBothReconnecting = state { return wantTransport(.loss, at: now) }
        return []
    }

    // MARK: Loss and return

    mutating func mediaLost(at now: Int64) -> [CallEffect] {
        guard case .acceptedByBothConnected(let since) = state else { return [] }
        state = .acceptedByBothReconnecting(since: since)
        let time = renewal.isAgreed ? CallTiming.reconnectByRenewal : CallTiming.reconnect
        return start(.reconnect, time) + wantTransport(.loss, at: now)
    }

    mutating func mediaRecovered(at now: Int64) -> [CallEffect] {
        guard case .acceptedByBothReconnecting = state else { return [] }
        var effects = back()
        // Once the answer is there, both sides are making the new transport: then it takes over.
        if role == .callee, let attempt = renewal.attempt, attempt.cause == .loss, attempt.step != .connecting {
            renewal.attempt = nil
            // Of an offer that was not sent the caller knows nothing, and may ask.
            if attempt.step == .awaitingAnswer {
                renewal.withdrawn = Renewal.Withdrawn(number: attempt.number, at: now)
            }
            effects += stop(.renewal) + [.renew(.abandon(attempt.number))]
        }
        return effects
    }

    /// The peer is heard again.
    private mutating func back() -> [CallEffect] {
        renewal.askedAfter = nil
        var effects: [CallEffect] = []
        if renewal.waiting == .loss {
            renewal.waiting = nil
            effects += stop(.renewal)
        }
        guard case .acceptedByBothReconnecting(let since) = state else { return effects }
        state = .acceptedByBothConnected(since: since)
        return effects + stop(.reconnect)
    }

    /// The time of an attempt, or before the next one, is over.
    mutating func renewalTimeIsOver(at now: Int64) -> [CallEffect] {
        if let attempt = renewal.attempt {
            renewal.attempt = nil
            return [.renew(.abandon(attempt.number))] + tryAgain(at: now)
        }
        guard let cause = renewal.waiting else { return [] }
        return begin(cause, at: now)
    }
}
