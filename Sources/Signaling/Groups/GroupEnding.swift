/// What `over` says is over.
public enum GroupEnding: String, Sendable, Hashable, CaseIterable {
    /// The whole call: nobody is in any more.
    case call
    /// Only the reader's invitation, which is taken back.
    case invitation

    private static let key = "of"

    /// Nil for what an earlier version sends, which says nothing of it, and for a word of a later one.
    static func read(_ json: JSONObject) throws(SignalingError) -> GroupEnding? {
        try json.optionalString(key).flatMap { GroupEnding(rawValue: $0) }
    }

    static func json(_ ending: GroupEnding?) -> JSONObject {
        if let ending { [key: .string(ending.rawValue)] } else { [:] }
    }
}
