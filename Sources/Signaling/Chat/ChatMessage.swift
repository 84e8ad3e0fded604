import Cryptography

/// One chat message: `{v, msgId, event, params}` (Calls fact sheet §1).
public struct ChatMessage: Sendable, Equatable {
    /// The most bytes that a message's body can have.
    public static let maximumBody = 15_602
    /// The most bytes that the information in a handshake can have.
    static let maximumConnectionInformation = 14_694
    /// The most bytes that are read, which is what a compressed body may grow to.
    static let maximumReceived = 65_536

    /// The versions that the writer supports.
    public var versions: ChatVersionRange
    /// An opaque identifier by which later messages can refer to this one.
    public var identifier: String?
    /// What the message says.
    public var event: ChatEvent

    /// A message of this program, by default without an identifier.
    public init(_ event: ChatEvent, identifier: String? = nil) {
        versions = .supported
        self.identifier = identifier
        self.event = event
    }

    /// A message with a new random identifier of 12 bytes.
    public static func identified(_ event: ChatEvent) -> ChatMessage {
        ChatMessage(event, identifier: Base64URL.encode(randomBytes(12)))
    }

    /// Reads one JSON message; fields it does not know are ignored.
    /// - Throws: ``SignalingError``.
    public init(json: JSONValue) throws(SignalingError) {
        guard let object = json.object else { throw .invalidField("message") }
        versions = .initial
        if let text = try object.optionalString("v") {
            guard let range = ChatVersionRange(parsing: text) else { throw .invalidField("v") }
            versions = range
        }
        identifier = try object.optionalString("msgId")
        event = try ChatEvent(name: try object.string("event"), parameters: object["params"] ?? .object([:]))
    }

    /// Reads the information of a handshake, which is exactly one message.
    /// - Throws: ``SignalingError``.
    public init(connectionInformation bytes: [UInt8]) throws(SignalingError) {
        let body = try ChatBody(decoding: bytes)
        guard let message = body.messages.first else { throw body.refused.first ?? .emptyBody }
        self = message
    }

    /// The message as JSON, members in the order of Calls fact sheet §1.
    public var json: JSONValue {
        var object: JSONObject = ["v": .string(versions.text)]
        object["msgId"] = identifier.map(JSONValue.string)
        object["event"] = .string(event.name)
        object["params"] = event.parameters
        return .object(object)
    }

    /// The body for the agent, compressed if it would not fit otherwise.
    /// - Throws: ``SignalingError/tooLarge(count:limit:)``; there is no fragmentation.
    public func encoded() throws(SignalingError) -> [UInt8] {
        try Self.limited(json.encoded, to: Self.maximumBody)
    }

    /// The information for a handshake, compressed if it would not fit otherwise; it has no identifier.
    /// - Throws: ``SignalingError/tooLarge(count:limit:)``.
    public func encodedConnectionInformation() throws(SignalingError) -> [UInt8] {
        var message = self
        message.identifier = nil
        return try Self.limited(message.json.encoded, to: Self.maximumConnectionInformation)
    }

    private static func limited(_ bytes: [UInt8], to limit: Int) throws(SignalingError) -> [UInt8] {
        if bytes.count <= limit { return bytes }
        guard let compressed = ChatBody.compressed(bytes), compressed.count <= limit else {
            throw .tooLarge(count: bytes.count, limit: limit)
        }
        return compressed
    }
}
