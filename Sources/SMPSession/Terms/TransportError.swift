/// Why a connection to a relay could not be made or ended.
public enum TransportError: Error, Equatable, Sendable {
    /// The host name is unknown or nothing answers at the address.
    case hostUnreachable(host: String, reason: String)
    /// The relay did not answer in time.
    case timeout(TransportStage)
    /// The relay's identity certificate is not the one that its address names.
    case wrongFingerprint
    /// The certificate chain is not one of those SMP allows (SMP fact sheet §2).
    case badCertificate(CertificateFault)
    /// TLS failed for another reason, told in OpenSSL's words.
    case tls(String)
    /// The peers share no application protocol (ALPN).
    case noApplicationProtocol
    /// The hello was malformed or did not fit the TLS session.
    case hello(HelloFault)
    /// The peers share no SMP version.
    case version
    /// A block could not be decrypted or read.
    case block
    /// The relay sent what nobody asked for.
    case protocolViolation(ProtocolViolation)
    /// The peer closed the connection.
    case closedByPeer
    /// This side closed the connection.
    case closed
    /// The operating system reported an error on the socket.
    case socket(String)
    /// The relay stopped answering keep-alive requests.
    case silent
    /// The address names only hosts that can't be reached from here, such as onion services.
    case noReachableHost
    /// A local certificate or key file is missing, malformed or doesn't fit the others.
    case credentials(String)
    /// The listening socket could not be opened.
    case cannotListen(String)
    /// The relay's queues on disk can't be used.
    case storage(String)
}

extension TransportError {
    /// Whether another attempt would fail in the same way: the relay was reached and is not one that can be used.
    public var isLasting: Bool {
        switch self {
        case .wrongFingerprint, .badCertificate, .noApplicationProtocol, .hello, .version, .noReachableHost: true
        case .hostUnreachable, .timeout, .tls, .block, .protocolViolation, .closedByPeer, .closed, .socket, .silent,
            .credentials,
            .cannotListen, .storage:
            false
        }
    }
}

/// The step of setting up a connection that was under way.
public enum TransportStage: String, Equatable, Sendable {
    case connect, tls, hello, command
}

/// What is wrong with a relay's certificate chain.
public enum CertificateFault: Equatable, Sendable {
    /// SMP allows chains of 2 to 4 certificates (SMP fact sheet §2).
    case chainLength(Int)
    /// A certificate is not valid DER.
    case malformed
    /// The leaf is not an X.509 version 3 certificate.
    case leafVersion
    /// A certificate is past its date, or not valid yet.
    case validityDates
    /// Each certificate must be issued by the next one of the chain.
    case path(String)
}

/// How a relay broke the protocol after the hellos (SMP fact sheet §9.2).
public enum ProtocolViolation: Equatable, Sendable {
    /// A message of a queue came before the one before it was acknowledged.
    case unacknowledgedMessage
    /// Far more came that no request asked for than can be a matter of timing.
    case unsolicitedEvents
}

/// What is wrong with a hello (SMP fact sheet §4).
public enum HelloFault: Equatable, Sendable {
    case malformed
    case sessionIdentifier
    case certificateChain
    case signature
    case missingKey
    case keyHash
    case unsupportedService
}

extension TransportError: CustomStringConvertible {
    /// One sentence for a person.
    public var description: String {
        switch self {
        case .hostUnreachable(let host, let reason): "The relay \(host) can't be reached: \(reason)."
        case .timeout(.connect): "The relay did not accept the connection in time."
        case .timeout(.tls): "The relay did not finish setting up encryption in time."
        case .timeout(.hello): "The relay did not greet in time."
        case .timeout(.command): "The relay did not answer in time."
        case .wrongFingerprint: "This is not the relay the address names: its fingerprint differs."
        case .badCertificate(let fault): "The relay's certificate was refused: \(fault)."
        case .tls(let reason): "Encryption with the relay failed: \(reason)."
        case .noApplicationProtocol: "The server is not an SMP relay, or a very old one."
        case .hello(let fault): "The relay's greeting was refused: \(fault)."
        case .version:
            "The relay is too old for this Parley, or this Parley for the relay: they share no version of SMP."
        case .block: "The relay sent data that can't be read."
        case .protocolViolation(let violation): "The relay broke the protocol: \(violation)."
        case .closedByPeer: "The relay closed the connection."
        case .closed: "The connection was closed."
        case .socket(let reason): "The connection failed: \(reason)."
        case .silent: "The relay stopped answering."
        case .noReachableHost: "The relay's address names no host that can be reached from here."
        case .credentials(let reason): "The relay's certificate files can't be used: \(reason)."
        case .cannotListen(let reason): "The relay can't listen: \(reason)."
        case .storage(let reason): "\(reason)."
        }
    }
}

extension CertificateFault: CustomStringConvertible {
    public var description: String {
        switch self {
        case .chainLength(let length): "a chain of \(length) where 2 to 4 certificates are allowed"
        case .malformed: "it is malformed"
        case .leafVersion: "it is not a version 3 certificate"
        case .validityDates: "it has expired or is not valid yet"
        case .path(let reason): reason
        }
    }
}

extension ProtocolViolation: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unacknowledgedMessage: "it sent a message before the last one was acknowledged"
        case .unsolicitedEvents: "it sent what nobody asked for"
        }
    }
}

extension HelloFault: CustomStringConvertible {
    public var description: String {
        switch self {
        case .malformed: "it is malformed"
        case .sessionIdentifier: "it belongs to another session"
        case .certificateChain: "its certificates differ from those of the connection"
        case .signature: "its signature is wrong"
        case .missingKey: "its key is missing"
        case .keyHash: "it names another relay"
        case .unsupportedService: "it announces a service that is not supported"
        }
    }
}
