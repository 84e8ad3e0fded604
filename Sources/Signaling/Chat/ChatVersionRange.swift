/// The range of chat protocol versions that the writer of a message supports (Calls fact sheet §1).
public struct ChatVersionRange: Sendable, Hashable {
    /// The lowest version.
    public let minimum: UInt16
    /// The highest version.
    public let maximum: UInt16

    /// What this program announces: 8 means that it can read compressed bodies, 9 that it can read batches; higher
    /// versions would announce groups and channels.
    public static let supported = ChatVersionRange(minimum: 1, maximum: 9)

    /// What a message without the field means.
    public static let initial = ChatVersionRange(minimum: 1, maximum: 1)

    private init(minimum: UInt16, maximum: UInt16) {
        self.minimum = minimum
        self.maximum = maximum
    }

    /// Reads `"N"` or `"N-M"` with N ≤ M; nil for anything else.
    public init?(parsing text: String) {
        let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first.flatMap(Self.number), let last = parts.last.flatMap(Self.number), first <= last
        else { return nil }
        self.init(minimum: first, maximum: last)
    }

    /// `"N"` or `"N-M"`.
    public var text: String { minimum == maximum ? "\(minimum)" : "\(minimum)-\(maximum)" }

    private static func number(_ text: Substring) -> UInt16? {
        guard !text.isEmpty, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
        return UInt16(text)
    }
}
