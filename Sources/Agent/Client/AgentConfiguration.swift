import Cryptography
import Logging
import SMP
import SMPTransport

/// What an agent needs to know to run.
public struct AgentConfiguration: Sendable {
    /// The folder of the store; made when it does not exist. One agent at a time.
    public var directory: String
    /// The key of the store: 32 bytes, kept by the caller.
    public var storeKey: SecretBytes
    /// The relays on which own queues are made. With none, links can neither be made nor joined.
    public var relays: [RelayAddress]
    /// How relays are reached: versions, time limits, delays between attempts.
    public var transport: TransportConfiguration
    /// Which relays are reached through own ones.
    public var privateRouting = PrivateRouting()
    /// How many requests at contact addresses may wait.
    var requestLimits = RequestLimits()
    /// Whether the agent repairs a ratchet that can't go on without asking the application.
    var repairsRatchets = true
    /// Whether a relay keeps a note by which a store that went back in time is noticed. One that nobody opens again needs none.
    public var leavesNote = true
    /// Gets names of connections and of errors, never keys or content.
    public var logger: Logger

    /// Describes an agent.
    ///
    /// - Parameters:
    ///   - directory: the folder of the store.
    ///   - storeKey: 32 bytes.
    ///   - relays: where own queues are made.
    ///   - transport: how relays are reached.
    ///   - logger: for people who look for a fault.
    public init(
        directory: String, storeKey: SecretBytes, relays: [RelayAddress],
        transport: TransportConfiguration = TransportConfiguration(), logger: Logger = Logger(label: "parley.agent")
    ) {
        self.directory = directory
        self.storeKey = storeKey
        self.relays = relays
        self.transport = transport
        self.logger = logger
    }
}
