import Cryptography

/// How a queue is used, which decides who may secure it and how its link is read (SMP fact sheet §7.1).
public enum QueueMode: UInt8, Hashable, Sendable {
    /// One sender, who secures the queue itself; its link is one-time.
    case messaging = 0x4D
    /// Anybody may write; its link may be read by anybody.
    case contact = 0x43
}

/// The two sealed parts of a short link's data; the relay stores them as they are.
public struct LinkData: Hashable, Sendable {
    /// The part that never changes.
    public var fixed: [UInt8]
    /// The part the owner may replace.
    public var user: [UInt8]

    public init(fixed: [UInt8], user: [UInt8]) {
        self.fixed = fixed
        self.user = user
    }
}

/// The keys of a notification server for one queue.
public struct NotifierKeys: Hashable, Sendable {
    /// Authenticates NSUB.
    public var authenticationKey: AuthenticationPublicKey
    /// The recipient's half of the secret that seals notifications.
    public var agreementKey: X25519.PublicKey

    public init(authenticationKey: AuthenticationPublicKey, agreementKey: X25519.PublicKey) {
        self.authenticationKey = authenticationKey
        self.agreementKey = agreementKey
    }
}

/// What NEW asks for (SMP fact sheet §7.1).
public struct QueueRequest: Hashable, Sendable {
    /// The recipient's key; it also authenticates this NEW.
    public var recipientKey: AuthenticationPublicKey
    /// The recipient's half of the secret that seals messages.
    public var agreementKey: X25519.PublicKey
    /// The relay's password.
    public var password: RelayPassword?
    /// Whether the session is subscribed to the queue at once.
    public var subscribes: Bool
    /// Mode and link; nil leaves the mode unset, which versions 9–14 cannot say (they say contact).
    public var link: Link?
    /// A notifier from the start; from version 17.
    public var notifier: NotifierKeys?

    /// The mode of the queue, with the data of a short link from version 15.
    public enum Link: Hashable, Sendable {
        case messaging(MessagingData?)
        case contact(ContactData?)

        /// The mode alone.
        public var mode: QueueMode {
            switch self {
            case .messaging: .messaging
            case .contact: .contact
            }
        }
    }

    /// Link data of a messaging queue; the relay makes the link id.
    public struct MessagingData: Hashable, Sendable {
        public var senderID: EntityID
        public var data: LinkData

        public init(senderID: EntityID, data: LinkData) {
            self.senderID = senderID
            self.data = data
        }
    }

    /// Link data of a contact queue, whose link id follows from the link's key.
    public struct ContactData: Hashable, Sendable {
        public var linkID: EntityID
        public var senderID: EntityID
        public var data: LinkData

        public init(linkID: EntityID, senderID: EntityID, data: LinkData) {
            self.linkID = linkID
            self.senderID = senderID
            self.data = data
        }
    }

    public init(
        recipientKey: AuthenticationPublicKey, agreementKey: X25519.PublicKey, password: RelayPassword? = nil,
        subscribes: Bool = true, link: Link?, notifier: NotifierKeys? = nil
    ) {
        self.recipientKey = recipientKey
        self.agreementKey = agreementKey
        self.password = password
        self.subscribes = subscribes
        self.link = link
        self.notifier = notifier
    }
}

extension ByteReader {
    mutating func linkData() throws -> LinkData {
        LinkData(fixed: try large(), user: try large())
    }

    mutating func notifierKeys() throws -> NotifierKeys {
        NotifierKeys(authenticationKey: try authenticationKey(), agreementKey: try agreementKey())
    }

    mutating func queueMode() throws -> QueueMode {
        guard let mode = QueueMode(rawValue: try byte()) else { throw SMPDecodingError.invalid("queue mode") }
        return mode
    }

    mutating func queueRequest(_ version: SMPVersion) throws -> QueueRequest {
        var request = QueueRequest(
            recipientKey: try authenticationKey(), agreementKey: try agreementKey(), link: nil)
        if version >= .senderSecures {
            request.password = try maybe { try $0.password() }
        } else if skip([UInt8(ascii: "A")]) {
            request.password = try password()
        }
        switch try byte() {
        case UInt8(ascii: "S"): request.subscribes = true
        case UInt8(ascii: "C"): request.subscribes = false
        default: throw SMPDecodingError.invalid("subscription mode")
        }
        if version >= .shortLinks {
            request.link = try maybe { try $0.requestedLink() }
        } else if version >= .senderSecures {
            request.link = try bool() ? .messaging(nil) : .contact(nil)
        }
        if version >= .notifierInNew { request.notifier = try maybe { try $0.notifierKeys() } }
        return request
    }

    private mutating func requestedLink() throws -> QueueRequest.Link {
        switch try queueMode() {
        case .messaging:
            .messaging(try maybe { .init(senderID: try $0.entityID(), data: try $0.linkData()) })
        case .contact:
            .contact(
                try maybe {
                    .init(linkID: try $0.entityID(), senderID: try $0.entityID(), data: try $0.linkData())
                })
        }
    }
}

extension ByteWriter {
    mutating func linkData(_ data: LinkData) throws {
        try large(data.fixed)
        try large(data.user)
    }

    mutating func notifierKeys(_ keys: NotifierKeys) throws {
        try key(keys.authenticationKey)
        try key(keys.agreementKey)
    }

    mutating func queueRequest(_ request: QueueRequest, _ version: SMPVersion) throws {
        try key(request.recipientKey)
        try key(request.agreementKey)
        if version >= .senderSecures {
            try maybe(request.password) { try $0.password($1) }
        } else if let password = request.password {
            raw("A")
            try self.password(password)
        }
        raw(request.subscribes ? "S" : "C")
        if version >= .shortLinks {
            try maybe(request.link) { try $0.requestedLink($1) }
        } else if version >= .senderSecures {
            bool(request.link?.mode == .messaging)
        }
        if version >= .notifierInNew { try maybe(request.notifier) { try $0.notifierKeys($1) } }
    }

    private mutating func requestedLink(_ link: QueueRequest.Link) throws {
        byte(link.mode.rawValue)
        switch link {
        case .messaging(let link):
            try maybe(link) { writer, link in
                try writer.entityID(link.senderID)
                try writer.linkData(link.data)
            }
        case .contact(let link):
            try maybe(link) { writer, link in
                try writer.entityID(link.linkID)
                try writer.entityID(link.senderID)
                try writer.linkData(link.data)
            }
        }
    }
}
