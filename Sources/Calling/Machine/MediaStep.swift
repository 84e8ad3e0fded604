import Signaling

/// What open media is to do, one step after the other.
public enum MediaStep: Sendable, Equatable {
    /// Make the offer.
    case makeOffer
    /// Answer the peer's offer.
    case makeAnswer(to: SessionDescription, candidates: [ICECandidate])
    /// Apply the peer's answer.
    case applyAnswer(SessionDescription, candidates: [ICECandidate])
    /// Use more candidates of the peer.
    case addCandidates([ICECandidate])
    /// Stop all sound and pictures and close the devices, or go on. The path stays open.
    case hold(Bool)
    /// Do something about a new transport, beside the one that carries the call.
    case renew(RenewalStep)
}
