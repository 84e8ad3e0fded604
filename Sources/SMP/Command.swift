import Cryptography

/// The first word of a command (SMP fact sheet §7).
public enum CommandTag: String, CaseIterable, Hashable, Sendable {
    case new = "NEW"
    case subscribe = "SUB"
    case get = "GET"
    case acknowledge = "ACK"
    case setSenderKey = "KEY"
    case setRecipientKeys = "RKEY"
    case setLinkData = "LSET"
    case deleteLinkData = "LDEL"
    case setNotifier = "NKEY"
    case deleteNotifier = "NDEL"
    case suspend = "OFF"
    case delete = "DEL"
    case queueInfo = "QUE"
    case secure = "SKEY"
    case send = "SEND"
    case secureAndGetLink = "LKEY"
    case getLink = "LGET"
    case subscribeNotifier = "NSUB"
    case ping = "PING"
    case openProxySession = "PRXY"
    case forwardToProxy = "PFWD"
    case forwardToRelay = "RFWD"
    case subscribeService = "SUBS"
    case subscribeNotifierService = "NSUBS"
}

/// What a client asks of a relay (SMP fact sheet §7).
public enum Command: Hashable, Sendable {
    /// `NEW`: make a queue. Answer: `BrokerMessage.queue`.
    case new(QueueRequest)
    /// `SUB`: deliver the queue's messages to this session. Answer: `.subscribed` or `.ok`; relays up to 6.3 answer with
    /// `.message`.
    case subscribe
    /// `GET`: one message without subscription. Answer: `.message` or `.ok`.
    case get
    /// `ACK`: drop the delivered message. Answer: `.ok` or the next `.message`.
    case acknowledge(MessageID)
    /// `KEY`: the recipient secures the queue with the sender's key.
    case setSenderKey(AuthenticationPublicKey)
    /// `RKEY`: replaces all recipient keys; from version 15.
    case setRecipientKeys([AuthenticationPublicKey])
    /// `LSET`: stores link data; from version 15.
    case setLinkData(linkID: EntityID, LinkData)
    /// `LDEL`: from version 15.
    case deleteLinkData
    /// `NKEY`: Answer: `.notifier`.
    case setNotifier(NotifierKeys)
    /// `NDEL`.
    case deleteNotifier
    /// `OFF`: the queue takes no more messages.
    case suspend
    /// `DEL`: removes queue and messages.
    case delete
    /// `QUE`: Answer: `.queueInfo`.
    case queueInfo
    /// `SKEY`: the sender secures the queue with its own key, which signs this command; from version 9.
    case secure(AuthenticationPublicKey)
    /// `SEND`: puts a message into the queue.
    case send(notify: Bool, body: [UInt8])
    /// `LKEY`: secures the queue through its one-time link and gets the link's data; from version 15. Answer: `.link`.
    case secureAndGetLink(AuthenticationPublicKey)
    /// `LGET`: gets a contact link's data; from version 15. Answer: `.link`.
    case getLink
    /// `NSUB`: a notification server subscribes. Answer: `.subscribed` or `.ok`.
    case subscribeNotifier
    /// `PING`: Answer: `.pong`.
    case ping
    /// `PRXY`: asks a proxy for a session with another relay; from version 8. Answer: `.proxySession`.
    case openProxySession(RelayAddress, password: RelayPassword?)
    /// `PFWD`: a command through the proxy. Answer: `.proxyResponse`.
    case forwardToProxy(ProxiedCommand)
    /// `RFWD`: the proxy hands a command to the relay, sealed. Answer: `.relayResponse`.
    case forwardToRelay([UInt8])
    /// `SUBS`: a service subscribes to all its queues; from version 16.
    case subscribeService
    /// `NSUBS`: the same for notifications.
    case subscribeNotifierService

    /// The first word.
    public var tag: CommandTag {
        switch self {
        case .new: .new
        case .subscribe: .subscribe
        case .get: .get
        case .acknowledge: .acknowledge
        case .setSenderKey: .setSenderKey
        case .setRecipientKeys: .setRecipientKeys
        case .setLinkData: .setLinkData
        case .deleteLinkData: .deleteLinkData
        case .setNotifier: .setNotifier
        case .deleteNotifier: .deleteNotifier
        case .suspend: .suspend
        case .delete: .delete
        case .queueInfo: .queueInfo
        case .secure: .secure
        case .send: .send
        case .secureAndGetLink: .secureAndGetLink
        case .getLink: .getLink
        case .subscribeNotifier: .subscribeNotifier
        case .ping: .ping
        case .openProxySession: .openProxySession
        case .forwardToProxy: .forwardToProxy
        case .forwardToRelay: .forwardToRelay
        case .subscribeService: .subscribeService
        case .subscribeNotifierService: .subscribeNotifierService
        }
    }
}

/// Names one message of a queue: 24 random bytes of the relay, also the nonce of its box.
public struct MessageID: Hashable, Sendable {
    public var bytes: [UInt8]

    /// Length of the ids a relay makes.
    public static let count = 24

    public init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// A fresh id.
    public static func random() -> MessageID { MessageID(randomBytes(count)) }
}

/// What PFWD carries: a command sealed for the relay behind the proxy (SMP fact sheet §10).
public struct ProxiedCommand: Hashable, Sendable {
    /// The version the inner command is made for.
    public var version: SMPVersion
    /// The client's key for this one command.
    public var key: X25519.PublicKey
    /// The box with the padded batch.
    public var sealed: [UInt8]

    public init(version: SMPVersion, key: X25519.PublicKey, sealed: [UInt8]) {
        self.version = version
        self.key = key
        self.sealed = sealed
    }
}
