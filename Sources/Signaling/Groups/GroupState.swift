/// `state`: what of a member is on, whether it wants to say something, and whom it has met.
public struct GroupState: Sendable, Hashable {
    /// Whether its microphone is on.
    public var microphone: Bool
    /// Whether its camera is on.
    public var camera: Bool
    /// Whether it shares its screen.
    public var screen: Bool
    /// Whether its hand is up.
    public var hand: Bool

    /// Whether it wants large pictures of whoever reads this by a call server; nil: it does not say.
    public var large: Bool?
    /// The members of whom it has played sound.
    public var heard: Set<MemberNumber>
    /// The members of whom it has shown pictures.
    public var seen: Set<MemberNumber>

    /// Makes a state; by default all is off, and nobody was met.
    public init(
        microphone: Bool = false, camera: Bool = false, screen: Bool = false, hand: Bool = false,
        large: Bool? = nil, heard: Set<MemberNumber> = [], seen: Set<MemberNumber> = []
    ) {
        self.microphone = microphone
        self.camera = camera
        self.screen = screen
        self.hand = hand
        self.large = large
        self.heard = heard
        self.seen = seen
    }

    /// Whether it says nothing new to who knows another one: it is the same but for members who are no longer among those met.
    public func isCovered(by former: GroupState) -> Bool {
        var same = self
        (same.heard, same.seen) = (former.heard, former.seen)
        return same == former && heard.isSubset(of: former.heard) && seen.isSubset(of: former.seen)
    }
}

extension GroupState {
    init(json: JSONObject) throws(SignalingError) {
        microphone = try json.bool("mic")
        camera = try json.bool("camera")
        screen = try json.bool("screen")
        hand = try json.bool("hand")
        large = try json.optionalBool("large")
        (heard, seen) = (try Self.members("heard", json), try Self.members("seen", json))
    }

    private static func members(_ name: String, _ json: JSONObject) throws(SignalingError) -> Set<MemberNumber> {
        var members: Set<MemberNumber> = []
        for value in try json.boundedArray(name, limit: Int(UInt8.max)) {
            guard let number = value.integer, let member = MemberNumber(number) else { throw .invalidField(name) }
            members.insert(member)
        }
        return members
    }

    var json: JSONObject {
        var json: JSONObject = [
            "mic": .bool(microphone), "camera": .bool(camera), "screen": .bool(screen), "hand": .bool(hand),
        ]
        if let large { json["large"] = .bool(large) }
        for (name, members) in [("heard", heard), ("seen", seen)] where !members.isEmpty {
            json[name] = .array(members.sorted().map(\.json))
        }
        return json
    }
}
