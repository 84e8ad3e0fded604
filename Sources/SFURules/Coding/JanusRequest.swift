import Signaling

/// What is asked of a Janus (“JavaScript/WebSockets API” of its documentation).
struct JanusRequest: Sendable, Equatable {
    enum Verb: String, Sendable {
        case info, create, claim, attach, detach, message, trickle
        case keepAlive = "keepalive"
        /// Ends a session.
        case destroy
    }

    var verb: Verb
    var session: Int?
    var handle: Int?
    /// What the verb needs besides.
    var fields: JSONObject

    init(_ verb: Verb, session: Int? = nil, handle: Int? = nil, fields: JSONObject = [:]) {
        (self.verb, self.session, self.handle, self.fields) = (verb, session, handle, fields)
    }

    /// The text to be sent. A token goes with everything but the question who is there.
    func encoded(transaction: Int, token: SecretText?) -> [UInt8] {
        var object: JSONObject = ["janus": .string(verb.rawValue), "transaction": .string(String(transaction))]
        object["session_id"] = session.map(JSONValue.integer)
        object["handle_id"] = handle.map(JSONValue.integer)
        if verb != .info { object["token"] = token.map { .string($0.text) } }
        object.members += fields.members
        return JSONValue.object(object).encoded
    }
}

extension JanusRequest {
    /// A request to the plugin.
    static func room(
        _ body: JSONObject, session: Int, handle: Int, description: JanusDescription? = nil
    ) -> JanusRequest {
        var fields: JSONObject = ["body": .object(body)]
        fields["jsep"] = description.map { .object($0.json) }
        return JanusRequest(.message, session: session, handle: handle, fields: fields)
    }

    static func attach(session: Int) -> JanusRequest {
        JanusRequest(.attach, session: session, fields: ["plugin": .string(JanusPlugin.videoRoom)])
    }

    static func trickle(_ candidates: [SFUCandidate], session: Int, handle: Int) -> JanusRequest {
        let list = candidates.map { candidate -> JSONValue in
            var object: JSONObject = ["candidate": .string(candidate.text)]
            object["sdpMid"] = candidate.mid.map(JSONValue.string)
            object["sdpMLineIndex"] = candidate.index.map(JSONValue.integer)
            return .object(object)
        }
        return JanusRequest(.trickle, session: session, handle: handle, fields: ["candidates": .array(list)])
    }

    static func trickleEnd(session: Int, handle: Int) -> JanusRequest {
        JanusRequest(
            .trickle, session: session, handle: handle, fields: ["candidate": .object(["completed": .bool(true)])])
    }
}

/// A session description on its way. What is sent is always said to be encrypted from end to end (`e2ee`); that is a flag, no proof.
package struct JanusDescription: Sendable, Equatable {
    /// The most bytes of one.
    package static let maximumLength = 65_536

    package enum Kind: String, Sendable { case offer, answer }

    package var kind: Kind
    package var sdp: String

    package init(_ kind: Kind, _ sdp: String) { (self.kind, self.sdp) = (kind, sdp) }

    var json: JSONObject { ["type": .string(kind.rawValue), "sdp": .string(sdp), "e2ee": .bool(true)] }
}

/// The bodies of requests to the videoroom plugin (“VideoRoom plugin” of Janus's documentation).
enum VideoRoomBody {
    static func create(_ plan: SFURoomPlan, key: SecretText?) -> JSONObject {
        var body: JSONObject = [
            "request": .string("create"), "room": .integer(plan.room.number.value), "permanent": .bool(false),
            "is_private": .bool(true), "secret": .string(plan.secret.text), "publishers": .integer(plan.publishers),
            "require_pvtid": .bool(plan.requiresMembership), "require_e2ee": .bool(plan.requiresEncryption),
            "audiocodec": .string("opus"), "videocodec": .string("vp8"), "bitrate": .integer(plan.maximumBitrate),
            "bitrate_cap": .bool(true), "audiolevel_ext": .bool(false), "audiolevel_event": .bool(false),
            "record": .bool(false), "lock_record": .bool(true), "notify_joining": .bool(false),
        ]
        body["pin"] = plan.room.pin.map { .string($0.text) }
        body["admin_key"] = key.map { .string($0.text) }
        return body
    }

    static func exists(_ room: SFUNumber) -> JSONObject {
        ["request": .string("exists"), "room": .integer(room.value)]
    }

    static func participants(_ room: SFUNumber) -> JSONObject {
        ["request": .string("listparticipants"), "room": .integer(room.value)]
    }

    static func destroy(_ room: SFUNumber, secret: SecretText) -> JSONObject {
        [
            "request": .string("destroy"), "room": .integer(room.value), "secret": .string(secret.text),
            "permanent": .bool(false),
        ]
    }

    static func edit(_ room: SFUNumber, secret: SecretText, to lock: SFURoomLock) -> JSONObject {
        [
            "request": .string("edit"), "room": .integer(room.value), "secret": .string(secret.text),
            "new_secret": .string(lock.secret.text), "new_pin": .string(lock.pin.text), "permanent": .bool(false),
        ]
    }

    static func kick(_ feed: SFUNumber, room: SFUNumber, secret: SecretText) -> JSONObject {
        [
            "request": .string("kick"), "room": .integer(room.value), "secret": .string(secret.text),
            "id": .integer(feed.value),
        ]
    }

    static func join(_ room: SFURoom, as feed: SFUFeed) -> JSONObject {
        var body: JSONObject = [
            "request": .string("join"), "ptype": .string("publisher"), "room": .integer(room.number.value),
            "id": .integer(feed.id.value), "display": .string(feed.display),
        ]
        body["pin"] = room.pin.map { .string($0.text) }
        return body
    }

    static func subscribe(_ feed: SFUNumber, room: SFURoom, privateID: Int?) -> JSONObject {
        var body: JSONObject = [
            "request": .string("join"), "ptype": .string("subscriber"), "room": .integer(room.number.value),
            "streams": .array([.object(["feed": .integer(feed.value)])]),
        ]
        body["pin"] = room.pin.map { .string($0.text) }
        body["private_id"] = privateID.map(JSONValue.integer)
        return body
    }

    static let configure: JSONObject = ["request": .string("configure")]
    static let start: JSONObject = ["request": .string("start")]

    static func configure(_ streams: [VideoRoomStream], _ choice: SFUFeedChoice) -> JSONObject {
        let list = streams.map { stream -> JSONValue in
            var object: JSONObject = ["mid": .string(stream.mid)]
            object["send"] = .bool(stream.kind == .audio ? choice.isAudioSent : choice.isVideoSent)
            if stream.kind == .video {
                object["substream"] = choice.substream.map(JSONValue.integer)
                object["temporal"] = choice.temporal.map(JSONValue.integer)
            }
            return .object(object)
        }
        return ["request": .string("configure"), "streams": .array(list)]
    }
}
