import Cryptography
import SMP

/// A short link: a key and an id; the relay keeps the rest, sealed with the key (Agent fact sheet §2.3).
public struct ShortLink: Hashable, Sendable {
    /// What the link leads to.
    public enum Kind: Hashable, Sendable {
        /// `/i`, with the id the relay keeps the data under, 24 bytes.
        case invitation(linkID: [UInt8])
        /// `/a`
        case contact
        /// `/c`
        case channel
        /// `/g`
        case group
        /// `/r`
        case relay
    }

    /// What the link leads to.
    public let kind: Kind
    /// Hosts of the relay, at least one.
    public let hosts: [String]
    /// Nil for the default port.
    public let port: UInt16?
    /// Fingerprint of the relay; nil when the link names a relay every program is expected to know.
    public let keyHash: [UInt8]?
    /// SHA3-256 of the fixed data, 32 bytes.
    public let linkKey: [UInt8]

    static let linkIDCount = 24
    static let linkKeyCount = 32

    /// A link to data on `relay`; with `isPreset` its fingerprint and port stay out.
    public init(kind: Kind, relay: RelayAddress, linkKey: [UInt8], isPreset: Bool = false) {
        self.kind = kind
        hosts = relay.hosts
        port = isPreset ? nil : relay.port
        keyHash = isPreset ? nil : relay.keyHash
        self.linkKey = linkKey
    }

    /// The relay, when the link says enough.
    public var relay: RelayAddress? {
        keyHash.flatMap { try? RelayAddress(hosts: hosts, port: port, keyHash: $0) }
    }

    /// The id to ask the relay for.
    package var linkID: [UInt8] {
        if case .invitation(let id) = kind { id } else { ShortLinkKeys.contact(linkKey: linkKey).linkID }
    }

    /// The key of the sealed data.
    var dataKey: SecretBytes {
        if case .invitation = kind {
            ShortLinkKeys.invitation(linkKey: linkKey)
        } else {
            ShortLinkKeys.contact(linkKey: linkKey).dataKey
        }
    }
}
