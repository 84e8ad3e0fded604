import Relay
import RelayRules
import SMPSession

// What the operator of a relay reads, in English only.

extension RelayStartError {
    /// One sentence that says what to do.
    var sentence: String {
        switch self {
        case .network(let error): error.sentence
        case .storage(.newerSchema):
            "The relay's state was written by a newer version of Parley; install that version or choose another folder."
        case .storage(.inUse): "Another relay uses the same state folder; stop it or choose another folder."
        case .storage(.damaged(let what)): "The relay's state is damaged (\(what)); restore it from a backup."
        case .storage(.unavailable(let reason)): "The relay's state can't be used: \(reason)."
        }
    }
}

extension TransportError {
    fileprivate var sentence: String {
        switch self {
        case .credentials(let reason): "The relay's certificate files can't be used: \(reason)."
        case .cannotListen(let place, nil): "The relay can't listen: \(place)."
        case .cannotListen(let place, let cause?): "The relay can't listen: \(place): \(cause.sentence)"
        case .tls(let reason): "This system's OpenSSL can't do what a relay needs: \(reason)."
        case .hostUnreachable(let host, let reason): "The relay \(host) can't be reached: \(reason)."
        case .socket(let reason): "The connection failed: \(reason)."
        default: "The relay does not start: \(self)."
        }
    }
}
