import Relay
import RelayRules
import SMPSession

extension TransportError: Worded {
    public var sentence: String {
        switch self {
        case .hostUnreachable(let host, let reason): tr("The relay %1$s can't be reached: %2$s.", host, reason)
        case .timeout(.connect): tr("The relay did not accept the connection in time.")
        case .timeout(.tls): tr("The relay did not finish setting up encryption in time.")
        case .timeout(.hello): tr("The relay did not greet in time.")
        case .wrongFingerprint: tr("This is not the relay the address names: its fingerprint differs.")
        case .badCertificate(let fault): tr("The relay's certificate was refused: %s.", fault.words)
        case .tls(let reason): tr("Encryption with the relay failed: %s.", reason)
        case .noApplicationProtocol: tr("The server is not an SMP relay, or a very old one.")
        case .hello(let fault): tr("The relay's greeting was refused: %s.", fault.words)
        case .version:
            tr("The relay is too old for this Parley, or this Parley for the relay: they share no version of SMP.")
        case .block: tr("The relay sent data that can't be read.")
        case .protocolViolation(let violation): tr("The relay broke the protocol: %s.", violation.words)
        case .closedByPeer: tr("The relay closed the connection.")
        case .closed: tr("The connection was closed.")
        case .socket(let reason): tr("The connection failed: %s.", reason)
        case .silent: tr("The relay stopped answering.")
        case .noReachableHost: tr("The relay's address names no host that can be reached from here.")
        case .credentials(let fault): tr("The relay's certificate files can't be used: %s.", fault.words)
        case .cannotListen(let place, nil): tr("The relay can't listen: %s.", place)
        case .cannotListen(let place, let cause?): tr("The relay can't listen: %1$s: %2$s", place, cause.sentence)
        }
    }
}

extension CertificateFault {
    fileprivate var words: String {
        switch self {
        case .chainLength(let length): tr("a chain of %s where 2 to 4 certificates are allowed", length)
        case .malformed: tr("it is malformed")
        case .leafVersion: tr("it is not a version 3 certificate")
        case .validityDates: tr("it has expired or is not valid yet")
        case .path(let reason): reason
        }
    }
}

extension CertificateFileFault {
    fileprivate var words: String {
        switch self {
        case .missing(let file): tr("%s is missing", file)
        case .noCertificate(let file): tr("%s holds no certificate", file)
        case .malformed(let file): tr("%s is malformed", file)
        case .noKey(let file): tr("%s does not hold one Ed25519 or Ed448 key", file)
        case .noIdentity: tr("the identity's certificate is missing")
        case .otherKey: tr("the key does not belong to the certificate")
        case .malformedCertificate: tr("a certificate is malformed")
        case .notSigning: tr("the key is not one for signatures")
        case .greeting: tr("they are too large for a greeting")
        case .system(.makeFolder, let path, let reason): tr("the folder %1$s can't be made: %2$s", path, reason)
        case .system(.read, let path, let reason): tr("%1$s can't be read: %2$s", path, reason)
        case .system(.write, let path, let reason): tr("%1$s can't be written: %2$s", path, reason)
        case .openSSL(let reason): reason
        }
    }
}

extension ProtocolViolation {
    fileprivate var words: String {
        switch self {
        case .unacknowledgedMessage: tr("it sent a message before the last one was acknowledged")
        case .unsolicitedEvents: tr("it sent what nobody asked for")
        }
    }
}

extension HelloFault {
    fileprivate var words: String {
        switch self {
        case .malformed: tr("it is malformed")
        case .sessionIdentifier: tr("it belongs to another session")
        case .certificateChain: tr("its certificates differ from those of the connection")
        case .signature: tr("its signature is wrong")
        case .missingKey: tr("its key is missing")
        case .keyHash: tr("it names another relay")
        case .unsupportedService: tr("it announces a service that is not supported")
        }
    }
}

extension RelayStartError: Worded {
    public var sentence: String {
        switch self {
        case .network(let error): error.sentence
        case .storage(.newerSchema):
            tr(
                "The relay's state was written by a newer version of Parley; install that version or choose another folder."
            )
        case .storage(.inUse): tr("Another relay uses the same state folder; stop it or choose another folder.")
        case .storage(.damaged(let what)): tr("The relay's state is damaged (%s); restore it from a backup.", what)
        case .storage(.unavailable(let reason)): tr("The relay's state can't be used: %s.", reason)
        }
    }
}
