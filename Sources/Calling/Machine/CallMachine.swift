import Cryptography
import Signaling

/// One call with one contact, from dialling or ringing to its end.
///
/// A value without I/O: an input goes in together with the time, effects come out. The state's name says who has
/// consented. A message that does not belong is counted and changes nothing.
public struct CallMachine: Sendable {
    enum State: Sendable {
        case dialledAwaitingRelay
        case dialledRinging
        case dialledDecidingOnClearMedia(CallOffer)
        case ringingWithoutConsent(CallInvitation)
        case acceptedPreparingOffer
        case acceptedAwaitingAnswer
        case acceptedByBothPreparingAnswer(CallOffer)
        case acceptedByBothConnecting
        case acceptedByBothConnected(since: Int64)
        case acceptedByBothReconnecting(since: Int64)
        case ended(CallEndReason)
    }

    /// The call's name here. It never changes.
    public let callID: CallID
    /// Who the call is with.
    public let contact: ContactID
    /// Who began it.
    public let direction: CallDirection
    /// The part of this side in the protocol. It changes only when both called at once (``Yielded``).
    public internal(set) var role: CallRole
    /// The call's name in messages.
    public internal(set) var wireID: CallID
    /// What was not acted on.
    public internal(set) var rejections = RejectionCounts()

    var state: State
    var media: CallMedia
    var setup = SetupTimeline()
    let policy: ClearMediaPolicy
    /// The milliseconds of the call clock and the seconds since 1970 at the beginning.
    let startedAt: (now: Int64, wallClock: Int64)

    var keys: CallKeys?
    var frameKey: SecretBytes?
    var isFrameEncrypted: Bool?
    /// The own call that was given up when both called at once, until the other one is answered.
    var yielded: Yielded?
    /// Names under which messages may still come that mean nothing any more.
    var formerIDs: Set<CallID> = []

    /// Whether the contact's device has confirmed that it has the invitation.
    var isDelivered = false
    /// Whether the relay has taken longer for the invitation than it should.
    var isWaitingForRelay = false
    var timers: Set<CallTimer> = []
    var isMediaOpen = false
    var security = SecurityChecks()
    var candidates = CandidateBoxes()
    var renewal = Renewal()
    var peerMicrophone = false
    var peerCamera = false
    var peerScreen = false
    var duration: Int64?
    var failure: String?

    /// The own call that was given up when both called at once.
    struct Yielded: Sendable {
        var callID: CallID
        var media: CallMedia
        /// Whether the contact's program compares ids as well.
        var isSettledByIDs: Bool
    }

    /// What has to hold before a connection counts.
    struct SecurityChecks: Sendable {
        var isDTLSConnected = false
        var isFingerprintVerified = false
        var isComplete: Bool { isDTLSConnected && isFingerprintVerified }
    }

    /// The local person dials. The invitation goes out and the time for an answer begins.
    public static func dial(
        _ contact: ContactID, media: CallMedia, callID: CallID, keys: CallKeys, policy: ClearMediaPolicy,
        at now: Int64, wallClock: Int64
    ) -> (CallMachine, [CallEffect]) {
        var machine = CallMachine(
            callID: callID, contact: contact, direction: .outgoing, role: .caller, state: .dialledAwaitingRelay,
            media: media, policy: policy, startedAt: (now, wallClock))
        machine.keys = keys
        let type = CallType(media: media, encryption: true)
        let invitation = CallInvitation(callType: type, publicKey: keys.publicKey, settlesCrossing: true)
        let effects =
            [.send(.invitation(callID, invitation))]
            + machine.start(.noAnswer, CallTiming.noAnswer) + machine.start(.relay, CallTiming.relay)
        return (machine, effects)
    }

    /// A contact calls. It rings until the invitation is too old; `early` are candidates that came before it.
    public static func ring(
        _ contact: ContactID, callID: CallID, invitation: CallInvitation, early: [ICECandidate],
        ringLimit milliseconds: Int64, policy: ClearMediaPolicy, at now: Int64, wallClock: Int64
    ) -> (CallMachine, [CallEffect]) {
        var machine = CallMachine(
            callID: callID, contact: contact, direction: .incoming, role: .callee,
            state: .ringingWithoutConsent(invitation), media: invitation.callType.media, policy: policy,
            startedAt: (now, wallClock))
        machine.setup.ringing = 0
        machine.isFrameEncrypted = invitation.usableKey != nil
        _ = machine.candidates.keep(early)
        let effects = machine.start(.ringLimit, milliseconds)
        return (machine, effects)
    }

    /// A contact called, and nobody is to hear it: the call exists only to be told about.
    public static func unanswered(
        _ contact: ContactID, callID: CallID, invitation: CallInvitation, reason: CallEndReason, telling: Bool,
        at now: Int64, wallClock: Int64
    ) -> (CallMachine, [CallEffect]) {
        var machine = CallMachine(
            callID: callID, contact: contact, direction: .incoming, role: .callee,
            state: .ringingWithoutConsent(invitation), media: invitation.callType.media, policy: .refuse,
            startedAt: (now, wallClock))
        let effects = machine.end(reason, telling: telling, at: now)
        return (machine, effects)
    }

    private init(
        callID: CallID, contact: ContactID, direction: CallDirection, role: CallRole, state: State,
        media: CallMedia, policy: ClearMediaPolicy, startedAt: (now: Int64, wallClock: Int64)
    ) {
        self.callID = callID
        wireID = callID
        self.contact = contact
        self.direction = direction
        self.role = role
        self.state = state
        self.media = media
        self.policy = policy
        self.startedAt = startedAt
    }

    /// Takes one input at a time of the call clock, in milliseconds.
    public mutating func handle(_ input: CallInput, at now: Int64) -> [CallEffect] {
        switch input {
        case .person(.accept(let media, let keys, let clear)): accept(media, keys: keys, clearMedia: clear, at: now)
        case .person(.decline): decline(at: now)
        case .person(.hangUp): hangUp(at: now)
        case .person(.continueWithClearMedia): continueWithClearMedia(at: now)
        case .relay(.invitationTaken): invitationTaken(at: now)
        case .relay(.invitationDelivered): invitationDelivered(at: now)
        case .relay(.sendingFailed): end(.signalingFailed, telling: true, at: now)
        case .relay(.contactGone): end(.contactGone, telling: false, at: now)
        case .peer(let message): receive(message, at: now)
        case .media(.opened): mediaOpened()
        case .media(.offerMade(let offer, let candidates)): offerMade(offer, candidates, at: now)
        case .media(.answerMade(let answer, let candidates)): answerMade(answer, candidates, at: now)
        case .media(.renewalOfferMade(let number, let offer, let candidates)):
            renewalOfferMade(number, offer, candidates)
        case .media(.renewalAnswerMade(let number, let answer, let candidates)):
            renewalAnswerMade(number, answer, candidates)
        case .media(.event(let event)): mediaEvent(event, at: now)
        case .networkChanged(let hasLostAddress): networkChanged(hasLostAddress: hasLostAddress, at: now)
        case .clock(let timer): ranOut(timer, at: now)
        }
    }

    /// Whether messages under this name are this call's.
    public func knows(_ id: CallID) -> Bool {
        id == callID || id == wireID || id == yielded?.callID || formerIDs.contains(id)
    }

    /// All names of this call.
    public var allIDs: Set<CallID> {
        formerIDs.union([callID, wireID]).union(yielded.map { [$0.callID] } ?? [])
    }
}

extension CallInvitation {
    /// The key, if the caller both can encrypt and sent one.
    var usableKey: X25519.PublicKey? { callType.encryption ? publicKey : nil }
}

extension CallOffer {
    /// The key, if the callee both will encrypt and sent one.
    var usableKey: X25519.PublicKey? { callType.encryption ? publicKey : nil }
}
