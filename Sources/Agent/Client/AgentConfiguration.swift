import Cryptography
import SMP

/// What an agent needs to know to run.
public struct AgentConfiguration: Sendable {
    /// The folder of the store; made when it does not exist. One agent at a time.
    public var directory: String
    /// The key of the store: 32 bytes, kept by the caller.
    public var storeKey: SecretBytes
    /// The relays on which own queues are made. With none, links can neither be made nor joined.
    public var relays: [RelayAddress]
    /// The SMP versions offered to relays.
    public var relayVersions: SMPVersionRange
    /// How often and how patiently relays are dialled again.
    public var reconnectDelays: ReconnectDelays

    /// Describes an agent.
    ///
    /// - Parameters:
    ///   - directory: the folder of the store.
    ///   - storeKey: 32 bytes.
    ///   - relays: where own queues are made.
    public init(
        directory: String, storeKey: SecretBytes, relays: [RelayAddress],
        relayVersions: SMPVersionRange = .supported, reconnectDelays: ReconnectDelays = ReconnectDelays()
    ) {
        self.directory = directory
        self.storeKey = storeKey
        self.relays = relays
        self.relayVersions = relayVersions
        self.reconnectDelays = reconnectDelays
    }
}
