import Cryptography

/// What a relay says: responses, which repeat the request's correlation id, and events, which have none
/// (SMP fact sheet §7.3).
public enum BrokerMessage: Hashable, Sendable {
    /// `IDS`: the queue was made.
    case queue(QueueIDs)
    /// `OK`.
    case ok
    /// `SOK`: subscribed, perhaps for a service; below version 16 it is `OK` on the wire.
    case subscribed(serviceID: EntityID?)
    /// `SOKS`: so many queues of a service are subscribed.
    case servicesSubscribed(Int64)
    /// `MSG`: a sealed message (`MessageBody`).
    case message(MessageID, body: [UInt8])
    /// `LNK`: a link's data.
    case link(senderID: EntityID, LinkData)
    /// `NID`: the notifier's id and the relay's key for notifications.
    case notifier(EntityID, X25519.PublicKey)
    /// `NMSG`: sealed metadata of a message (`NotificationMeta`).
    case notification(nonce: [UInt8], meta: [UInt8])
    /// `INFO`: JSON about a queue.
    case queueInfo([UInt8])
    /// `PKEY`: a session with the relay behind a proxy.
    case proxySession(ProxySession)
    /// `PRES`: a sealed response through the proxy.
    case proxyResponse([UInt8])
    /// `RRES`: the same between relay and proxy.
    case relayResponse([UInt8])
    /// `END`: another session subscribed.
    case ended
    /// `ENDS`: the same for so many queues of a service.
    case servicesEnded(Int64)
    /// `DELD`: the queue was deleted; below version 10 it is `END` on the wire.
    case deleted
    /// `PONG`.
    case pong
    /// `ERR`.
    case error(SMPError)
}

/// What the relay made for NEW (SMP fact sheet §7.2).
public struct QueueIDs: Hashable, Sendable {
    /// For the recipient's commands.
    public var recipientID: EntityID
    /// For the sender's commands.
    public var senderID: EntityID
    /// The relay's half of the secret that seals messages.
    public var serverKey: X25519.PublicKey
    /// The mode, repeated; versions 9–14 have only a flag.
    public var mode: QueueMode?
    /// From version 15.
    public var linkID: EntityID?
    /// From version 16.
    public var serviceID: EntityID?
    /// From version 17.
    public var notifier: Notifier?

    /// A notifier made together with the queue.
    public struct Notifier: Hashable, Sendable {
        public var id: EntityID
        public var serverKey: X25519.PublicKey

        public init(id: EntityID, serverKey: X25519.PublicKey) {
            self.id = id
            self.serverKey = serverKey
        }
    }

    public init(
        recipientID: EntityID, senderID: EntityID, serverKey: X25519.PublicKey, mode: QueueMode?,
        linkID: EntityID? = nil, serviceID: EntityID? = nil, notifier: Notifier? = nil
    ) {
        self.recipientID = recipientID
        self.senderID = senderID
        self.serverKey = serverKey
        self.mode = mode
        self.linkID = linkID
        self.serviceID = serviceID
        self.notifier = notifier
    }
}

/// What PKEY says of the relay behind a proxy (SMP fact sheet §10).
public struct ProxySession: Hashable, Sendable {
    /// Named as the entity of PFWD, and signed as the session id of the inner command.
    public var sessionID: [UInt8]
    /// What the relay speaks.
    public var versions: SMPVersionRange
    /// The relay's chain and session key, to be checked against its address.
    public var key: CertifiedKey

    public init(sessionID: [UInt8], versions: SMPVersionRange, key: CertifiedKey) {
        self.sessionID = sessionID
        self.versions = versions
        self.key = key
    }
}
