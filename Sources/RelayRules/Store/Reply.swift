import Cryptography
import SMP

/// Something for a client; messages are sealed only when they leave, outside the store's lock.
package enum Reply: Sendable {
    case plain(BrokerMessage)
    case delivery(StoredMessage, secret: SecretBytes)
    case notification(PendingNotification, secret: SecretBytes)

    static let ok = Reply.plain(.ok)

    static func refusal(_ error: SMPError) -> Reply { .plain(.error(error)) }

    /// The number of the message whose body has to be read from the disk first, if there is one.
    var missingBody: Int64? {
        if case .delivery(let message, _) = self, !message.isInMemory { message.number } else { nil }
    }

    /// Bytes of the body that it holds or will hold.
    var bodyBytes: Int { if case .delivery(let message, _) = self { message.bodyCount } else { 0 } }

    /// The message for the wire.
    var brokerMessage: BrokerMessage {
        switch self {
        case .plain(let message): message
        case .delivery(let message, let secret):
            (try? message.body?.seal(secret: secret, id: message.id)).map { .message(message.id, body: $0) }
                ?? .error(.internalError)
        case .notification(let notification, let secret):
            notification.sealed(with: secret)
        }
    }

    /// The reply as a transmission of the relay; nil if it has no form in this version.
    package func transmission(_ correlationID: CorrelationID, _ entity: EntityID, _ version: SMPVersion) -> [UInt8]? {
        let message = brokerMessage
        let named = message.entityRule == .forbidden ? .none : entity
        let transmission = try? Transmission(
            message, correlationID: correlationID, entityID: named, version: version)
        return try? transmission?.encoded(version)
    }
}

/// An event for a session.
package struct Push: Sendable {
    package let session: SessionNumber
    package let entity: EntityID
    package let reply: Reply

    /// Whether it hands on a message, as against telling what became of a queue.
    package var isMessage: Bool { if case .delivery = reply { true } else { false } }
}

/// What a command led to.
struct Execution: Sendable {
    var reply: Reply
    /// Events that follow the reply, in the session of the command.
    var events: [Push] = []
    /// Events of other sessions, or of this one after everything else.
    var pushes: [Push] = []
    /// What was changed in the store up to then, by whomever.
    var position: UInt64 = 0

    init(_ reply: Reply, events: [Push] = [], pushes: [Push] = []) {
        self.reply = reply
        self.events = events
        self.pushes = pushes
    }

    static let ok = Execution(.ok)

    static func refusal(_ error: SMPError) -> Execution { Execution(.refusal(error)) }
}
