/// A request to be connected, sent to somebody's address (`x.contact`, Calls fact sheet §2).
public struct ContactRequest: Sendable, Equatable {
    /// Who asks.
    public var profile: Profile
    /// An identifier by which a repeated request is recognised.
    var requestIdentifier: String?
    /// Fields this program does not use, kept as they came.
    var otherFields: [JSONObject.Member]

    /// A request with a profile.
    public init(profile: Profile, requestIdentifier: String? = nil) {
        self.profile = profile
        self.requestIdentifier = requestIdentifier
        otherFields = []
    }

    /// Reads the parameters of `x.contact`.
    /// - Throws: ``SignalingError``.
    public init(json: JSONObject) throws(SignalingError) {
        profile = try Profile(json: try json.object("profile"))
        requestIdentifier = try json.optionalString("contactReqId")
        otherFields = json.members(except: ["profile", "contactReqId"])
    }

    /// The parameters as they are sent.
    public var json: JSONObject {
        var object: JSONObject = ["profile": .object(profile.json)]
        object["contactReqId"] = requestIdentifier.map(JSONValue.string)
        object.members.append(contentsOf: otherFields)
        return object
    }
}
