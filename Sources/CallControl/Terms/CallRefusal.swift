import Portal

/// Why what was asked for does not happen. The raw value ends the name of the error on the bus.
package enum CallRefusal: String, Error, CaseIterable, Sendable {
    /// There is no such call, or no more.
    case noSuchCall = "NoSuchCall"
    /// There is no such contact.
    case noSuchContact = "NoSuchContact"
    /// The person has blocked the contact.
    case blocked = "Blocked"
    /// The call is not at a point where that can be done.
    case wrongState = "WrongState"
    /// Parley can't call now: it has no relay, or its profile is locked.
    case notReachable = "NotReachable"
    /// There is no display, and nothing is done that the person would not see.
    case noDisplay = "NoDisplay"
    /// The person was asked and did not agree.
    case cancelled = "Cancelled"
    /// The person does not let other programs control calls.
    case disabled = "Disabled"

    static let prefix = "im.parley.Parley.Error."

    /// As it is told over the bus.
    var failure: BusFailure {
        let message =
            switch self {
            case .noSuchCall: "no such call"
            case .noSuchContact: "no such contact"
            case .blocked: "the contact is blocked"
            case .wrongState: "the call is not at a point where that can be done"
            case .notReachable: "no calls can be made now"
            case .noDisplay: "there is no display to show it on"
            case .cancelled: "the person did not agree"
            case .disabled: "other programs may not control calls; the preferences change that"
            }
        return BusFailure(name: Self.prefix + rawValue, message: message)
    }
}
