/// What stands in a written message (Calls fact sheet §2.1): its text, and what came with it, of which only the kind is read.
public struct MessageContent: Sendable, Equatable {
    /// What a message consists of beside its text.
    public enum Kind: Sendable, Equatable {
        /// Nothing else.
        case text
        /// A preview of a link that stands in the text.
        case link
        /// A picture.
        case image
        /// A film of so many seconds; nil when that was not said.
        case video(seconds: Int?)
        /// A recording of so many seconds; nil when that was not said.
        case voice(seconds: Int?)
        /// A file.
        case file
        /// Something that this program does not know, by its name.
        case other(String)
    }

    /// What it is.
    public var kind: Kind
    /// The text, as its writer wrote it; often empty beside pictures and files.
    public var text: String

    /// A content of some kind.
    public init(_ kind: Kind = .text, text: String) {
        self.kind = kind
        self.text = text
    }

    /// Reads the field `content`. What is not known is a kind of its own, and a text is only demanded where there is nothing else.
    /// - Throws: ``SignalingError``.
    public init(json: JSONObject) throws(SignalingError) {
        let type = try json.string("type")
        kind =
            switch type {
            case "text": .text
            case "link": .link
            case "image": .image
            case "video": .video(seconds: Self.seconds(json))
            case "voice": .voice(seconds: Self.seconds(json))
            case "file": .file
            default: .other(type)
            }
        text = kind == .text ? try json.string("text") : try json.optionalString("text") ?? ""
    }

    /// A length of time that makes no sense is none.
    private static func seconds(_ json: JSONObject) -> Int? {
        json["duration"]?.integer.flatMap { $0 >= 0 ? $0 : nil }
    }

    /// The field as it is sent.
    public var json: JSONObject {
        var object: JSONObject = ["type": .string(type), "text": .string(text)]
        switch kind {
        case .video(let seconds?), .voice(let seconds?): object["duration"] = .integer(seconds)
        case .text, .link, .image, .video, .voice, .file, .other: break
        }
        return object
    }

    private var type: String {
        switch kind {
        case .text: "text"
        case .link: "link"
        case .image: "image"
        case .video: "video"
        case .voice: "voice"
        case .file: "file"
        case .other(let type): type
        }
    }
}

/// A file that a message announces; it is never fetched.
public struct FileAnnouncement: Sendable, Equatable {
    /// The name its sender gave it.
    public var name: String
    /// How long it is, in bytes.
    public var size: Int

    /// A file of this name and size.
    public init(name: String, size: Int) {
        self.name = name
        self.size = size
    }

    /// Reads the field `file`.
    /// - Throws: ``SignalingError``.
    public init(json: JSONObject) throws(SignalingError) {
        name = try json.string("fileName")
        guard let size = try json.value("fileSize").integer, size >= 0 else { throw .invalidField("fileSize") }
        self.size = size
    }

    /// The field, without what a file is fetched by.
    public var json: JSONObject { ["fileName": .string(name), "fileSize": .integer(size)] }
}
