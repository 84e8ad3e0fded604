import CSodium

/// A key made from a passphrase by Argon2id (RFC 9106), which takes time and memory on purpose.
public enum PassphraseKey {
    /// How much work a guess costs. Stored beside what the key protects.
    public struct Cost: Sendable, Equatable {
        /// Passes over the memory.
        public var operations: Int
        /// Bytes of memory.
        public var memory: Int

        /// A cost; what is out of bounds is refused when it is used.
        public init(operations: Int, memory: Int) {
            self.operations = operations
            self.memory = memory
        }

        /// 3 passes over 256 MiB, libsodium's “moderate”: under a second on a desktop.
        public static let moderate = Cost(operations: 3, memory: 256 << 20)

        /// What is accepted: a stored cost beyond it would only exhaust the machine.
        var isAcceptable: Bool { (1...16).contains(operations) && (8 << 10...1 << 30).contains(memory) }
    }

    /// Bytes of a salt.
    public static let saltCount = 16

    /// 32 bytes of key.
    ///
    /// - Throws: `CryptographyError.invalidLength` for a salt of another size than 16 bytes, an empty passphrase or a
    ///   cost out of bounds; `.unavailable` when there is not enough memory.
    public static func derive(_ passphrase: SecretBytes, salt: [UInt8], cost: Cost) throws -> SecretBytes {
        Sodium.start()
        guard salt.count == saltCount, passphrase.count > 0, cost.isAcceptable else {
            throw CryptographyError.invalidLength
        }
        return try SecretBytes(count: 32) { output in
            guard let address = output.bindMemory(to: UInt8.self).baseAddress else { return }
            let status = passphrase.withPointer { bytes in
                bytes.withMemoryRebound(to: CChar.self, capacity: passphrase.count) {
                    crypto_pwhash(
                        address, 32, $0, UInt64(passphrase.count), salt, UInt64(cost.operations), cost.memory,
                        crypto_pwhash_ALG_ARGON2ID13)
                }
            }
            guard status == 0 else { throw CryptographyError.unavailable("crypto_pwhash") }
        }
    }
}
