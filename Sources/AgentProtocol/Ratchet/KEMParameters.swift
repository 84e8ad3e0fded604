import SMP

/// The post-quantum part of key agreement parameters and headers (Agent fact sheet §3 and §7).
///
/// This program reads and skips it: keys are only checked for the layout, never used.
public enum KEMParameters: Hashable, Sendable {
    /// `P`: a public key for the other side to encapsulate to.
    case proposed(key: [UInt8])
    /// `A`: a ciphertext for the other side's key, and a public key for its next answer.
    case accepted(ciphertext: [UInt8], key: [UInt8])

    /// Length of an sntrup761 public key.
    public static let keyCount = 1158
    /// Length of an sntrup761 ciphertext.
    static let ciphertextCount = 1039

    init(from reader: inout ByteReader) throws {
        switch try reader.byte() {
        case UInt8(ascii: "P"): self = .proposed(key: try Self.field(&reader, count: Self.keyCount))
        case UInt8(ascii: "A"):
            let ciphertext = try Self.field(&reader, count: Self.ciphertextCount)
            self = .accepted(ciphertext: ciphertext, key: try Self.field(&reader, count: Self.keyCount))
        default: throw AgentDecodingError.unknownTag
        }
    }

    func encode(to writer: inout ByteWriter) throws {
        switch self {
        case .proposed(let key):
            writer.raw("P")
            try writer.large(key)
        case .accepted(let ciphertext, let key):
            writer.raw("A")
            try writer.large(ciphertext)
            try writer.large(key)
        }
    }

    private static func field(_ reader: inout ByteReader, count: Int) throws -> [UInt8] {
        let bytes = try reader.large()
        guard bytes.count == count else { throw AgentDecodingError.malformed }
        return bytes
    }
}
