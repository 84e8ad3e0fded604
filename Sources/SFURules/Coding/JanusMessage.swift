import Signaling

/// What a Janus says, as far as it is understood. What is unknown is passed over; what is known and has the wrong type is refused as a
/// whole.
package struct JanusMessage: Sendable, Equatable {
    /// The most bytes of a message.
    package static let maximumLength = 131_072

    package enum Kind: Sendable, Equatable {
        case serverInfo(version: String, hasVideoRoom: Bool)
        /// With the number of a new session or handle, where one was made.
        case success(Int?)
        /// A request has come in; its result follows, or has come before.
        case acknowledgement
        case error(code: Int)
        /// From the plugin.
        case event
        case webRTCUp
        case media(isAudio: Bool, isReceiving: Bool)
        case slowLink(isUplink: Bool)
        case hangUp(reason: String)
        case detached
        /// The session is over: too long nothing was heard of this side.
        case timeOut
        case trickle([SFUCandidate], isComplete: Bool)
        case unknown
    }

    package var kind: Kind
    package var transaction: Int?
    package var session: Int?
    /// The handle that it is about.
    package var sender: Int?
    package var room: VideoRoomData?
    package var description: JanusDescription?

    /// Why something is not taken.
    package enum Refusal: Error, Equatable, Sendable {
        case tooLong
        case notJSON(JSONError)
        /// A field is missing, has the wrong type or is out of bounds.
        case field(String)
    }

    /// Reads one message.
    package init(decoding bytes: [UInt8]) throws(Refusal) {
        guard bytes.count <= Self.maximumLength else { throw .tooLong }
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue(parsing: bytes)
        } catch {
            throw .notJSON(error)
        }
        guard let object = value.object else { throw .field("janus") }
        let fields = JanusFields(object)
        transaction = object["transaction"]?.string.flatMap { Int($0) }
        session = try fields.optionalNumber("session_id")
        sender = try fields.optionalNumber("sender")
        kind = try Self.kind(try fields.string("janus"), fields)
        if let plugin = try fields.optionalObject("plugindata") {
            guard let data = try plugin.optionalObject("data") else { throw .field("data") }
            if try plugin.string("plugin") == JanusPlugin.videoRoom { room = try VideoRoomData(data) }
        }
        if let description = try fields.optionalObject("jsep") {
            guard let kind = JanusDescription.Kind(rawValue: try description.string("type")) else {
                throw .field("type")
            }
            self.description = JanusDescription(
                kind, try description.string("sdp", limit: JanusDescription.maximumLength))
        }
    }

    private static func kind(_ word: String, _ fields: JanusFields) throws(Refusal) -> Kind {
        switch word {
        case "server_info":
            return .serverInfo(
                version: VisibleText.line(try fields.string("version_string"), limit: 64),
                hasVideoRoom: try fields.optionalObject("plugins")?.object[JanusPlugin.videoRoom] != nil)
        case "success": return .success(try fields.optionalObject("data")?.optionalNumber("id"))
        case "ack": return .acknowledgement
        case "error":
            guard let error = try fields.optionalObject("error") else { throw .field("error") }
            return .error(code: try error.integer("code", in: 0...9_999))
        case "event": return .event
        case "webrtcup": return .webRTCUp
        case "media":
            return .media(
                isAudio: try fields.string("type") == "audio", isReceiving: try fields.bool("receiving"))
        case "slowlink": return .slowLink(isUplink: try fields.bool("uplink"))
        case "hangup":
            return .hangUp(reason: VisibleText.line(try fields.optionalString("reason") ?? "", limit: 100))
        case "detached": return .detached
        case "timeout": return .timeOut
        case "trickle": return try trickle(fields)
        default: return .unknown
        }
    }

    private static func trickle(_ fields: JanusFields) throws(Refusal) -> Kind {
        let list =
            try fields.optionalArray("candidates", limit: 64)
            ?? fields.object["candidate"].map { [$0] } ?? []
        var candidates: [SFUCandidate] = []
        var isComplete = false
        for value in list {
            guard let object = value.object else { throw .field("candidate") }
            let fields = JanusFields(object)
            if object["completed"]?.bool == true {
                isComplete = true
                continue
            }
            let text = try fields.string("candidate", limit: SFUCandidate.maximumLength)
            guard !text.utf8.contains(where: { $0 < 0x20 }) else { throw .field("candidate") }
            candidates.append(
                SFUCandidate(
                    text: text, mid: try fields.optionalString("sdpMid"),
                    index: try fields.optionalInteger("sdpMLineIndex", in: 0...255)))
        }
        return .trickle(candidates, isComplete: isComplete)
    }
}

/// Text of the server's for logs and for the eyes of people: one line of visible ASCII.
enum VisibleText {
    static func line(_ text: String, limit: Int) -> String {
        String(
            String.UnicodeScalarView(text.unicodeScalars.lazy.filter { (0x20...0x7E).contains($0.value) }.prefix(limit))
        )
    }
}
