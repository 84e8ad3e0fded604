import Signaling

/// Which part somebody plays in the protocol. The callee makes the SDP offer (Calls fact sheet §8).
public enum CallRole: Sendable, Hashable, CaseIterable {
    /// Sends the invitation and answers the offer.
    case caller
    /// Gets the invitation and makes the offer.
    case callee

    /// The other side's part.
    var opposite: CallRole { self == .caller ? .callee : .caller }
}

/// Who began a call.
public enum CallDirection: String, Sendable, Hashable {
    /// The local person dialled.
    case outgoing
    /// The contact did.
    case incoming
}

extension CallMessage {
    /// Whether somebody playing this part may send the message at all, in whatever state.
    func mayCome(from role: CallRole) -> Bool {
        switch self {
        case .invitation, .answer, .renew: role == .caller
        case .offer: role == .callee
        case .standing(_, .waiting), .standing(_, .ringing): role == .callee
        case .extra, .standing, .end: true
        }
    }
}
