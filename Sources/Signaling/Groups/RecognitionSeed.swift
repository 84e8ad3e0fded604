import Cryptography

/// One side's part of the secret by which two contacts prove to each other in a call of several who they are: random, made for one contact,
/// and told to that one alone, with the profile.
public struct RecognitionSeed: Sendable, Equatable {
    /// The bytes of a part.
    public static let count = 32
    /// The field of a profile's member that has it.
    static let key = "seed"

    private let bytes: SecretBytes

    private init(_ bytes: SecretBytes) { self.bytes = bytes }

    /// Another one.
    public static func random() -> RecognitionSeed { RecognitionSeed(.random(count)) }

    /// Reads base64url; nil unless it has 32 bytes.
    public init?(text: String) {
        guard text.utf8.count <= 2 * Self.count, let bytes = GroupSecret.decode(text, count: Self.count) else {
            return nil
        }
        self.bytes = bytes
    }

    /// The part as base64url: a secret, for the contact and the sealed store.
    public var text: String { Base64URL.encode(bytes.bytes) }

    /// The secret that both sides make of the two parts, whichever is whose.
    public func secret(with other: RecognitionSeed) -> SecretBytes {
        bytes.withUnsafeBytes { own in
            other.bytes.withUnsafeBytes { theirs in
                let parts = own.lexicographicallyPrecedes(theirs) ? [own, theirs] : [theirs, own]
                return SecretBytes(count: 2 * Self.count) { secret in
                    for (index, part) in parts.enumerated() {
                        UnsafeMutableRawBufferPointer(rebasing: secret[index * Self.count..<(index + 1) * Self.count])
                            .copyMemory(from: part)
                    }
                }
            }
        }
    }
}
