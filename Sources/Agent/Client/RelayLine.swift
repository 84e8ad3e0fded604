import Cryptography
import SMP

/// What the agent needs of the client of one relay: requests with the rules of delivery as errors, and events.
protocol RelayLine: Sendable {
    /// What happens on the line, in order; ends after `close`.
    var events: AsyncStream<RelayLineEvent> { get }
    /// Asks and waits for the answer.
    ///
    /// - Throws: `DeliveryFailure`.
    func request(_ request: RelayRequest) async throws -> BrokerMessage
    /// Asks many things at once; an answer for each, in order.
    func requests(_ requests: [RelayRequest]) async -> [Result<BrokerMessage, DeliveryFailure>]
    /// Ends the line for good.
    func close() async
}

/// One command for one queue.
struct RelayRequest: Sendable {
    var command: Command
    var entity: EntityID
    /// Signs the command.
    var key: AuthenticationPrivateKey?
}

/// What happens on a line.
enum RelayLineEvent: Sendable {
    case up(SMPVersion)
    case down
    /// A message for a receive queue.
    case message(EntityID, MessageID, body: [UInt8])
    /// Another session has subscribed to a receive queue.
    case ended(EntityID)
    /// A receive queue was deleted.
    case deleted(EntityID)
}
