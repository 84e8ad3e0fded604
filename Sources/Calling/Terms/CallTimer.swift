/// The clocks that may run during a call.
public enum CallTimer: String, Sendable, Hashable, CaseIterable {
    /// The contact has not answered.
    case noAnswer
    /// The call rings here.
    case ringLimit
    /// The local person has to decide about missing frame encryption.
    case decision
    /// Media is being opened, or the connection made.
    case connect
    /// The connection was lost.
    case reconnect
    /// Candidates are being collected before they are sent.
    case candidates
}

/// Periods of a call, in milliseconds unless the name says otherwise.
public enum CallTiming {
    /// How long a contact is called. Ours; the protocol leaves it to the program (call fact sheet §4).
    public static let noAnswer: Int64 = 60_000
    /// How old an invitation may be to ring, in seconds (call fact sheet §4).
    public static let invitationAgeInSeconds: Int64 = 180
    /// How long the connection may take (call fact sheet §5), and each step before it.
    public static let connect: Int64 = 30_000
    /// How long a person may think about missing frame encryption. Ours.
    public static let decision: Int64 = 30_000
    /// How long a lost connection may take to come back. Ours.
    public static let reconnect: Int64 = 10_000
    /// How long candidates are collected before they are sent (call fact sheet §5).
    public static let candidates: Int64 = 1_500
}
