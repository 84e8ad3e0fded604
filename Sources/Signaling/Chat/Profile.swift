/// How somebody introduces themselves to a contact (Calls fact sheet §2).
public struct Profile: Sendable, Equatable {
    /// The name to show; never empty.
    public var displayName: String
    /// A longer name, often empty.
    var fullName: String
    /// A line about the person, up to 160 characters.
    public var shortDescription: String?
    /// A small picture as a data URI.
    public var image: String?
    /// A link under which the person can be reached by others.
    public var contactLink: String?
    /// Whether calls are welcome. Absent means yes.
    public var calls: FeaturePreference
    /// What the person's program understands beyond the protocol.
    public var abilities: PeerAbilities
    /// Their part of what they and the reader know each other by in calls of several.
    public var recognitionSeed: RecognitionSeed?
    /// Preferences of other features, kept as they came.
    var otherPreferences: [JSONObject.Member]
    /// Fields this program does not know, kept as they came.
    var otherFields: [JSONObject.Member]

    /// A profile with nothing but a name and the preference for calls.
    public init(
        displayName: String, fullName: String = "", calls: FeaturePreference = .yes, abilities: PeerAbilities = []
    ) {
        self.displayName = displayName
        self.fullName = fullName
        self.calls = calls
        self.abilities = abilities
        otherPreferences = []
        otherFields = []
    }

    private static let knownFields: Set<String> = [
        "displayName", "fullName", "shortDescr", "image", "contactLink", "preferences", PeerAbilities.key,
    ]

    /// Reads a profile.
    /// - Throws: ``SignalingError`` when a name is missing or a known field has the wrong type.
    public init(json: JSONObject) throws(SignalingError) {
        displayName = try json.string("displayName")
        guard !displayName.isEmpty else { throw .invalidField("displayName") }
        fullName = try json.string("fullName")
        shortDescription = try json.optionalString("shortDescr")
        image = try json.optionalString("image")
        contactLink = try json.optionalString("contactLink")
        let preferences = json["preferences"]?.object ?? JSONObject()
        calls = Self.preference(preferences["calls"])
        abilities = PeerAbilities(json: json[PeerAbilities.key])
        // What can't be read is passed over, as with abilities.
        recognitionSeed = json[PeerAbilities.key]?.object?[RecognitionSeed.key]?.string
            .flatMap(RecognitionSeed.init(text:))
        otherPreferences = preferences.members(except: ["calls"])
        otherFields = json.members(except: Self.knownFields)
    }

    /// Absent means yes. A value that cannot be read permits nothing.
    private static func preference(_ value: JSONValue?) -> FeaturePreference {
        guard let value, value != .null else { return .yes }
        return value.object?["allow"]?.string.flatMap(FeaturePreference.init(rawValue:)) ?? .no
    }

    /// What is said of the person's program; nil where there is nothing to say.
    private var program: JSONValue? {
        var object = abilities.json?.object ?? JSONObject()
        object[RecognitionSeed.key] = (recognitionSeed?.text).map(JSONValue.string)
        return object.members.isEmpty ? nil : .object(object)
    }

    /// The profile as it is sent.
    public var json: JSONObject {
        var object: JSONObject = ["displayName": .string(displayName), "fullName": .string(fullName)]
        object["shortDescr"] = shortDescription.map(JSONValue.string)
        object["image"] = image.map(JSONValue.string)
        object["contactLink"] = contactLink.map(JSONValue.string)
        var preferences = JSONObject(members: otherPreferences)
        preferences["calls"] = .object(["allow": .string(calls.rawValue)])
        object["preferences"] = .object(preferences)
        object[PeerAbilities.key] = program
        object.members.append(contentsOf: otherFields)
        return object
    }
}
