/// When the steps of a call were reached, in milliseconds since it was dialled (caller) or first rang (callee).
public struct SetupTimeline: Sendable, Hashable {
    /// The relay took the invitation (caller), or the call rang (callee: always 0). The protocol has no message that
    /// says “it rings”.
    public internal(set) var ringing: Int64?
    /// The callee accepted; the caller learns it with the offer.
    public internal(set) var accepted: Int64?
    /// The offer was sent or received.
    public internal(set) var offer: Int64?
    /// The answer was sent or received.
    public internal(set) var answer: Int64?
    /// ICE found a path.
    public internal(set) var iceConnected: Int64?
    /// DTLS is done.
    public internal(set) var dtlsConnected: Int64?
    /// The first frame of the peer was decoded.
    public internal(set) var firstFrame: Int64?

    /// A timeline on which nothing has happened.
    public init() {}

    /// The steps reached, in the order in which they are reported, with their names.
    public var steps: [(name: String, milliseconds: Int64)] {
        let all: [(String, Int64?)] = [
            ("ringing", ringing), ("accepted", accepted), ("offer", offer), ("answer", answer),
            ("iceConnected", iceConnected), ("dtlsConnected", dtlsConnected), ("firstFrame", firstFrame),
        ]
        return all.compactMap { name, value in value.map { (name, $0) } }
    }
}
