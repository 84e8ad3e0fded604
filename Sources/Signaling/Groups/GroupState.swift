/// `state`: what of a member is on, and whether it wants to say something.
public struct GroupState: Sendable, Hashable {
    /// Whether its microphone is on.
    public var microphone: Bool
    /// Whether its camera is on.
    public var camera: Bool
    /// Whether it shares its screen.
    public var screen: Bool
    /// Whether its hand is up.
    public var hand: Bool

    /// Makes a state; by default all is off.
    public init(microphone: Bool = false, camera: Bool = false, screen: Bool = false, hand: Bool = false) {
        self.microphone = microphone
        self.camera = camera
        self.screen = screen
        self.hand = hand
    }
}

extension GroupState {
    init(json: JSONObject) throws(SignalingError) {
        microphone = try json.bool("mic")
        camera = try json.bool("camera")
        screen = try json.bool("screen")
        hand = try json.bool("hand")
    }

    var json: JSONObject {
        ["mic": .bool(microphone), "camera": .bool(camera), "screen": .bool(screen), "hand": .bool(hand)]
    }
}
