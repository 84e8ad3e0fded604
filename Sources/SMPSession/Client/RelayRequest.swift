import Cryptography
import SMP

/// One command for a relay.
public struct RelayRequest: Sendable {
    public var command: Command
    /// What the command is about; `.none` for NEW and PING.
    public var entity: EntityID
    /// Makes the authenticator; nil for commands without one.
    public var key: AuthenticationPrivateKey?
    /// Ties the response to the request. Only NEW with a sender id of the client's own needs to know it before.
    public var correlationID: CorrelationID

    public init(
        _ command: Command, entity: EntityID = .none, key: AuthenticationPrivateKey? = nil,
        correlationID: CorrelationID = .random()
    ) {
        self.command = command
        self.entity = entity
        self.key = key
        self.correlationID = correlationID
    }
}

/// Why a request has no ordinary response.
public enum RelayRequestError: Error, Equatable, Sendable {
    /// The relay answered `ERR`.
    case refused(SMPError)
    /// There was no connection; the relay has not seen the request.
    case notConnected(TransportError)
    /// The connection ended before the response came; the relay may or may not have carried the request out.
    case interrupted(TransportError)
    /// No response in time; the relay may still carry the request out. A late response arrives as an event.
    case timeout
    /// The response is malformed or is about something else.
    case unexpectedResponse
    /// The request has no form in the agreed version, or is too long for a block.
    case notEncodable
}

/// What happens on a connection without having been asked for.
///
/// What a relay must not send does not come this far; see `ProtocolViolation`.
public enum RelayEvent: Equatable, Sendable {
    /// The relay is connected. Subscriptions of an earlier connection are gone: subscribe again.
    case up(SMPVersion)
    /// The connection ended or could not be made. Requests under way have failed with `interrupted`.
    case down(TransportError)
    /// A message of a subscribed queue, sealed as in `MessageBody`; it has to be acknowledged. It may have been delivered
    /// before, with the same id.
    case message(queue: EntityID, MessageID, body: [UInt8])
    /// Another session subscribed to the queue (END).
    case ended(queue: EntityID)
    /// The queue was deleted (DELD).
    case deleted(queue: EntityID)
    /// A response that came after its time-out; a message then comes as `message`.
    case lateResponse(entity: EntityID, BrokerMessage)
    /// Any other event.
    case other(entity: EntityID, BrokerMessage)
}
