/// Which sides have put a call on hold. A call is heard again only when neither has.
public struct CallHold: Sendable, Hashable {
    /// Whether the local person has.
    public internal(set) var isHeldHere = false
    /// Whether the contact has, as its program says. Programs other than Parley fall silent without a word.
    public internal(set) var isHeldByPeer = false

    /// Neither has, by default.
    public init(isHeldHere: Bool = false, isHeldByPeer: Bool = false) {
        self.isHeldHere = isHeldHere
        self.isHeldByPeer = isHeldByPeer
    }
}

/// What becomes of the call that the local person takes part in when another one takes its place.
public enum PresentCall: String, Sendable, Hashable, CaseIterable {
    /// It is put on hold, which needs a call that is on.
    case hold
    /// It is ended.
    case end
}
