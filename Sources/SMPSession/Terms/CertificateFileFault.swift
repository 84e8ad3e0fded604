/// What is wrong with the certificates and keys that a relay of ours proves its identity by.
public enum CertificateFileFault: Hashable, Codable, Sendable {
    /// What was to be done with a file or folder.
    public enum Action: Hashable, Codable, Sendable {
        case makeFolder, read, write
    }

    /// There is no such file beside the others.
    case missing(file: String)
    /// The file holds no certificate.
    case noCertificate(file: String)
    /// The file is not the PEM form of what it should hold.
    case malformed(file: String)
    /// The file does not hold one Ed25519 or Ed448 key.
    case noKey(file: String)
    /// The chain ends with the leaf.
    case noIdentity
    /// The server's key does not belong to the server's certificate.
    case otherKey
    /// A certificate of the chain can't be read.
    case malformedCertificate
    /// The key is one for agreements (X25519), which can't sign.
    case notSigning
    /// The session's greeting can't be signed or written.
    case greeting
    /// The system refused; `reason` is its message.
    case system(Action, path: String, reason: String)
    /// OpenSSL could not make or use them, in its words.
    case openSSL(String)
}
