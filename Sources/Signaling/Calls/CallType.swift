/// What a call carries.
public enum CallMedia: String, Sendable, Hashable, CaseIterable {
    /// Sound only.
    case audio
    /// Sound and picture.
    case video

    /// What both sides agreed to: picture only if both said picture.
    public func limited(to other: CallMedia) -> CallMedia { self == .video && other == .video ? .video : .audio }
}

/// `callType` of an invitation or an offer (Calls fact sheet §3).
public struct CallType: Sendable, Hashable {
    /// What the writer wants to carry.
    public var media: CallMedia
    /// Whether the writer can encrypt frames end to end.
    public var encryption: Bool

    /// Pairs the two.
    public init(media: CallMedia, encryption: Bool) {
        self.media = media
        self.encryption = encryption
    }

    init(json: JSONObject) throws(SignalingError) {
        guard let media = CallMedia(rawValue: try json.string("media")) else { throw .invalidField("media") }
        self.media = media
        encryption = try json.object("capabilities").bool("encryption")
    }

    var json: JSONObject {
        [
            "media": .string(media.rawValue),
            "capabilities": .object(["encryption": .bool(encryption)]),
        ]
    }
}
