/// What became of a call, in the words that call logs use.
///
/// There is no “missed” among them: a call was missed if it came in and nobody took or declined it, which is ``noAnswer`` or
/// ``busy`` of an incoming one (``isMissed(_:)``). The same results of an outgoing call are the contact's.
public enum CallResult: UInt8, Sendable, Hashable, CaseIterable {
    /// It was on, and one of the two ended it.
    case completed = 1
    /// The one who was called declined it, or their settings did.
    case declined = 2
    /// Either of the two gave it up before it was on, and nobody had declined.
    case canceled = 3
    /// The one who was called did not answer while it rang, or could not be reached by it.
    case noAnswer = 4
    /// Both wanted to talk, and the connection was not made in time.
    case timedOut = 5
    /// It was on and broke off.
    case connectionLost = 6
    /// The one who called could not go on with it, or their side failed, before it was on.
    case dialFailed = 7
    /// The one who was called accepted, and something failed before it was on.
    case acceptFailed = 8
    /// Another device of the same person took it. Reserved: there are no such devices yet.
    case otherDeviceAccepted = 9
    /// The one who was called was in another call.
    case busy = 10
    /// It was ended to protect the person.
    case securityFailed = 11

    /// Whether a call of this direction with this result was missed: it came in, and nobody here took or declined it.
    public func isMissed(_ direction: CallDirection) -> Bool {
        switch self {
        case .noAnswer, .busy: direction == .incoming
        case .completed, .declined, .canceled, .timedOut, .connectionLost, .dialFailed, .acceptFailed,
            .otherDeviceAccepted, .securityFailed:
            false
        }
    }

    /// As files and command lines have it.
    public var name: String {
        switch self {
        case .completed: "completed"
        case .declined: "declined"
        case .canceled: "canceled"
        case .noAnswer: "noAnswer"
        case .timedOut: "timedOut"
        case .connectionLost: "connectionLost"
        case .dialFailed: "dialFailed"
        case .acceptFailed: "acceptFailed"
        case .otherDeviceAccepted: "otherDeviceAccepted"
        case .busy: "busy"
        case .securityFailed: "securityFailed"
        }
    }

    /// The result of this ``name``.
    public init?(name: String) {
        guard let result = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = result
    }
}

extension CallEndReason {
    /// What the log says of a call that ended for this reason; `wasOn` says whether people could talk in it.
    ///
    /// The only table of this kind. It has no default, so that every reason there will be is decided on.
    public func result(_ direction: CallDirection, wasOn: Bool) -> CallResult {
        switch self {
        case .hungUp, .peerHungUp: wasOn ? .completed : .canceled
        case .cancelled: .canceled
        case .declined, .declinedByPeer: .declined
        // The settings have declined it.
        case .notPermitted: .declined
        case .peerBusy, .missedWhileBusy, .missedInBusyMode: .busy
        case .noAnswer, .missed: .noAnswer
        // The newer call of the same contact is the one that counts, also as missed.
        case .replaced: wasOn ? .connectionLost : .canceled
        case .connectTimeout: .timedOut
        case .connectionLost: .connectionLost
        case .contactGone where wasOn: .connectionLost
        case .contactGone: direction == .outgoing ? .dialFailed : .noAnswer
        case .mediaFailed, .peerMediaFailed, .peerMediaStopped, .signalingFailed:
            wasOn ? .connectionLost : .failure(direction)
        case .fingerprintMismatch, .encryptionRefused, .keyAgreementFailed, .encryptionRefusedByPeer,
            .keyAgreementFailedAtPeer:
            .securityFailed
        }
    }
}

extension CallResult {
    /// What failed before the call was on, seen from here.
    public static func failure(_ direction: CallDirection) -> CallResult {
        direction == .outgoing ? .dialFailed : .acceptFailed
    }
}
