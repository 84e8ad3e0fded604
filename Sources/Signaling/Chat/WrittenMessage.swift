/// A message from one person to another (`x.msg.new`, Calls fact sheet §2.1).
public struct WrittenMessage: Sendable, Equatable {
    /// What it says.
    public var content: MessageContent
    /// The file it announces.
    public var file: FileAnnouncement?
    /// Whether it answers a message that it quotes.
    var isReply: Bool
    /// Whether somebody else wrote it at first.
    public var isForwarded: Bool
    /// Whether its writer is still at it: updates follow.
    public var isLive: Bool
    /// How many seconds it may be kept by its reader; nil for as long as they like.
    public var timeToLive: Int?

    /// A message with nothing but text.
    public init(text: String) { self.init(MessageContent(text: text)) }

    /// A message with this content.
    public init(_ content: MessageContent, file: FileAnnouncement? = nil, timeToLive: Int? = nil) {
        self.content = content
        self.file = file
        self.timeToLive = timeToLive
        (isReply, isForwarded, isLive) = (false, false, false)
    }

    /// Reads the parameters of `x.msg.new`; what they quote and mention is left out.
    /// - Throws: ``SignalingError``.
    public init(json: JSONObject) throws(SignalingError) {
        content = try MessageContent(json: try json.object("content"))
        file = nil
        if let object = try json.optionalObject("file") { file = try FileAnnouncement(json: object) }
        isReply = json["quote"]?.object != nil
        // Some versions write an object.
        isForwarded = json["forward"]?.bool ?? (json["forward"]?.object != nil)
        isLive = json["live"]?.bool ?? false
        timeToLive = try json.timeToLive()
    }

    /// The parameters as they are sent.
    public var json: JSONObject {
        var object: JSONObject = ["content": .object(content.json)]
        if isReply { object["quote"] = .object([:]) }
        if isForwarded { object["forward"] = .bool(true) }
        object["file"] = file.map { .object($0.json) }
        object["ttl"] = timeToLive.map(JSONValue.integer)
        if isLive { object["live"] = .bool(true) }
        return object
    }

    /// How many bytes a message with this text of one's own has left; below 0 it is too long. Nothing is compressed for it: not every
    /// program reads that, and what a person may write should not depend on it.
    public static func room(beside text: String) -> Int {
        let message = ChatMessage(.written(WrittenMessage(text: text)), identifier: String(repeating: "A", count: 16))
        return ChatMessage.maximumBody - message.json.encoded.count
    }
}

/// A writer has changed a message (`x.msg.update`, Calls fact sheet §2.1).
public struct MessageUpdate: Sendable, Equatable {
    /// The message's identifier.
    public var identifier: String
    /// What it says now.
    public var content: MessageContent
    /// How many seconds it may be kept by its reader.
    public var timeToLive: Int?
    /// Whether its writer is still at it.
    public var isLive: Bool

    /// A change of a message.
    public init(identifier: String, content: MessageContent, timeToLive: Int? = nil) {
        self.identifier = identifier
        self.content = content
        self.timeToLive = timeToLive
        isLive = false
    }

    /// Reads the parameters of `x.msg.update`.
    /// - Throws: ``SignalingError``.
    public init(json: JSONObject) throws(SignalingError) {
        identifier = try json.string("msgId")
        content = try MessageContent(json: try json.object("content"))
        timeToLive = try json.timeToLive()
        isLive = json["live"]?.bool ?? false
    }

    /// The parameters as they are sent.
    public var json: JSONObject {
        var object: JSONObject = ["msgId": .string(identifier), "content": .object(content.json)]
        object["ttl"] = timeToLive.map(JSONValue.integer)
        if isLive { object["live"] = .bool(true) }
        return object
    }
}

extension JSONObject {
    /// The seconds after which a message is to be forgotten: a value that can't be read is an error rather than no limit.
    fileprivate func timeToLive() throws(SignalingError) -> Int? {
        guard let value = self["ttl"], value != .null else { return nil }
        guard let seconds = value.integer, seconds > 0 else { throw .invalidField("ttl") }
        return seconds
    }
}
