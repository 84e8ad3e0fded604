import Cryptography

/// What stands in clear at the beginning of a profile's file (docs/profile-file.md).
struct ArchiveHeader: Equatable {
    /// The first bytes of every such file.
    static let magic = Array("Parley profile\n".utf8)
    /// The version that is written, and the newest that is read.
    static let version: UInt8 = 1
    /// Bytes of the whole header.
    static let count = magic.count + 1 + 4 + 8 + PassphraseKey.saltCount + SealedStream.headerCount

    /// How much work it takes to make the key of the passphrase.
    var cost: PassphraseKey.Cost
    /// Random bytes for that.
    var salt: [UInt8]
    /// The header of the sealed stream that follows.
    var stream: [UInt8]

    /// Reads a header.
    ///
    /// - Throws: `MovingFault.notAProfile`, `.newer`, `.damaged`.
    init(parsing bytes: [UInt8]) throws(MovingFault) {
        guard bytes.starts(with: Self.magic), bytes.count > Self.magic.count else { throw .notAProfile }
        guard bytes[Self.magic.count] <= Self.version else { throw .newer }
        guard bytes.count == Self.count, bytes[Self.magic.count] == Self.version else { throw .damaged }
        var rest = bytes.dropFirst(Self.magic.count + 1)
        func number(_ count: Int) -> UInt64 {
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count).reduce(0) { $0 << 8 | UInt64($1) }
        }
        guard let operations = Int(exactly: number(4)), let memory = Int(exactly: number(8)) else { throw .damaged }
        cost = PassphraseKey.Cost(operations: operations, memory: memory)
        salt = Array(rest.prefix(PassphraseKey.saltCount))
        stream = Array(rest.dropFirst(PassphraseKey.saltCount))
    }

    /// A header to be written.
    init(cost: PassphraseKey.Cost, salt: [UInt8], stream: [UInt8]) {
        (self.cost, self.salt, self.stream) = (cost, salt, stream)
    }

    /// The header as it is written.
    var encoded: [UInt8] {
        func bytes(_ number: Int, _ count: Int) -> [UInt8] {
            (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
        }
        return Self.magic + [Self.version] + bytes(cost.operations, 4) + bytes(cost.memory, 8) + salt + stream
    }
}
