import Cryptography

/// What one of two members that are contacts can make and the other one can check: 96 bits that mean nothing to anybody else.
public struct MemberTag: Hashable, Sendable {
    /// The bytes of a tag.
    public static let count = 12
    /// The most tags of a message.
    public static let maximumCount = 256

    /// Its bytes.
    public let bytes: [UInt8]

    /// Takes 12 bytes; nil for any other number.
    public init?(bytes: [UInt8]) {
        guard bytes.count == Self.count else { return nil }
        self.bytes = bytes
    }
}

extension MemberTag {
    var json: JSONValue { .string(Base64URL.encode(bytes)) }
}

extension JSONObject {
    func tags(_ name: String) throws(SignalingError) -> [MemberTag] {
        var tags: [MemberTag] = []
        for element in try boundedArray(name, limit: MemberTag.maximumCount) {
            guard let text = element.string, text.utf8.count <= 2 * MemberTag.count,
                let tag = (try? Base64URL.decode(text)).flatMap(MemberTag.init(bytes:))
            else { throw .invalidField(name) }
            tags.append(tag)
        }
        return tags
    }
}
