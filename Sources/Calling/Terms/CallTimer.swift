/// The clocks that may run during a call.
public enum CallTimer: String, Sendable, Hashable, CaseIterable {
    /// The contact has not answered.
    case noAnswer
    /// The relay has not taken the invitation.
    case relay
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
    /// A new transport is being made, or has to wait a moment.
    case renewal
}

/// Periods of a call.
enum CallTiming {
    /// How long a contact is called, once a relay has the invitation; and before that, how long is tried to hand it over. Ours; the
    /// protocol leaves it to the program (Calls fact sheet §4).
    static let noAnswer: Duration = .seconds(60)
    /// How long a relay may take to take the invitation before the person is told. Ours.
    static let relay: Duration = .seconds(3)
    /// How old an invitation may be to ring (Calls fact sheet §4).
    static let invitationAge: Duration = .seconds(180)
    /// How long a call rings here, in all lives of the process together. Ours.
    static let ringing: Duration = .seconds(60)
    /// How long the connection may take (Calls fact sheet §5), and each step before it.
    static let connect: Duration = .seconds(30)
    /// How long a person may think about missing frame encryption. Ours.
    static let decision: Duration = .seconds(30)
    /// How long a lost connection may take to come back by itself. Ours.
    static let reconnect: Duration = .seconds(10)
    /// The same where both sides can make a new one: a cut of 30 seconds, noticed after four, and time for what follows.
    static let reconnectByRenewal: Duration = .seconds(40)
    /// How long a new transport may take to be made, and again to connect. Ours.
    static let renewalAttempt: Duration = .seconds(8)
    /// The least time between the beginnings of two attempts. Ours.
    static let renewalInterval: Duration = .seconds(3)
    /// How long candidates are collected before they are sent (Calls fact sheet §5).
    static let candidates: Duration = .milliseconds(1_500)
}
