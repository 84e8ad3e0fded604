/// An SDP text with its kind (Calls fact sheet §3.2). What the SDP says is not looked at here.
public struct SessionDescription: Sendable, Hashable {
    /// Which half of the negotiation it is.
    public enum Kind: String, Sendable, Hashable {
        /// The callee's half.
        case offer
        /// The caller's half.
        case answer
    }

    /// Which half of the negotiation it is.
    public var kind: Kind
    /// The SDP text (RFC 8866).
    public var sdp: String

    /// Pairs the two.
    public init(kind: Kind, sdp: String) {
        self.kind = kind
        self.sdp = sdp
    }
}
