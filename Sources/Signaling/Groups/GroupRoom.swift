import Cryptography

/// `room`: the room of a forwarding server that the host has made for the call. Its address is data; nothing is looked up by reading it.
public struct GroupRoom: Sendable, Equatable {
    /// The most bytes of each text.
    public static let (maximumAddress, maximumPin, maximumToken) = (512, 64, 1_024)
    /// The highest number of a room: JSON numbers are exact to 53 bits.
    static let highestRoom = 1 << 53 - 1
    /// The bytes of the key that marks members' feeds.
    public static let feedsCount = 32

    /// Which room of the call it is, from 1; a higher one takes the place of a lower one.
    public var number: Int
    /// Where the server is: `wss`, or `ws` for one on this machine.
    public var address: String
    /// The server's number of the room.
    public var room: Int
    /// What lets in; nil where nothing is asked for.
    public var pin: SecretText?
    /// What the server wants of its users, if anything.
    public var token: SecretText?
    /// The key by which members know each other's feeds.
    public var feeds: SecretBytes
    /// What lets its keeper close it: only who made it has it, or the host to whom that one has handed it over.
    public var secret: SecretText?

    /// Makes a room.
    public init(
        number: Int, address: String, room: Int, pin: SecretText? = nil, token: SecretText? = nil, feeds: SecretBytes,
        secret: SecretText? = nil
    ) {
        self.number = number
        self.address = address
        self.room = room
        self.pin = pin
        self.token = token
        self.feeds = feeds
        self.secret = secret
    }
}

/// A text that must not stay in memory longer than needed, and is never described.
public struct SecretText: Sendable, Equatable, CustomStringConvertible {
    private let bytes: SecretBytes

    /// Takes a text, whose own copy is not wiped.
    public init(_ text: String) { bytes = SecretBytes(Array(text.utf8)) }

    /// A copy that nobody wipes: the caller's responsibility.
    public var text: String { bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }

    public var description: String { "SecretText" }
}

extension GroupRoom {
    init(json: JSONObject) throws(SignalingError) {
        number = try json.integer("no", in: 1...GroupRoster.highestNumber)
        address = try json.boundedString("url", limit: Self.maximumAddress)
        guard address.hasPrefix("wss://") || address.hasPrefix("ws://"),
            address.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw .invalidField("url") }
        room = try json.integer("room", in: 1...Self.highestRoom)
        pin = try json.secretText("pin", limit: Self.maximumPin)
        token = try json.secretText("token", limit: Self.maximumToken)
        feeds = try json.secret("feeds", count: Self.feedsCount)
        secret = try json.secretText("secret", limit: Self.maximumPin)
    }

    var json: JSONObject {
        var object: JSONObject = ["no": .integer(number), "url": .string(address), "room": .integer(room)]
        object["pin"] = pin.map { .string($0.text) }
        object["token"] = token.map { .string($0.text) }
        object["feeds"] = GroupSecret.json(feeds)
        object["secret"] = secret.map { .string($0.text) }
        return object
    }
}

extension JSONObject {
    fileprivate func secretText(_ name: String, limit: Int) throws(SignalingError) -> SecretText? {
        guard let value = self[name], value != .null else { return nil }
        return SecretText(try boundedString(name, limit: limit))
    }
}
