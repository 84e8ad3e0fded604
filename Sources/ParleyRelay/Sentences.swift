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
        case .credentials(let fault): "The relay's certificate files can't be used: \(fault.words)."
        case .cannotListen(let place, nil): "The relay can't listen: \(place)."
        case .cannotListen(let place, let cause?): "The relay can't listen: \(place): \(cause.sentence)"
        case .tls(let reason): "This system's OpenSSL can't do what a relay needs: \(reason)."
        case .hostUnreachable(let host, let reason): "The relay \(host) can't be reached: \(reason)."
        case .socket(let reason): "The connection failed: \(reason)."
        default: "The relay does not start: \(self)."
        }
    }
}

extension CertificateFileFault {
    fileprivate var words: String {
        switch self {
        case .missing(let file): "\(file) is missing"
        case .noCertificate(let file): "\(file) holds no certificate"
        case .malformed(let file): "\(file) is malformed"
        case .noKey(let file): "\(file) does not hold one Ed25519 or Ed448 key"
        case .noIdentity: "the identity's certificate is missing"
        case .otherKey: "the key does not belong to the certificate"
        case .malformedCertificate: "a certificate is malformed"
        case .notSigning: "the key is not one for signatures"
        case .greeting: "they are too large for a greeting"
        case .system(.makeFolder, let path, let reason): "the folder \(path) can't be made: \(reason)"
        case .system(.read, let path, let reason): "\(path) can't be read: \(reason)"
        case .system(.write, let path, let reason): "\(path) can't be written: \(reason)"
        case .openSSL(let reason): reason
        }
    }
}
