import AgentProtocol
import SMP

/// What an agent tells its application.
public enum AgentEvent: Equatable, Sendable {
    /// A peer has answered the own link, with its information. `Agent.allow` accepts it. Comes again after a restart.
    case confirmation(ConnectionID, information: [UInt8])
    /// Somebody asks at a contact address. `Agent.accept` or `.reject` answers. Comes again after a restart.
    case request(ContactRequest)
    /// The initiator of a joined link has answered, with its information.
    case information(ConnectionID, information: [UInt8])
    /// Messages can flow both ways.
    case connected(ConnectionID)
    /// A message came in. Comes again after a restart until it is acknowledged; never twice in one run.
    case message(ConnectionID, ReceivedMessage)
    /// The peer's relay has taken the message with this number.
    case sent(ConnectionID, Int64)
    /// The peer says that it has received the message with this number. Told once; `Agent.receipt` remembers it.
    case received(ConnectionID, Int64, ReceiptVerdict)
    /// The ratchets of both sides fit, don't fit, or are being repaired. After a repair the security code is another one.
    case synchronisation(ConnectionID, RatchetSynchronisation)
    /// The own queue moves to another relay, or has moved (`none`).
    case rotation(ConnectionID, QueueRotation)
    /// A message that is not the application's does not follow the one before it; for the application's own see
    /// `ReceivedMessage.integrity`.
    case integrityBroken(ConnectionID, MessageIntegrity)
    /// A message will never arrive (with its number), or the connection or one of its incoming messages failed (without).
    case failed(ConnectionID, Int64?, AgentError)
    /// The queues on this relay are subscribed, with this SMP version.
    case up(RelayAddress, smpVersion: UInt16)
    /// The connection to this relay is lost or could not be made; it is dialled again. `Agent.relayStates` says why.
    case down(RelayAddress)
    /// Something about the way to a peer's relay; told once for each relay and notice.
    case routing(RelayAddress, RoutingNotice)
    /// Nothing can be stored, and not on the next attempt either. Nothing is lost: relays keep what comes in, and what was
    /// begun is tried again until the store takes it.
    case storeFailing(StoreError)
    /// The store takes everything again.
    case storeRecovered
    /// Everything was told that waited for this connection at its relays. Told once, after `Agent.tellWhenRead` has asked for it.
    case read(ConnectionID)
    /// Another device or process now receives this connection's messages.
    case subscriptionEnded(ConnectionID)
}

extension AgentEvent {
    /// Bytes of events that wait for the application at which nothing more is taken from relays.
    static let backlog = 1_024 * 1_024

    /// What the event takes in memory, roughly, in bytes.
    var size: Int {
        switch self {
        case .message(_, let message): 512 + message.body.count
        case .confirmation(_, let information), .information(_, let information): 512 + information.count
        case .request(let request): 512 + request.information.count
        default: 512
        }
    }
}

/// A message of the application, as received.
public struct ReceivedMessage: Equatable, Sendable, Identifiable {
    /// The number to acknowledge.
    public let id: Int64
    /// When the relay took the message: seconds since 1970.
    public let brokerTime: Int64
    /// The application's bytes.
    public let body: [UInt8]
    /// How the message fits the chain of those before it.
    public let integrity: MessageIntegrity

    /// A message with its parts.
    public init(id: Int64, brokerTime: Int64, body: [UInt8], integrity: MessageIntegrity) {
        self.id = id
        self.brokerTime = brokerTime
        self.body = body
        self.integrity = integrity
    }
}

/// A connection as the application sees it in lists.
public struct ConnectionSummary: Equatable, Sendable, Identifiable {
    /// How far a connection is.
    public enum Phase: Equatable, Sendable {
        /// The link is out; nobody has answered.
        case invited
        /// A peer has answered; `Agent.allow` is due.
        case confirmed
        /// The handshake runs.
        case connecting
        /// Messages can flow both ways.
        case connected
        /// It will never work.
        case failed
    }

    /// The connection.
    public let id: ConnectionID
    /// How far it is.
    public let phase: Phase
    /// Whether this side published the link.
    let isInitiator: Bool
    /// The agreed agent version.
    public let agentVersion: UInt16
}
