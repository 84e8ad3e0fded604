/// A chat message (`x.msg.new`); a program for calls reads only its text (Calls fact sheet §2).
public struct TextMessage: Sendable, Equatable {
    /// The kind of content, such as `text`, `link` or `image`.
    public var kind: String
    /// The text, which may be empty for kinds other than `text`.
    public var text: String
    /// The content's other fields, kept as they came.
    public var otherContent: [JSONObject.Member]
    /// Fields beside the content (quote, file, …), kept as they came.
    public var otherFields: [JSONObject.Member]

    /// A plain text.
    public init(text: String) {
        kind = "text"
        self.text = text
        otherContent = []
        otherFields = []
    }

    /// Reads the parameters of `x.msg.new`.
    /// - Throws: ``SignalingError``.
    public init(json: JSONObject) throws(SignalingError) {
        let content = try json.object("content")
        kind = try content.string("type")
        text = try content.optionalString("text") ?? ""
        otherContent = content.members(except: ["type", "text"])
        otherFields = json.members(except: ["content"])
    }

    /// The parameters as they are sent.
    public var json: JSONObject {
        var content: JSONObject = ["type": .string(kind), "text": .string(text)]
        content.members.append(contentsOf: otherContent)
        var object: JSONObject = ["content": .object(content)]
        object.members.append(contentsOf: otherFields)
        return object
    }
}
