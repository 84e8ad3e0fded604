/// What somebody announced about one feature in a profile (Calls fact sheet §2).
public enum FeaturePreference: String, Sendable, Hashable, CaseIterable {
    /// Allowed, whatever the other side announces.
    case always
    /// Allowed if the other side allows it too.
    case yes
    /// Not allowed.
    case no
}
