import Signaling

/// Candidates of both sides that have to wait.
///
/// The peer's wait until media has the peer's description; they are data until then and touch nothing. The own wait
/// until the protocol allows to send them: after the offer (callee) or the answer (caller), Calls fact sheet §4.
struct CandidateBoxes: Sendable {
    /// The most candidates of a peer that a call keeps or passes on.
    static let maximumFromPeer = 1_024
    /// The most candidates in one message, so that it fits.
    static let maximumInMessage = 48

    /// Whether media has the peer's description.
    private(set) var hasPeerDescription = false
    /// Whether own candidates may be sent.
    private(set) var maySend = false
    private var fromPeer: [ICECandidate] = []
    private var countFromPeer = 0
    private var own: [ICECandidate] = []

    /// Keeps candidates of the peer; false if there are too many.
    mutating func keep(_ candidates: [ICECandidate]) -> Bool {
        guard count(candidates) else { return false }
        fromPeer += candidates
        return true
    }

    /// Counts candidates of the peer; false if there are too many.
    mutating func count(_ candidates: [ICECandidate]) -> Bool {
        guard countFromPeer + candidates.count <= Self.maximumFromPeer else { return false }
        countFromPeer += candidates.count
        return true
    }

    /// The peer's candidates that were kept; from now on they are not kept any more.
    mutating func takeFromPeer() -> [ICECandidate] {
        hasPeerDescription = true
        defer { fromPeer = [] }
        return fromPeer
    }

    /// The own description is out: own candidates may follow.
    mutating func allowSending() { maySend = true }

    /// Keeps own candidates.
    mutating func collect(_ candidates: [ICECandidate]) { own += candidates }

    /// The own candidates that wait, cut into messages, if they may be sent.
    mutating func takeOwn() -> [[ICECandidate]] {
        guard maySend, !own.isEmpty else { return [] }
        defer { own = [] }
        return Self.cut(own)
    }

    /// Candidates in parts that fit into one message each.
    static func cut(_ candidates: [ICECandidate]) -> [[ICECandidate]] {
        stride(from: 0, to: candidates.count, by: maximumInMessage).map {
            Array(candidates[$0..<min($0 + maximumInMessage, candidates.count)])
        }
    }

    /// Forgets everything: media was closed.
    mutating func reset() { self = CandidateBoxes() }
}
