/// What can go wrong on this floor.
public enum CryptographyError: Error, Equatable, Sendable {
    /// Bytes that are no key of the algorithm, or a key the algorithm refuses (a point of small order, for example).
    case invalidKey
    /// A value has a length its algorithm does not take.
    case invalidLength
    /// A sealed message does not belong to this key, nonce and associated data.
    case authenticationFailed
    /// Text outside the alphabet, or with a wrong end, of its encoding.
    case invalidEncoding
    /// Bytes that are no X.509 certificate.
    case invalidCertificate
    /// The C library refused a well-formed call; the text names the function.
    case unavailable(String)
}
