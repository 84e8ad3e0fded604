import Signaling

/// What media is to do about a new transport; the number is the transport's.
public enum RenewalStep: Sendable, Equatable {
    /// Make one and its offer (callee).
    case makeOffer(Int)
    /// Make one and answer the peer's offer (caller).
    case makeAnswer(Int, to: SessionDescription, candidates: [ICECandidate])
    /// Apply the peer's answer (callee).
    case applyAnswer(Int, SessionDescription, candidates: [ICECandidate])
    /// Give it more candidates of the peer.
    case addCandidates(Int, [ICECandidate])
    /// Give up what has not taken over.
    case abandon(Int)
}
