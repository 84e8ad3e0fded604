/// Whether the ratchets of both sides fit (Agent fact sheet §10). Raw values are stored.
public enum RatchetSynchronisation: Int, Equatable, Sendable, CaseIterable {
    /// They fit.
    case ok = 0
    /// A message could not be decrypted; new keys may help.
    case allowed = 1
    /// Nothing can be decrypted any more without new keys.
    case required = 2
    /// Own new keys are on their way.
    case started = 3
    /// Both sides' keys are known; the first message of the new ratchet has not come.
    case agreed = 4
    /// The store may be a copy of an earlier state: the ratchet must not encrypt again.
    case outdated = 5

    /// Whether both sides are about to take another ratchet.
    var isUnderWay: Bool {
        switch self {
        case .started, .agreed: true
        case .ok, .allowed, .required, .outdated: false
        }
    }

    /// Whether messages may leave.
    var allowsSending: Bool {
        switch self {
        case .ok, .allowed: true
        case .required, .started, .agreed, .outdated: false
        }
    }
}
