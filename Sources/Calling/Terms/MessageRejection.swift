/// Why a message of a peer was not acted on. Nothing else comes of it than a count.
public enum MessageRejection: String, Sendable, Hashable, CaseIterable {
    /// Only the other part in the call may send this message.
    case wrongRole
    /// The right part sent it, but not at this point.
    case outOfTurn
    /// The same invitation came again.
    case duplicate
    /// The call is over, or was given up for another; or it is about a transport that was.
    case late
    /// There is no such call.
    case unknownCall
    /// The call is with somebody else.
    case wrongContact
    /// Both called at once, and the own call stands.
    case glare
    /// More candidates than a call needs.
    case tooMany
    /// The contact rings, or asks for new transports, more often than anybody needs to.
    case tooOften
    /// The contact is blocked.
    case blocked
}

/// How often each kind of rejection happened.
public struct RejectionCounts: Sendable, Hashable {
    private var counts: [MessageRejection: Int] = [:]

    /// No rejection yet.
    public init() {}

    /// How often this kind happened.
    public subscript(kind: MessageRejection) -> Int { counts[kind, default: 0] }

    /// How many rejections there were in all.
    public var total: Int { counts.values.reduce(0, +) }

    mutating func count(_ kind: MessageRejection) { counts[kind, default: 0] += 1 }

    mutating func add(_ other: RejectionCounts) { counts.merge(other.counts, uniquingKeysWith: +) }
}
