import AgentProtocol
import SMP

/// How a connection fares.
public struct ConnectionStatus: Equatable, Sendable {
    /// A relay that a connection uses.
    public struct RelayInUse: Equatable, Sendable {
        /// Without password.
        public let address: RelayAddress
        /// Nil while there is no connection to the relay.
        public let smpVersion: UInt16?
    }

    /// How far the connection is.
    public let summary: ConnectionSummary
    /// Whether the ratchets of both sides fit.
    public let synchronisation: RatchetSynchronisation
    /// Whether the own queue is on its way to another relay.
    public let rotation: QueueRotation
    /// The verdict on the last numbered message that came in, the agents' own included; nil before the first.
    public let lastIntegrity: MessageIntegrity?
    /// Where this side receives; two relays while the queue moves from one to the other.
    public let receivingRelays: [RelayInUse]
    /// Where the peer receives; nil before it has said so.
    public let sendingRelay: RelayInUse?
    /// How many messages wait to be taken by the peer's relay.
    public let waitingMessages: Int
}
