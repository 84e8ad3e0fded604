/// What has come of a member of a call of several since it came last, whichever ways it came by.
public struct MemberReception: Sendable, Equatable {
    /// Whether sound of it was played.
    public var isHeard: Bool
    /// Whether pictures of it were shown.
    public var isSeen: Bool

    /// Nothing, by default.
    public init(isHeard: Bool = false, isSeen: Bool = false) { (self.isHeard, self.isSeen) = (isHeard, isSeen) }
}
