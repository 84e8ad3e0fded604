import Cryptography
import Logging
import SMP
import SMPTransport

/// Something that load is put on: a relay, or the mirror that stands for its ceiling.
struct Subject: Sendable {
    let name: String
    let address: RelayAddress
    let isMirror: Bool
    /// Its process, if it runs here.
    let process: Int32?

    /// The client's settings: patient, because a busy machine is the purpose.
    static let transport: TransportConfiguration = {
        var logger = Logger(label: "parley.bench")
        logger.logLevel = .critical
        return TransportConfiguration(
            connectTimeout: .seconds(60), commandTimeout: .seconds(30), logger: logger)
    }()

    /// Whether its hosts are this machine's.
    static func isLoopback(_ address: RelayAddress) -> Bool {
        address.hosts.allSatisfy { $0 == "localhost" || $0 == "::1" || isLoopbackNumber($0) }
    }

    private static func isLoopbackNumber(_ host: String) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.first == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}

/// The keys of one connection; a relay does not mind that its queues share them.
struct StationKeys: Sendable {
    let recipient = AuthenticationPrivateKey.ed25519(.init())
    let sender = AuthenticationPrivateKey.ed25519(.init())
    let agreement = X25519.PrivateKey()
}

/// One queue of the load.
struct LoadQueue: Sendable {
    let recipientID: EntityID
    let senderID: EntityID
    /// Opens its messages; nil at a mirror, which seals none.
    let secret: SecretBytes?
}
