import Calling
import Cryptography
import Signaling

/// How two members of a call of several who are contacts, but reached each other by somebody else, prove to each other who they are: by tags
/// that only the two can make, each good for one call, one member and one line (docs/groups.md).
///
/// The line's security code is in them, which no two lines have in common: who sits between two members has a line to each, and
/// can't use on one what was said on the other.
struct MemberRecognition: Sendable {
    let call: CallID
    /// The security code of the line.
    let line: [UInt8]
    /// What each contact and the person here know alone.
    private let secrets: [ContactID: SecretBytes]

    private static let label = Array("parley group tag 1".utf8)
    /// Tags are sent in multiples of so many, the rest being random, so that nobody can count contacts.
    private static let step = 32

    /// - Parameter secrets: of contacts; of more than a message has room for, the same are always left out.
    init(_ call: CallID, line: [UInt8], secrets: [ContactID: SecretBytes]) {
        (self.call, self.line) = (call, line)
        let used = Set(secrets.keys.sorted { $0.rawValue < $1.rawValue }.prefix(MemberTag.maximumCount))
        self.secrets = secrets.filter { used.contains($0.key) }
    }

    /// What a member says to be known by its contacts: a tag for each, and random ones, in an order that tells nothing.
    func tags(of member: MemberNumber, random: (Int) -> SecretBytes = SecretBytes.random) -> [MemberTag] {
        var tags = secrets.values.compactMap { tag(of: member, by: $0) }
        let count = max(1, (tags.count + Self.step - 1) / Self.step) * Self.step
        while tags.count < count, let tag = MemberTag(bytes: random(MemberTag.count).bytes) { tags.append(tag) }
        return tags.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    }

    /// The contact that a member has proved to be; nil for none.
    func contact(with tags: [MemberTag], of member: MemberNumber) -> ContactID? {
        let tags = Set(tags)
        return secrets.first { tag(of: member, by: $0.value).map(tags.contains) == true }?.key
    }

    private func tag(of member: MemberNumber, by secret: SecretBytes) -> MemberTag? {
        let key = HKDF.sha256(
            salt: call.bytes, inputKey: secret, info: Self.label + [member.value] + line, count: MemberTag.count)
        return MemberTag(bytes: key.bytes)
    }
}
