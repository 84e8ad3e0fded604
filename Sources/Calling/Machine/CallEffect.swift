import Signaling

/// What is to be done after an input, in this order.
///
/// The ringer is not among it: who rings looks at ``CallUpdate/isRinging``, a target state that cannot be left half done.
public enum CallEffect: Sendable, Equatable {
    /// Send a message to the contact.
    case send(CallMessage)
    /// Open media. Only ever comes after local consent.
    case openMedia(MediaPlan)
    /// Let open media do something.
    case media(MediaStep)
    /// Close media, whatever it is doing.
    case closeMedia
    /// Start a clock that runs out after this time, or start it over.
    case startTimer(CallTimer, Duration)
    /// Stop a clock.
    case stopTimer(CallTimer)
    /// Keep a finished call.
    case record(CallLogEntry)
    /// The call is over; nothing follows.
    case finished(CallEndReason)
}

extension CallEffect {
    /// Whether it touches a device, the network or anything else that needs consent.
    var touchesMedia: Bool {
        switch self {
        case .openMedia, .media: true
        case .send, .closeMedia, .startTimer, .stopTimer, .record, .finished: false
        }
    }
}
