import BaseKit
import Cryptography
import Signaling

/// One call with one contact, from dialling or ringing to its end.
///
/// A value without I/O: an input goes in together with the time, effects come out. The state's name says who has
/// consented. A message that does not belong is counted and changes nothing.
///
/// What belongs together keeps its own state: the names (``CallIdentity``), the keys (``FrameKeyAgreement``), the clocks
/// (``CallClocks``), hold and waiting (``CallAttention``), what media reported (``MediaConnection``), candidates that wait (``CandidateBoxes``), new transports
/// (``Renewal``). Here is what connects them: which input does what in which state.
public struct CallMachine: Sendable {
    /// Who the call is with.
    public let contact: ContactID
    /// Who began it.
    public let direction: CallDirection
    /// What was not acted on.
    public private(set) var rejections = RejectionCounts()

    private var state: CallState
    private var media: CallMedia
    private var setup = SetupTimeline()
    private var duration: Duration?
    /// Whether the contact's device has confirmed that it has the invitation.
    private(set) var isDelivered = false
    /// Whether the relay has taken longer for the invitation than it should.
    private(set) var isWaitingForRelay = false
    private let policy: ClearMediaPolicy
    /// When it began, by both clocks; `wallClock` is in seconds since 1970.
    private let startedAt: (now: Instant, wallClock: Int64)

    private(set) var identity: CallIdentity
    private(set) var agreement: FrameKeyAgreement
    private(set) var clocks = CallClocks()
    private(set) var attention: CallAttention
    private(set) var connection = MediaConnection()
    private(set) var candidates = CandidateBoxes()
    private(set) var renewal = Renewal()

    // MARK: Beginning

    /// The local person dials. The invitation goes out and the time for an answer begins.
    public static func dial(
        _ contact: ContactID, media: CallMedia, callID: CallID, keys: CallKeys, policy: ClearMediaPolicy,
        abilities: PeerAbilities = [], at now: Instant, wallClock: Int64
    ) -> (CallMachine, [CallEffect]) {
        var machine = CallMachine(
            CallIdentity(callID, role: .caller), contact, .outgoing, .dialledAwaitingRelay, media,
            FrameKeyAgreement(dialledWith: keys), policy, abilities, (now, wallClock))
        let type = CallType(media: media, encryption: true)
        let invitation = CallInvitation(callType: type, publicKey: keys.publicKey, settlesCrossing: true)
        let effects =
            [.send(.invitation(callID, invitation))]
            + machine.clocks.start(.noAnswer, CallTiming.noAnswer) + machine.clocks.start(.relay, CallTiming.relay)
        return (machine, effects)
    }

    /// A contact calls. It rings for `ringLimit` at most; `early` are candidates that came before it.
    public static func ring(
        _ contact: ContactID, callID: CallID, invitation: CallInvitation, early: [ICECandidate],
        ringLimit: Duration, policy: ClearMediaPolicy, abilities: PeerAbilities = [], at now: Instant, wallClock: Int64
    ) -> (CallMachine, [CallEffect]) {
        var machine = CallMachine(
            CallIdentity(callID, role: .callee), contact, .incoming, .ringingWithoutConsent(invitation),
            invitation.callType.media, FrameKeyAgreement(invitedBy: invitation), policy, abilities, (now, wallClock))
        machine.setup.ringing = .zero
        _ = machine.candidates.keep(early)
        let effects = machine.clocks.start(.ringLimit, ringLimit)
        return (machine, effects)
    }

    /// A contact called, and nobody is to hear it: the call exists only to be told about.
    public static func unanswered(
        _ contact: ContactID, callID: CallID, invitation: CallInvitation, reason: CallEndReason, telling: Bool,
        at now: Instant, wallClock: Int64
    ) -> (CallMachine, [CallEffect]) {
        var machine = CallMachine(
            CallIdentity(callID, role: .callee), contact, .incoming, .ringingWithoutConsent(invitation),
            invitation.callType.media, FrameKeyAgreement(), .refuse, [], (now, wallClock))
        let effects = machine.end(reason, telling: telling, at: now)
        return (machine, effects)
    }

    private init(
        _ identity: CallIdentity, _ contact: ContactID, _ direction: CallDirection, _ state: CallState,
        _ media: CallMedia, _ agreement: FrameKeyAgreement, _ policy: ClearMediaPolicy,
        _ abilities: PeerAbilities, _ startedAt: (now: Instant, wallClock: Int64)
    ) {
        self.identity = identity
        self.contact = contact
        self.direction = direction
        self.state = state
        self.media = media
        self.agreement = agreement
        self.policy = policy
        attention = CallAttention(abilities: abilities)
        self.startedAt = startedAt
    }

    // MARK: What others see

    /// The call's name here. It never changes.
    public var callID: CallID { identity.callID }

    /// The call's name in messages.
    var wireID: CallID { identity.wireID }

    /// The part of this side in the protocol. It changes only when both called at once.
    public var role: CallRole { identity.role }

    /// All names of this call.
    var allIDs: Set<CallID> { identity.all }

    /// Whether messages under this name are this call's.
    public func knows(_ id: CallID) -> Bool { identity.all.contains(id) }

    /// Whether an invitation by the same contact is settled by comparing ids; otherwise it replaces the call.
    var isOpenToGlare: Bool { state.isOpenToGlare }

    /// Where the call stands.
    public var stage: CallStage { state.stage }

    /// What a person sees of the call.
    public var phase: CallPhase { state.phase(hasYielded: identity.yielded != nil) }

    /// Whether the local person takes part in it now: consented, and not on hold here.
    var isActive: Bool { stage.hasLocalConsent && !attention.hold.isHeldHere }

    /// Whether it can be put on hold.
    var canBeHeld: Bool { state.isOn }

    /// Whether the person can accept it, knowing or not that frames will not be encrypted.
    func canBeAccepted(clearMedia: Bool) -> Bool {
        guard case .ringingWithoutConsent(let invitation) = state else { return false }
        // Never silently: the person has to say it knowingly.
        return invitation.usableKey != nil || (clearMedia && policy != .refuse)
    }

    /// The call as others see it.
    public var update: CallUpdate { CallUpdate(self, media: media, setup: setup, duration: duration) }

    /// Whether there is media, open or being opened.
    var isMediaOpen: Bool { connection.isOpen }

    /// The clocks that run.
    var timers: Set<CallTimer> { clocks.running }

    // MARK: Inputs

    /// Takes one input at a moment of the call clock.
    public mutating func handle(_ input: CallInput, at now: Instant) -> [CallEffect] {
        switch input {
        case .person(.accept(let media, let keys, let clear)): accept(media, keys: keys, clearMedia: clear, at: now)
        case .person(.decline): decline(at: now)
        case .person(.ignore): ignore()
        case .person(.hold): setHeld(true)
        case .person(.resume): setHeld(false)
        case .person(.hangUp): hangUp(at: now)
        case .person(.continueWithClearMedia): continueWithClearMedia()
        case .relay(.invitationTaken): invitationTaken(at: now)
        case .relay(.invitationDelivered): invitationDelivered(at: now)
        case .relay(.sendingFailed): end(.signalingFailed, telling: true, at: now)
        case .relay(.contactGone): end(.contactGone, telling: false, at: now)
        case .peer(let message): receive(message, at: now)
        case .media(.opened): mediaOpened()
        case .media(.offerMade(let offer, let candidates)): offerMade(offer, candidates, at: now)
        case .media(.answerMade(let answer, let candidates)): answerMade(answer, candidates, at: now)
        case .media(.renewalOfferMade(let number, let offer, let candidates)):
            perform(renewal.offerMade(number, offer, candidates))
        case .media(.renewalAnswerMade(let number, let answer, let candidates)):
            perform(renewal.answerMade(number, answer, candidates))
        case .media(.event(let event)): mediaEvent(event, at: now)
        case .networkChanged(let hasLostAddress): networkChanged(hasLostAddress: hasLostAddress, at: now)
        case .attention(let isElsewhere): setWaiting(isElsewhere)
        case .clock(let timer): ranOut(timer, at: now)
        }
    }

    /// What the contact's program understands has become known, or changed.
    mutating func setAbilities(_ abilities: PeerAbilities) { attention.abilities = abilities }

    /// The contact calls anew: it has forgotten this call.
    mutating func replaced(at now: Instant) -> [CallEffect] { end(.replaced, telling: false, at: now) }

    /// The contact is blocked. A call that rings is over here alone: its caller hears it ring on. Any other is hung up.
    mutating func blocked(at now: Instant) -> [CallEffect] {
        guard case .ringingWithoutConsent = state else { return hangUp(at: now) }
        return end(.declined, telling: false, at: now)
    }

    // MARK: The local person

    /// The local person accepts the call that rings. Only here does an incoming call get consent.
    private mutating func accept(
        _ wanted: CallMedia, keys: CallKeys, clearMedia: Bool, at now: Instant
    ) -> [CallEffect] {
        guard case .ringingWithoutConsent(let invitation) = state, canBeAccepted(clearMedia: clearMedia) else {
            return []
        }
        do throws(CallEndReason) {
            try agreement.accept(keys, peerKey: invitation.usableKey)
        } catch {
            return end(error, telling: true, at: now)
        }
        media = invitation.callType.media.limited(to: wanted)
        state = .acceptedPreparingOffer
        reached(\.accepted, at: now)
        return clocks.stop(.ringLimit) + clocks.start(.connect, CallTiming.connect) + openMedia(.offerer)
    }

    /// The local person declines. The peer is told, so that it does not ring on.
    private mutating func decline(at now: Instant) -> [CallEffect] {
        guard case .ringingWithoutConsent = state else { return [] }
        return end(.declined, telling: true, at: now)
    }

    private mutating func ignore() -> [CallEffect] {
        if case .ringingWithoutConsent = state { attention.ignore() }
        return []
    }

    /// The local person puts the call that is on on hold, or goes on with it.
    private mutating func setHeld(_ isHeld: Bool) -> [CallEffect] {
        guard state.isOn, attention.hold.isHeldHere != isHeld else { return [] }
        return [.media(.hold(isHeld))] + tell(attention.setHeld(isHeld))
    }

    /// The local person is occupied with another call, or no more.
    private mutating func setWaiting(_ isWaiting: Bool) -> [CallEffect] {
        guard case .ringingWithoutConsent = state else { return [] }
        return tell(attention.setWaiting(isWaiting))
    }

    private func tell(_ standings: [CallStanding]) -> [CallEffect] {
        standings.map { .send(.standing(wireID, $0)) }
    }

    /// The local person ends the call, wherever it stands.
    private mutating func hangUp(at now: Instant) -> [CallEffect] {
        state.reason(hungUp: direction).map { end($0, telling: true, at: now) } ?? []
    }

    /// The local person was asked about missing frame encryption and wants the call still.
    private mutating func continueWithClearMedia() -> [CallEffect] {
        guard case .dialledDecidingOnClearMedia(let offer) = state else { return [] }
        return clocks.stop(.decision) + prepareAnswer(to: offer)
    }

    // MARK: The way to the relay

    private mutating func invitationTaken(at now: Instant) -> [CallEffect] {
        if direction == .outgoing { reached(\.ringing, at: now) }
        guard case .dialledAwaitingRelay = state else { return [] }
        state = .dialledRinging
        isWaitingForRelay = false
        // What it took to reach the relay is not taken from the contact's time to answer.
        return clocks.stop(.relay) + clocks.start(.noAnswer, CallTiming.noAnswer)
    }

    /// The receipt came in: what the contact's side sends from now on, it sends knowing of this call. A relay that delivered
    /// the invitation has taken it.
    private mutating func invitationDelivered(at now: Instant) -> [CallEffect] {
        isDelivered = true
        return invitationTaken(at: now)
    }

    // MARK: The peer

    /// Every message is checked for the role of its sender before anything else.
    private mutating func receive(_ message: CallMessage, at now: Instant) -> [CallEffect] {
        if message.callID == wireID {
            guard message.mayCome(from: role.opposite) else { return reject(.wrongRole) }
            switch message {
            case .invitation: return reject(state.isOver ? .late : .duplicate)
            case .offer(_, let offer): return receiveOffer(offer, at: now)
            case .answer(_, let answer): return receiveAnswer(answer, at: now)
            case .extra(_, let candidates): return receiveExtra(candidates)
            case .renew(_, let number):
                guard state.isOn else { return reject(state.isOver ? .late : .outOfTurn) }
                return perform(renewal.requested(after: number, at: now))
            case .standing(_, let standing): return receiveStanding(standing)
            case .end(_, let cause):
                guard let reason = state.reason(endedByPeer: cause) else { return reject(.late) }
                return end(reason, telling: false, at: now)
            }
        }
        if message.callID == identity.yielded?.callID { return receiveForYielded(message, at: now) }
        if identity.isFormer(message.callID) { return reject(.late) }
        if case .invitation(let id, let invitation) = message {
            return receiveOtherInvitation(id, invitation, at: now)
        }
        return reject(.unknownCall)
    }

    private mutating func reject(_ kind: MessageRejection) -> [CallEffect] {
        rejections.count(kind)
        return []
    }

    /// The contact accepts; the caller has consented by dialling, for no more than it dialled.
    private mutating func receiveOffer(_ offer: CallOffer, at now: Instant) -> [CallEffect] {
        switch state {
        case .dialledAwaitingRelay, .dialledRinging:
            reached(\.accepted, at: now)
            reached(\.offer, at: now)
            let stopped = clocks.stop(.noAnswer) + clocks.stop(.relay)
            guard let peerKey = offer.usableKey else { return stopped + missingKey(in: offer, at: now) }
            do throws(CallEndReason) {
                try agreement.agree(with: peerKey)
            } catch {
                return stopped + end(error, telling: true, at: now)
            }
            return stopped + prepareAnswer(to: offer)
        case .acceptedByBothConnected, .acceptedByBothReconnecting:
            guard offer.callType.encryption == (agreement.frameKey != nil) else { return reject(.outOfTurn) }
            return perform(renewal.offered(offer.description, offer.candidates, in: &candidates, at: now))
        case .dialledDecidingOnClearMedia, .ringingWithoutConsent, .acceptedPreparingOffer, .acceptedAwaitingAnswer,
            .acceptedByBothPreparingAnswer, .acceptedByBothConnecting:
            return reject(.outOfTurn)
        case .ended: return reject(.late)
        }
    }

    /// We asked for frame encryption and the peer would go without.
    private mutating func missingKey(in offer: CallOffer, at now: Instant) -> [CallEffect] {
        agreement.lacksPeerKey()
        switch policy {
        case .refuse: return end(.encryptionRefused, telling: true, at: now)
        case .ask:
            state = .dialledDecidingOnClearMedia(offer)
            return clocks.start(.decision, CallTiming.decision)
        }
    }

    private mutating func prepareAnswer(to offer: CallOffer) -> [CallEffect] {
        media = media.limited(to: offer.callType.media)
        state = .acceptedByBothPreparingAnswer(offer)
        renewal.agree(.caller, by: offer.description)
        return clocks.start(.connect, CallTiming.connect) + openMedia(.answerer)
    }

    private mutating func receiveAnswer(_ answer: CallAnswer, at now: Instant) -> [CallEffect] {
        switch state {
        case .acceptedAwaitingAnswer:
            identity.settle()
            reached(\.answer, at: now)
            state = .acceptedByBothConnecting
            renewal.agree(.callee, by: answer.description)
            let early = candidates.takeFromPeer()
            return clocks.stop(.noAnswer) + clocks.start(.connect, CallTiming.connect)
                + [.media(.applyAnswer(answer.description, candidates: answer.candidates + early))]
        case .acceptedByBothConnected, .acceptedByBothReconnecting:
            return perform(renewal.answered(answer.description, answer.candidates, in: &candidates))
        case .dialledAwaitingRelay, .dialledRinging, .dialledDecidingOnClearMedia, .ringingWithoutConsent,
            .acceptedPreparingOffer, .acceptedByBothPreparingAnswer, .acceptedByBothConnecting:
            return reject(.outOfTurn)
        case .ended: return reject(.late)
        }
    }

    /// The contact's side says where the call stands there. A call that is on there may still be connecting here.
    private mutating func receiveStanding(_ standing: CallStanding) -> [CallEffect] {
        switch state {
        case .dialledAwaitingRelay, .dialledRinging:
            guard standing == .waiting || standing == .ringing else { return reject(.outOfTurn) }
        case .acceptedByBothConnecting, .acceptedByBothConnected, .acceptedByBothReconnecting:
            guard standing == .held || standing == .resumed else { return reject(.outOfTurn) }
        case .dialledDecidingOnClearMedia, .ringingWithoutConsent, .acceptedPreparingOffer, .acceptedAwaitingAnswer,
            .acceptedByBothPreparingAnswer:
            return reject(.outOfTurn)
        case .ended: return reject(.late)
        }
        attention.heard(standing)
        return []
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
            guard !more.isEmpty else { return [] }
            guard let number = renewal.number(of: more) else { return reject(.late) }
            return number == 0 ? [.media(.addCandidates(more))] : [.media(.renew(.addCandidates(number, more)))]
        case .ended: return reject(.late)
        }
    }

    // MARK: Both call at once

    private mutating func receiveOtherInvitation(
        _ id: CallID, _ invitation: CallInvitation, at now: Instant
    ) -> [CallEffect] {
        guard isOpenToGlare else { return reject(state.isOver ? .late : .outOfTurn) }
        // A call without frame encryption never takes the place of one with it.
        guard identity.yields(to: id, invitation, isDelivered: isDelivered), let peerKey = invitation.usableKey,
            (try? agreement.agree(with: peerKey)) != nil
        else { return reject(.glare) }
        identity.yield(to: id, invitation, media: media)
        media = media.limited(to: invitation.callType.media)
        isWaitingForRelay = false
        state = .acceptedPreparingOffer
        reached(\.accepted, at: now)
        // The time for an answer runs on: a peer that knows no rule still rings.
        return clocks.stop(.relay) + openMedia(.offerer)
    }

    /// A message for the own call that was given up.
    private mutating func receiveForYielded(_ message: CallMessage, at now: Instant) -> [CallEffect] {
        guard message.mayCome(from: .callee) else { return reject(.wrongRole) }
        let hasOffered: Bool
        switch state {
        case .acceptedPreparingOffer: hasOffered = false
        case .acceptedAwaitingAnswer: hasOffered = true
        case .ended: return reject(.late)
        case .dialledAwaitingRelay, .dialledRinging, .dialledDecidingOnClearMedia, .ringingWithoutConsent,
            .acceptedByBothPreparingAnswer, .acceptedByBothConnecting, .acceptedByBothConnected,
            .acceptedByBothReconnecting:
            return reject(.outOfTurn)
        }
        switch message {
        case .invitation, .answer: return reject(.wrongRole)
        case .extra, .renew, .standing: return reject(.outOfTurn)
        case .end(_, let cause):
            return end(.beforeConnection(cause, otherwise: .declinedByPeer), telling: false, at: now)
        case .offer(_, let offer):
            guard identity.goesBack(for: offer, hasOffered: hasOffered), let own = identity.goBack() else {
                return reject(.glare)
            }
            media = own
            agreement.startOver()
            setup.accepted = nil
            setup.offer = nil
            state = .dialledRinging
            return closeMedia() + receiveOffer(offer, at: now)
        }
    }

    // MARK: Media

    private mutating func mediaOpened() -> [CallEffect] {
        switch state {
        case .acceptedPreparingOffer: return [.media(.makeOffer)]
        case .acceptedByBothPreparingAnswer(let offer):
            guard !candidates.hasPeerDescription else { return [] }
            let early = candidates.takeFromPeer()
            return [.media(.makeAnswer(to: offer.description, candidates: offer.candidates + early))]
        case .dialledAwaitingRelay, .dialledRinging, .dialledDecidingOnClearMedia, .ringingWithoutConsent,
            .acceptedAwaitingAnswer, .acceptedByBothConnecting, .acceptedByBothConnected,
            .acceptedByBothReconnecting, .ended:
            return []
        }
    }

    private mutating func offerMade(
        _ offer: SessionDescription, _ first: [ICECandidate], at now: Instant
    ) -> [CallEffect] {
        guard case .acceptedPreparingOffer = state else { return [] }
        reached(\.offer, at: now)
        state = .acceptedAwaitingAnswer
        candidates.allowSending()
        // Whoever called at the same moment may still have to accept; then the time for an answer counts.
        let timer = identity.yielded == nil ? clocks.start(.connect, CallTiming.connect) : []
        return [self.offer(offer, number: 0, first, publicKey: agreement.publicKey)] + timer + sendCandidates()
    }

    private mutating func answerMade(
        _ answer: SessionDescription, _ first: [ICECandidate], at now: Instant
    ) -> [CallEffect] {
        guard case .acceptedByBothPreparingAnswer = state else { return [] }
        reached(\.answer, at: now)
        state = .acceptedByBothConnecting
        candidates.allowSending()
        return [self.answer(answer, number: 0, first)] + clocks.start(.connect, CallTiming.connect) + sendCandidates()
            + connectedIfSecure(at: now)
    }

    /// Media events mean something only while there is media.
    private mutating func mediaEvent(_ event: CallMediaEvent, at now: Instant) -> [CallEffect] {
        guard isMediaOpen else { return [] }
        switch event {
        case .candidates(let own):
            candidates.collect(own)
            return timers.contains(.candidates) ? [] : sendCandidates()
        case .iceConnected: reached(\.iceConnected, at: now)
        case .dtlsConnected:
            reached(\.dtlsConnected, at: now)
            connection.connectedDTLS()
            return connectedIfSecure(at: now)
        case .fingerprintVerified:
            connection.verifiedFingerprint(true)
            return connectedIfSecure(at: now)
        case .fingerprintMismatch:
            connection.verifiedFingerprint(false)
            return end(.fingerprintMismatch, telling: true, at: now)
        case .firstVideoFrame, .firstAudioFrame: reached(\.firstFrame, at: now)
        case .peerMedia(let microphone, let camera, let screen, let isPicturePaused):
            connection.peerSends(
                microphone: microphone, camera: camera, screen: screen, isPicturePaused: isPicturePaused)
        case .peerHeld(let isHeld): attention.heard(isHeldByPeer: isHeld)
        case .lost: return mediaLost(at: now)
        case .recovered: return mediaRecovered(at: now)
        case .peerLeft: return end(.peerHungUp, telling: false, at: now)
        case .renewalCandidates(let number, let own): return perform(renewal.candidatesFound(number, own))
        case .renewed(let number): return renewed(number)
        case .renewalFailed(let number, _):
            return perform(renewal.failed(number, isReconnecting: state.isReconnecting, at: now))
        case .failed(let cause):
            connection.failed(cause)
            return end(.mediaFailed, telling: true, at: now)
        }
        return []
    }

    /// The connection counts only when DTLS is done and the certificate is the announced one.
    private mutating func connectedIfSecure(at now: Instant) -> [CallEffect] {
        guard case .acceptedByBothConnecting = state, connection.isSecure else { return [] }
        state = .acceptedByBothConnected(since: now)
        return clocks.stop(.connect)
    }

    // MARK: Loss, return and new transports

    /// The machine's addresses changed. While the connection is lost each change is a chance; otherwise only the loss of an
    /// address is a reason.
    private mutating func networkChanged(hasLostAddress: Bool, at now: Instant) -> [CallEffect] {
        guard state.isReconnecting || (state.isOn && hasLostAddress) else { return [] }
        return perform(renewal.want(.address, at: now))
    }

    private mutating func mediaLost(at now: Instant) -> [CallEffect] {
        guard case .acceptedByBothConnected(let since) = state else { return [] }
        state = .acceptedByBothReconnecting(since: since)
        let time = renewal.isAgreed ? CallTiming.reconnectByRenewal : CallTiming.reconnect
        return clocks.start(.reconnect, time) + perform(renewal.want(.loss, at: now))
    }

    private mutating func mediaRecovered(at now: Instant) -> [CallEffect] {
        guard state.isReconnecting else { return [] }
        return perform(renewal.heardAgain()) + restored() + perform(renewal.withdraw(at: now))
    }

    private mutating func renewed(_ number: Int) -> [CallEffect] {
        guard let actions = renewal.tookOver(number) else { return [] }
        return perform(actions) + restored()
    }

    private mutating func restored() -> [CallEffect] {
        guard case .acceptedByBothReconnecting(let since) = state else { return [] }
        state = .acceptedByBothConnected(since: since)
        return clocks.stop(.reconnect)
    }

    private mutating func perform(_ actions: [Renewal.Action]) -> [CallEffect] {
        actions.flatMap { action -> [CallEffect] in
            switch action {
            case .media(let step): [.media(.renew(step))]
            case .ask(let number): [.send(.renew(wireID, after: number))]
            // The keys of the call stay, so none is sent.
            case .offer(let number, let offer, let first): [self.offer(offer, number: number, first, publicKey: nil)]
            case .answer(let number, let answer, let first): [self.answer(answer, number: number, first)]
            case .candidates(let own): CandidateBoxes.cut(own).map { .send(.extra(wireID, $0)) }
            case .startClock(let time): clocks.start(.renewal, time)
            case .stopClock: clocks.stop(.renewal)
            case .reject(let kind): reject(kind)
            }
        }
    }

    // MARK: Clocks

    /// A clock ran out. One that was stopped meanwhile means nothing.
    private mutating func ranOut(_ timer: CallTimer, at now: Instant) -> [CallEffect] {
        guard clocks.ranOut(timer) else { return [] }
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
        case .renewal: return perform(renewal.timeIsOver(isReconnecting: state.isReconnecting, at: now))
        }
    }

    /// Notes that a step was reached, the first time it is.
    private mutating func reached(_ step: WritableKeyPath<SetupTimeline, Duration?>, at now: Instant) {
        if setup[keyPath: step] == nil { setup[keyPath: step] = now - startedAt.now }
    }

    // MARK: Messages

    private func offer(
        _ description: SessionDescription, number: Int, _ first: [ICECandidate], publicKey: X25519.PublicKey?
    ) -> CallEffect {
        let type = CallType(media: media, encryption: agreement.frameKey != nil)
        let message = CallOffer(
            callType: type, description: description.numbered(number), candidates: first, publicKey: publicKey)
        return .send(.offer(wireID, message))
    }

    private func answer(_ description: SessionDescription, number: Int, _ first: [ICECandidate]) -> CallEffect {
        .send(.answer(wireID, CallAnswer(description: description.numbered(number), candidates: first)))
    }

    /// Own candidates go out at most every 1.5 seconds.
    private mutating func sendCandidates() -> [CallEffect] {
        let messages = candidates.takeOwn()
        guard !messages.isEmpty else { return [] }
        return messages.map { .send(.extra(wireID, $0)) } + clocks.start(.candidates, CallTiming.candidates)
    }

    // MARK: Opening and ending

    /// The only place from which media is opened. Callers of it have local consent.
    private mutating func openMedia(_ role: MediaPlan.Role) -> [CallEffect] {
        connection.open()
        let plan = MediaPlan(
            role: role, media: media, frameKey: agreement.frameKey, offersTones: attention.abilities.contains(.tones))
        return [.openMedia(plan)]
    }

    private mutating func closeMedia() -> [CallEffect] {
        candidates.reset()
        renewal = Renewal()
        return connection.close() ? [.closeMedia] : []
    }

    /// Ends the call from any state; a call that is over stays as it is. Media goes first, then everything else.
    private mutating func end(_ reason: CallEndReason, telling: Bool, at now: Instant) -> [CallEffect] {
        guard !state.isOver else { return [] }
        duration = state.onSince.map { now - $0 }
        var effects = closeMedia() + clocks.stopAll()
        if telling { effects.append(.send(.end(wireID, because: reason.cause))) }
        // Whatever ended the other call, the contact's side may still be ringing for this one.
        if let yielded = identity.yielded, telling || reason == .peerHungUp {
            effects.append(.send(.end(yielded.callID, because: reason.cause)))
        }
        state = .ended(reason)
        agreement.wipe()
        effects.append(
            .record(
                CallLogEntry(
                    callID: callID, contact: contact, direction: direction, media: media,
                    startedAt: startedAt.wallClock, duration: duration, reason: reason, setup: setup)))
        effects.append(.finished(reason))
        return effects
    }
}
