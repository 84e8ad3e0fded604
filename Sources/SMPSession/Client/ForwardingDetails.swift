import Cryptography
import SMP

/// What a proxy's connection to a relay knows beyond an ordinary client's (SMP fact sheet §10).
public struct ForwardingDetails: Sendable {
    /// All versions the relay offered.
    public let versions: SMPVersionRange
    /// The relay's certificates and session key, as clients of the proxy get them.
    public let key: CertifiedKey
    /// Shared by the hello keys of proxy and relay; seals RFWD and RRES.
    public let secret: SecretBytes

    /// Details of a connection.
    public init(versions: SMPVersionRange, key: CertifiedKey, secret: SecretBytes) {
        self.versions = versions
        self.key = key
        self.secret = secret
    }
}
