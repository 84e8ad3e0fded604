/// Our half of the negotiation: what goes to the peer in signaling.
public struct LocalDescription: Sendable, Equatable, Codable {
    /// Offer or answer, without candidates.
    public var sdp: String
    /// The first candidates; more may follow as ``PeerSessionEvent/candidates(_:)``.
    public var candidates: [MediaCandidate]

    package init(sdp: String, candidates: [MediaCandidate]) { (self.sdp, self.candidates) = (sdp, candidates) }
}
