import Calling
import Signaling

/// A call that came in and that nobody has taken, declined or missed yet. It outlives the process.
public struct PendingCall: Sendable, Equatable, Identifiable {
    /// The call.
    public let id: CallID
    /// Who calls.
    public let contact: Contact
    /// When it came in, in seconds since 1970.
    public let arrivedAt: Int64
    /// What they want.
    public let media: CallMedia
    /// The name of the profile it came to (`Account.displayName`).
    public let profile: String
}
