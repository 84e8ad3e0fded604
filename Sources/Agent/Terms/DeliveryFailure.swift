/// Why one attempt to hand a message to the peer's relay failed, as far as the delivery rules care.
///
/// Agent fact sheet §9.
enum DeliveryFailure: Error, Equatable, Sendable {
    /// No connection, a timeout, a relay in trouble: worth repeating.
    case unreachable
    /// The peer's queue holds all it may hold.
    case full
    /// AUTH: the peer deleted its queue or switched it off.
    case refused
    /// Nothing was sent: what it has to be encrypted with is being replaced.
    case postponed
    /// No own relay forwards there, and direct connections are not allowed.
    case unroutable
    /// Any other answer; repeating would not change it. The text is the relay's error, never message content.
    case rejected(String)

    /// Whether another attempt may succeed.
    var isTemporary: Bool {
        switch self {
        case .unreachable, .full, .postponed: true
        case .refused, .unroutable, .rejected: false
        }
    }
}
