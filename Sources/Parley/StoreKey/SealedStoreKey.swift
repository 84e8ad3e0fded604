import Cryptography
import Foundation

/// A store key sealed with a passphrase: Argon2id makes a key of the passphrase, AES-256-GCM seals with it.
struct SealedStoreKey: Codable, Equatable, Sendable {
    private static let algorithmName = "argon2id13+aes-256-gcm"
    private static let initialisationVectorCount = 12

    private var algorithm: String
    private var operations: Int
    private var memory: Int
    private var salt: Data
    /// IV (12) · tag (16) · ciphertext.
    private var sealed: Data

    /// Seals a key.
    init(_ key: SecretBytes, with passphrase: Passphrase, cost: PassphraseKey.Cost) throws {
        let salt = randomBytes(PassphraseKey.saltCount)
        algorithm = Self.algorithmName
        (operations, memory) = (cost.operations, cost.memory)
        self.salt = Data(salt)
        sealed = Data()
        let vector = randomBytes(Self.initialisationVectorCount)
        let wrapping = try PassphraseKey.derive(passphrase.bytes, salt: salt, cost: cost)
        var plain = key.bytes
        defer { wipe(&plain) }
        let box = try AESGCM.seal(plain, key: wrapping, iv: vector, authenticatedData: associatedData)
        sealed = Data(vector + box.tag + box.ciphertext)
    }

    /// The key.
    /// - Throws: `AccountError.wrongPassphrase`; `.store` when this can't have been written here.
    func open(with passphrase: Passphrase) throws(AccountError) -> SecretBytes {
        let bytes = [UInt8](sealed)
        let head = Self.initialisationVectorCount + AESGCM.tagCount
        guard algorithm == Self.algorithmName, bytes.count == head + 32,
            let wrapping = try? PassphraseKey.derive(
                passphrase.bytes, salt: [UInt8](salt), cost: PassphraseKey.Cost(operations: operations, memory: memory))
        else { throw .store(.keyRecordDamaged(StoreKeyRecord.fileName)) }
        do {
            var plain = try AESGCM.open(
                Array(bytes[head...]), key: wrapping, iv: Array(bytes[..<Self.initialisationVectorCount]),
                authenticatedData: associatedData, tag: Array(bytes[Self.initialisationVectorCount..<head]))
            defer { wipe(&plain) }
            return SecretBytes(plain)
        } catch {
            throw .wrongPassphrase
        }
    }

    /// Everything but the sealed key, so that none of it can be changed.
    private var associatedData: [UInt8] {
        Array("Parley store key \(algorithm) \(operations) \(memory) \(salt.base64EncodedString())".utf8)
    }
}
