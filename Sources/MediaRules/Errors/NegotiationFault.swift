/// At which step offer and answer could not be exchanged.
public enum NegotiationFault: Hashable, Sendable {
    /// An offer was asked for while another negotiation is under way.
    case underWay
    /// An offer of the peer's came out of turn.
    case unexpectedOffer
    /// An answer of the peer's came out of turn.
    case unexpectedAnswer
    /// A path to this member of a group call is there already.
    case pathExists
    /// This m-line can't be added. (its index)
    case mediaLine(Int)
    /// GStreamer made no offer, or no answer. (its words, if it said any)
    case notMade(Description, gstreamer: String?)
    /// GStreamer can't read the peer's description, which had been checked.
    case unreadable
    /// GStreamer refused the own description, or the peer's. (its words)
    case notSet(Side, gstreamer: String)
    /// Packets come through, but no DTLS channel came of it in time.
    case noChannel
    /// DTLS failed.
    case channelFailed

    /// What is made here.
    public enum Description: String, Hashable, Sendable {
        case offer, answer
    }

    /// Whose description.
    public enum Side: String, Hashable, Sendable {
        case local, remote
    }
}
