/// What a member of a group call is called: at most 64 bytes of UTF-8, fit to be shown.
public struct MemberName: Hashable, Sendable, CustomStringConvertible {
    /// The most bytes of a name in messages.
    public static let maximumBytes = 64

    /// The name, never empty.
    public let text: String

    /// Who says nothing of itself that could be shown.
    public static let unknown = MemberName(shown: "?")

    private init(shown text: String) { self.text = text }

    /// The name without what is no part of one and as long as fits; nil if nothing is left.
    public init?(parsing text: String) {
        guard var name = LineOfText.cleaned(text, limit: Self.maximumBytes) else { return nil }
        while name.utf8.count > Self.maximumBytes || name.last == " " { name.removeLast() }
        // What the end held together may be idle without it.
        guard let name = LineOfText.cleaned(name, limit: Self.maximumBytes) else { return nil }
        self.text = name
    }

    public var description: String { text }
}

extension JSONObject {
    func memberName(_ name: String) throws(SignalingError) -> MemberName {
        let text = try boundedString(name, limit: MemberName.maximumBytes)
        guard let name = MemberName(parsing: text) else { throw .invalidField(name) }
        return name
    }
}
