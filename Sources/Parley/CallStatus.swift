import Calling

extension Call {
    /// Where a call stands, in one word.
    public enum Status: Sendable, Hashable {
        /// The contact calls, and nobody here has answered.
        case ringing
        /// The contact is being called.
        case calling
        /// Both want to talk; the connection is being made.
        case connecting
        /// It is on.
        case active
        /// It was on, and the connection is being restored.
        case reconnecting
        /// It is over, for this reason.
        case ended(CallEndReason)
    }
}

extension CallState {
    /// Where the call stands.
    public var status: Call.Status { Call.Status(phase) }
}

extension Call.Status {
    init(_ phase: CallPhase) {
        self =
            switch phase {
            case .ringingOut: .calling
            case .ringingIn: .ringing
            case .connecting: .connecting
            case .active: .active
            case .reconnecting: .reconnecting
            case .ended(let reason): .ended(reason)
            }
    }
}
