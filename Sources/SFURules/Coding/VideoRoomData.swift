import Signaling

/// What the videoroom plugin says, in an answer or by itself.
package struct VideoRoomData: Sendable, Equatable {
    /// The most participants, and streams of one, that are read.
    static let maximumParticipants = 256
    static let maximumStreams = 32

    /// Whom a piece of news is about.
    package enum Subject: Sendable, Equatable {
        /// This side.
        case own
        case feed(SFUNumber)
    }

    package enum Kind: Sendable, Equatable {
        case joined, attached, created, edited, destroyed, success, participants, event, other
    }

    package var kind: Kind
    package var errorCode: Int?
    package var id: SFUNumber?
    var privateID: Int?
    package var exists: Bool?
    /// Those who send: all of them, or those who have begun.
    package var publishers: [SFUFeed]
    package var participants: [SFUParticipant]
    package var streams: [VideoRoomStream]
    package var unpublished: Subject?
    package var leaving: Subject?
    var isKick: Bool
    package var kicked: SFUNumber?

    init(_ fields: JanusFields) throws(JanusMessage.Refusal) {
        kind =
            switch try fields.string("videoroom") {
            case "joined": .joined
            case "attached": .attached
            case "created": .created
            case "edited": .edited
            case "destroyed": .destroyed
            case "success": .success
            case "participants": .participants
            case "event": .event
            default: .other
            }
        errorCode = try fields.optionalInteger("error_code", in: 0...9_999)
        id = try fields.optionalNumber("id").flatMap { SFUNumber($0) }
        privateID = try fields.optionalNumber("private_id")
        exists = fields.object["exists"]?.bool
        publishers = try Self.list("publishers", fields, Self.feed)
        participants = try Self.list("participants", fields) { participant throws(JanusMessage.Refusal) in
            SFUParticipant(
                feed: try Self.feed(participant), isSending: participant.object["publisher"]?.bool ?? false)
        }
        streams = try Self.list("streams", fields, limit: Self.maximumStreams, VideoRoomStream.init(_:))
        unpublished = try Self.subject("unpublished", fields)
        leaving = try Self.subject("leaving", fields)
        isKick = fields.object["reason"]?.string == "kicked"
        kicked = try fields.optionalNumber("kicked").flatMap { SFUNumber($0) }
    }

    private static func feed(_ fields: JanusFields) throws(JanusMessage.Refusal) -> SFUFeed {
        SFUFeed(
            id: try fields.number("id"),
            display: try fields.optionalString("display", limit: SFUFeed.maximumDisplay) ?? "")
    }

    private static func list<Element>(
        _ name: String, _ fields: JanusFields, limit: Int = maximumParticipants,
        _ read: (JanusFields) throws(JanusMessage.Refusal) -> Element
    ) throws(JanusMessage.Refusal) -> [Element] {
        var elements: [Element] = []
        for value in try fields.optionalArray(name, limit: limit) ?? [] {
            guard let object = value.object else { throw .field(name) }
            elements.append(try read(JanusFields(object)))
        }
        return elements
    }

    /// `ok` is this side.
    private static func subject(_ name: String, _ fields: JanusFields) throws(JanusMessage.Refusal) -> Subject? {
        guard let value = fields.object[name], value != .null else { return nil }
        if value.string == "ok" { return .own }
        guard let number = value.integer.flatMap({ SFUNumber($0) }) else { throw .field(name) }
        return .feed(number)
    }
}

/// One m-line of a subscription.
package struct VideoRoomStream: Sendable, Equatable {
    package enum Kind: String, Sendable { case audio, video, data }

    package var mid: String
    package var kind: Kind

    init(_ fields: JanusFields) throws(JanusMessage.Refusal) {
        mid = try fields.optionalString("mid", limit: 32) ?? ""
        guard let kind = Kind(rawValue: try fields.string("type")) else { throw .field("type") }
        self.kind = kind
    }
}
