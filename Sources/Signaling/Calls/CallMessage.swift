import Cryptography

/// `x.call.inv`: ring (Calls fact sheet §3).
public struct CallInvitation: Sendable, Hashable {
    /// What the caller wants to carry.
    public var callType: CallType
    /// The caller's key, present if it can encrypt.
    public var publicKey: X25519.PublicKey?
    /// Whether the caller's program settles calls that cross by comparing their ids, as ours does (docs/protocol.md). Others
    /// let the later received invitation replace their own call (Calls fact sheet §4).
    public var settlesCrossing: Bool

    /// Makes an invitation.
    public init(callType: CallType, publicKey: X25519.PublicKey?, settlesCrossing: Bool = false) {
        self.callType = callType
        self.publicKey = publicKey
        self.settlesCrossing = settlesCrossing
    }
}

/// `x.call.offer`: the callee accepted.
public struct CallOffer: Sendable, Hashable {
    /// What the callee wants to carry; it may be less than the invitation said.
    public var callType: CallType
    /// The callee's SDP offer.
    public var description: SessionDescription
    /// Its first candidates.
    public var candidates: [ICECandidate]
    /// The callee's key, present if it will encrypt.
    public var publicKey: X25519.PublicKey?

    /// Makes an offer.
    public init(
        callType: CallType, description: SessionDescription, candidates: [ICECandidate],
        publicKey: X25519.PublicKey?
    ) {
        self.callType = callType
        self.description = description
        self.candidates = candidates
        self.publicKey = publicKey
    }
}

/// `x.call.answer`: the caller's SDP answer.
public struct CallAnswer: Sendable, Hashable {
    /// The caller's SDP answer.
    public var description: SessionDescription
    /// Its first candidates.
    public var candidates: [ICECandidate]

    /// Makes an answer.
    public init(description: SessionDescription, candidates: [ICECandidate]) {
        self.description = description
        self.candidates = candidates
    }
}

/// One of the messages of a call: the five of the protocol, one between two Parleys that looks like the fourth, and one of their own.
public enum CallMessage: Sendable, Hashable {
    /// The caller rings.
    case invitation(CallID, CallInvitation)
    /// The callee accepts.
    case offer(CallID, CallOffer)
    /// The caller answers the offer.
    case answer(CallID, CallAnswer)
    /// Either side has more candidates.
    case extra(CallID, [ICECandidate])
    /// The caller asks for an offer for a new transport; the number is that of the last it knows. Never sent to a program
    /// that has not said that it understands it (``SessionDescription/transportNumber``).
    case renew(CallID, after: Int)
    /// Either side says where the call stands for its person. Never sent to a program that has not announced that it
    /// understands it (``PeerAbilities/callStanding``).
    case standing(CallID, CallStanding)
    /// Either side ends the call, or refuses it. The cause is nil where there is nothing more to say, or the peer says nothing.
    case end(CallID, because: CallEndCause? = nil)

    /// The call it belongs to.
    public var callID: CallID {
        switch self {
        case .invitation(let id, _), .offer(let id, _), .answer(let id, _), .extra(let id, _), .renew(let id, _),
            .standing(let id, _), .end(let id, _):
            id
        }
    }

    /// Whether it is sent with the flag that wakes the recipient; only the invitation is.
    public var notifies: Bool {
        if case .invitation = self { true } else { false }
    }

    /// Whether the call can't be without it; the others may be missed.
    public var isNeeded: Bool {
        switch self {
        case .invitation: true
        case .offer(_, let offer): (offer.description.transportNumber ?? 0) == 0
        case .answer(_, let answer): (answer.description.transportNumber ?? 0) == 0
        case .extra, .renew, .standing, .end: false
        }
    }
}
