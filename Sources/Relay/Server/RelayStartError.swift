import RelayRules
import SMPSession

/// Why a relay does not start.
public enum RelayStartError: Error, Equatable, Sendable {
    /// It can't listen, or its certificates can't be used: `TransportError.cannotListen` or `.credentials`.
    case network(TransportError)
    /// Its state on disk can't be used.
    case storage(RelayStorageError)
}
