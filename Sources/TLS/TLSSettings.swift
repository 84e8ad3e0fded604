/// What the sessions of one side agree to. What is not set is left to OpenSSL.
package struct TLSSettings: Sendable {
    package enum Version: Int, Sendable {
        /// TLS1_2_VERSION
        case tls12 = 0x303
        /// TLS1_3_VERSION
        case tls13 = 0x304
    }

    package var oldest: Version
    package var newest: Version?
    /// Those of TLS 1.3, in OpenSSL's spelling.
    package var cipherSuites: String?
    package var signatureAlgorithms: String?
    package var groups: String?
    /// Application protocols (ALPN) offered or accepted; empty for none.
    package var applicationProtocols: [String] = []
    /// Whether a session may go on where an earlier one has ended.
    package var isResumable = true

    package init(oldest: Version, newest: Version? = nil) {
        (self.oldest, self.newest) = (oldest, newest)
    }

    /// The protocols as ALPN wants them: each with a length byte in front. Names longer than 255 bytes are left out.
    var encodedApplicationProtocols: [UInt8] {
        applicationProtocols.filter { (1...255).contains($0.utf8.count) }
            .flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
    }
}
