/// Why a connection to a relay could not be made or ended.
public enum TransportError: Error, Hashable, Codable, Sendable {
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
    /// Our own certificates or keys can't be used.
    case credentials(CertificateFileFault)
    /// The listening socket could not be opened. (which one, or what is wrong with it; what the system said)
    indirect case cannotListen(String, because: TransportError? = nil)
}

extension TransportError {
    /// Whether another attempt would fail in the same way: the relay was reached and is not one that can be used.
    public var isLasting: Bool {
        switch self {
        case .wrongFingerprint, .badCertificate, .noApplicationProtocol, .hello, .version, .noReachableHost: true
        case .hostUnreachable, .timeout, .tls, .block, .protocolViolation, .closedByPeer, .closed, .socket, .silent,
            .credentials, .cannotListen:
            false
        }
    }
}

/// The step of setting up a connection that was under way.
public enum TransportStage: String, Equatable, Codable, Sendable {
    case connect, tls, hello
}

/// What is wrong with a relay's certificate chain.
public enum CertificateFault: Hashable, Codable, Sendable {
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
public enum ProtocolViolation: Hashable, Codable, Sendable {
    /// A message of a queue came before the one before it was acknowledged.
    case unacknowledgedMessage
    /// Far more came that no request asked for than can be a matter of timing.
    case unsolicitedEvents
}

/// What is wrong with a hello (SMP fact sheet §4).
public enum HelloFault: Hashable, Codable, Sendable {
    case malformed
    case sessionIdentifier
    case certificateChain
    case signature
    case missingKey
    case keyHash
    case unsupportedService
}
