import Signaling

/// Who of two contacts may call the other (Calls fact sheet §2, table of the feature “calls”).
public struct CallPermissions: Sendable, Hashable {
    /// Whether the local person may call the contact.
    public let mayCall: Bool
    /// Whether the contact may call the local person.
    public let mayBeCalled: Bool

    /// Derives both from what each side announced in its profile.
    public init(mine: FeaturePreference, theirs: FeaturePreference) {
        mayCall = theirs == .always || (theirs == .yes && mine != .no)
        mayBeCalled = mine == .always || (mine == .yes && theirs != .no)
    }

    /// What holds as long as nobody announced anything: both may call.
    public static let initial = CallPermissions(mine: .yes, theirs: .yes)
}

/// What to do when a call would go on without frame encryption. It never does so silently.
public enum ClearMediaPolicy: Sendable, Hashable {
    /// End the call with ``CallEndReason/encryptionRefused``.
    case refuse
    /// Let the local person decide.
    case ask
}
