/// What a contact's program understands beyond the protocol, as it announces it with its profile (docs/protocol.md).
///
/// To a program that has not announced an ability nothing is sent that needs it, so that other programs see nothing new.
public struct PeerAbilities: OptionSet, Sendable, Hashable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Takes notice of where a call stands for the other person (``CallStanding``).
    public static let callStanding = PeerAbilities(rawValue: 1 << 0)
    /// Takes tones within the sound (RFC 4733).
    public static let tones = PeerAbilities(rawValue: 1 << 1)
    /// Takes part in calls of several (``GroupMessage``).
    public static let groups = PeerAbilities(rawValue: 1 << 2)

    /// All that this program can and announces without being told to.
    public static let own: PeerAbilities = [.callStanding, .tones]

    /// All that this program can.
    ///
    /// - Parameter takingGroups: whether it takes part in calls of several.
    public static func own(takingGroups: Bool) -> PeerAbilities { takingGroups ? own.union(.groups) : own }
}

extension PeerAbilities {
    private static let names: [(name: String, ability: PeerAbilities)] = [
        ("call.standing", .callStanding), ("call.tones", .tones), ("call.group", .groups),
    ]

    /// The member of a profile.
    static let key = "parley"
    private static let listKey = "can"

    /// Reads the member of a profile. What a later version can, and what cannot be read, is passed over.
    init(json: JSONValue?) {
        let announced = json?.object?[Self.listKey]?.array ?? []
        let texts = Set(announced.compactMap(\.string))
        self = Self.names.reduce(into: []) { if texts.contains($1.name) { $0.insert($1.ability) } }
    }

    /// The member as it is sent; nil where there is nothing to say.
    var json: JSONValue? {
        guard !isEmpty else { return nil }
        let names = Self.names.filter { contains($0.ability) }.map { JSONValue.string($0.name) }
        return .object([Self.listKey: .array(names)])
    }
}
