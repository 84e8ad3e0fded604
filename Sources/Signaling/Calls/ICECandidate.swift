/// One ICE candidate as peers write it (Calls fact sheet §3.2).
///
/// It is data only: reading it resolves and contacts nothing.
public struct ICECandidate: Sendable, Hashable {
    /// The text that begins with `candidate:`; empty means that there are no more.
    public var candidate: String
    /// The `mid` of its m-line.
    public var sdpMid: String
    /// The position of its m-line, from 0.
    public var sdpMLineIndex: Int
    /// The ICE user name fragment it belongs to.
    public var usernameFragment: String?

    /// The most candidates that are read from one message.
    public static let maximumCount = 256

    /// Makes a candidate.
    public init(candidate: String, sdpMid: String, sdpMLineIndex: Int, usernameFragment: String? = nil) {
        self.candidate = candidate
        self.sdpMid = sdpMid
        self.sdpMLineIndex = sdpMLineIndex
        self.usernameFragment = usernameFragment
    }

    /// Reads a candidate loosely: browsers differ in all fields but the first. The m-lines are fixed and bear their
    /// position as `mid`, so one of the two is enough. Nil when neither can be used.
    init?(json: JSONValue) {
        guard let object = json.object, let candidate = object["candidate"]?.string else { return nil }
        let mid = object["sdpMid"]?.string
        let index = object["sdpMLineIndex"]?.integer ?? mid.flatMap { Int($0) }
        guard let index, (0...255).contains(index) else { return nil }
        self.init(
            candidate: candidate, sdpMid: mid ?? String(index), sdpMLineIndex: index,
            usernameFragment: object["usernameFragment"]?.string)
    }

    var json: JSONValue {
        var object: JSONObject = [
            "candidate": .string(candidate), "sdpMid": .string(sdpMid), "sdpMLineIndex": .integer(sdpMLineIndex),
        ]
        object["usernameFragment"] = usernameFragment.map(JSONValue.string)
        return .object(object)
    }
}
