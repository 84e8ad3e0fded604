/// Why TLS could not be set up, or ended.
package enum TLSFailure: Error, Equatable, Sendable {
    /// The peer's certificate was refused; why, in OpenSSL's words.
    case certificate(String)
    /// The certificates of the authorities can't be read.
    case authorities
    /// The peers share no application protocol (ALPN).
    case noApplicationProtocol
    /// Something else, in OpenSSL's words; nil where it has none, as when the peer ends without a word.
    case other(String?)
}
