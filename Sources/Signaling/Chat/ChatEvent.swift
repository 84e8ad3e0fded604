/// What a chat message says: the name in `event` together with `params`.
public enum ChatEvent: Sendable, Equatable {
    /// `x.info`: the writer's profile, in the handshake or as an update.
    case information(Profile)
    /// `x.contact`: a request to be connected, sent to an address.
    case contactRequest(ContactRequest)
    /// `x.direct.del`: the writer deleted this contact.
    case contactDeleted
    /// `x.msg.new`: something written.
    case written(WrittenMessage)
    /// `x.msg.update`: the writer has changed a message.
    case messageUpdated(MessageUpdate)
    /// `x.msg.del`: the writer takes back the message with this identifier.
    case messageDeleted(identifier: String)
    /// One of the five `x.call.…` events, or `x.parley.call`.
    case call(CallMessage)
    /// One of the `x.parley.group.…` events, with the identifier of its call.
    case group(CallID, GroupMessage)
    /// An event that this program has no use for, such as a reaction, or does not know; never a failure of the protocol.
    case unknown(name: String, parameters: JSONValue)

    /// Reads an event.
    /// - Throws: ``SignalingError`` when the parameters of a known event cannot be used.
    public init(name: String, parameters: JSONValue) throws(SignalingError) {
        switch name {
        case "x.info":
            self = .information(try Profile(json: try Self.object(parameters).object("profile")))
        case "x.contact": self = .contactRequest(try ContactRequest(json: try Self.object(parameters)))
        case "x.direct.del": self = .contactDeleted
        case "x.msg.new": self = .written(try WrittenMessage(json: try Self.object(parameters)))
        case "x.msg.update": self = .messageUpdated(try MessageUpdate(json: try Self.object(parameters)))
        case "x.msg.del": self = .messageDeleted(identifier: try Self.object(parameters).string("msgId"))
        case "x.call.inv", "x.call.offer", "x.call.answer", "x.call.extra", "x.call.end",
            CallStanding.event:
            self = .call(try CallMessage(event: name, parameters: try Self.object(parameters)))
        case let name where name.hasPrefix(GroupEvent.prefix):
            let group = try GroupEvent.read(name, try Self.object(parameters))
            self = group.map { .group($0, $1) } ?? .unknown(name: name, parameters: parameters)
        default: self = .unknown(name: name, parameters: parameters)
        }
    }

    private static func object(_ parameters: JSONValue) throws(SignalingError) -> JSONObject {
        guard let object = parameters.object else { throw .invalidField("params") }
        return object
    }

    /// The event's name.
    public var name: String {
        switch self {
        case .information: "x.info"
        case .contactRequest: "x.contact"
        case .contactDeleted: "x.direct.del"
        case .written: "x.msg.new"
        case .messageUpdated: "x.msg.update"
        case .messageDeleted: "x.msg.del"
        case .call(let message): message.event
        case .group(_, let message): GroupEvent.name(of: message)
        case .unknown(let name, _): name
        }
    }

    /// The event's parameters.
    public var parameters: JSONValue {
        switch self {
        case .information(let profile): .object(["profile": .object(profile.json)])
        case .contactRequest(let request): .object(request.json)
        case .contactDeleted: .object([:])
        case .written(let message): .object(message.json)
        case .messageUpdated(let update): .object(update.json)
        case .messageDeleted(let identifier): .object(["msgId": .string(identifier)])
        case .call(let message): .object(message.parameters)
        case .group(let id, let message): .object(GroupEvent.parameters(id, message))
        case .unknown(_, let parameters): parameters
        }
    }

    /// Whether the message is sent with the flag that wakes the recipient (Calls fact sheet §1).
    public var notifies: Bool {
        switch self {
        case .contactRequest, .written: true
        case .call(let message): message.notifies
        case .group(_, let message): message.notifies
        case .information, .contactDeleted, .messageUpdated, .messageDeleted, .unknown: false
        }
    }
}
