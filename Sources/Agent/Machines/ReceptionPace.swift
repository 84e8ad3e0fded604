/// How soon a relay is told that a message on one queue was dealt with: it delivers the next one only then. What is of use
/// is acknowledged at once; what is not is borne in a burst, as after a restored backup, and then slowly, so that a relay
/// or a stranger that sends it without end costs neither processor, disk nor log.
///
/// Pure.
struct ReceptionPace: Equatable, Sendable {
    /// What a message was good for.
    enum Worth: Equatable, Sendable {
        /// It brought the connection or the application further.
        case useful
        /// It can't be read, came before, or only says that the queue was full.
        case useless
        /// It asks at a contact address, where anybody may.
        case request
    }

    private var useless = TokenBucket(capacity: 200, interval: 5_000)
    private var requests = TokenBucket(capacity: 20, interval: 6_000)

    /// The milliseconds to wait before the message is acknowledged.
    mutating func delay(after worth: Worth, at now: Int64) -> Int64 {
        switch worth {
        case .useful: 0
        case .useless: useless.spend(at: now)
        case .request: requests.spend(at: now)
        }
    }
}
