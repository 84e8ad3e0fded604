/// When the steps of a call were reached, counted from when it was dialled (caller) or first rang (callee).
public struct SetupTimeline: Sendable, Hashable {
    /// The relay took the invitation (caller), or the call rang (callee: always zero). The protocol has no message that
    /// says “it rings”.
    public internal(set) var ringing: Duration?
    /// The callee accepted; the caller learns it with the offer.
    public internal(set) var accepted: Duration?
    /// The offer was sent or received.
    public internal(set) var offer: Duration?
    /// The answer was sent or received.
    public internal(set) var answer: Duration?
    /// ICE found a path.
    public internal(set) var iceConnected: Duration?
    /// DTLS is done.
    public internal(set) var dtlsConnected: Duration?
    /// The first frame of the peer was decoded.
    public internal(set) var firstFrame: Duration?

    /// A timeline on which nothing has happened.
    public init() {}

    /// The steps reached, in the order in which they are reported, with their names.
    public var steps: [(name: String, time: Duration)] {
        let all: [(String, Duration?)] = [
            ("ringing", ringing), ("accepted", accepted), ("offer", offer), ("answer", answer),
            ("iceConnected", iceConnected), ("dtlsConnected", dtlsConnected), ("firstFrame", firstFrame),
        ]
        return all.compactMap { name, value in value.map { (name, $0) } }
    }
}
