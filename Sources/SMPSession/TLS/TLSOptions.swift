/// A key agreement group of TLS, in OpenSSL's spelling.
public enum TLSGroup: String, Sendable, CaseIterable {
    case x448 = "X448"
    case x25519 = "X25519"
}

/// The few things about TLS that may differ from one connection to another.
///
/// All else is fixed by SMP (SMP fact sheet §2): TLS 1.3, ChaCha20-Poly1305, Ed25519 and Ed448 signatures, no session
/// resumption and no server name.
public struct TLSOptions: Sendable, Equatable {
    /// Groups in the order of preference; a client sends a key share of the first.
    public var groups: [TLSGroup]
    /// Application protocols (ALPN) offered or accepted; empty for none.
    public var applicationProtocols: [String]

    /// The ALPN name of SMP from version 7 on.
    public static let smp = "smp/1"

    public init(groups: [TLSGroup] = [.x448, .x25519], applicationProtocols: [String] = [TLSOptions.smp]) {
        self.groups = groups
        self.applicationProtocols = applicationProtocols
    }
}
