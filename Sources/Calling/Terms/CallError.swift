/// Why something the person asked for cannot be done.
public enum CallError: Error, Equatable, Sendable {
    /// Another call is on and was not to make room, or can't be put on hold yet; or there are as many calls as there can be.
    case busy
    /// The contact does not accept calls, or the own preference forbids them.
    case notPermitted
    /// The contact is blocked.
    case blocked
    /// There is no such call, or it is not in a state for this.
    case noSuchCall
    /// The call is over already, for this reason.
    case over(CallEndReason)
}
