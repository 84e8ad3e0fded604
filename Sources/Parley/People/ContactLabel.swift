/// A word that the person here puts on a contact or on who asks to become one. It never leaves this machine.
public enum ContactLabel: Sendable, Hashable, Codable {
    /// Perhaps somebody who calls people to sell or to cheat.
    case suspectedSpam
    /// A word of the person's own.
    case own(String)

    /// The most labels on one contact.
    public static let maximumCount = 10

    /// What a person has typed; nil when nothing is left of it that can be shown.
    public init?(typed text: String) {
        guard let text = DisplayName.cleaned(text) else { return nil }
        self = .own(text)
    }

    /// As it is kept: a text of its own kind, so that a later Parley can have more of them.
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        self = text == Self.spamText ? .suspectedSpam : .own(text)
    }

    /// As it is kept.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .suspectedSpam: try container.encode(Self.spamText)
        case .own(let text): try container.encode(text)
        }
    }

    /// No word that a person can type holds a control character.
    private static let spamText = "\u{1}spam"

    /// Each once.
    static func distinct(_ labels: [ContactLabel]) -> [ContactLabel] {
        var seen: Set<ContactLabel> = []
        return labels.filter { seen.insert($0).inserted }
    }
}
