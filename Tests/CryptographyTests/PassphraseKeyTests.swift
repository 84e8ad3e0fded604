import Testing

@testable import Cryptography

@Suite(.timeLimit(.minutes(5))) struct PassphraseKeyTests {
    private let salt = [UInt8](100..<116)

    /// Computed with libsodium's crypto_pwhash, called from another language.
    @Test func `the key is Argon2id of passphrase and salt`() throws {
        let key = try PassphraseKey.derive(
            SecretBytes(Array("correct horse battery staple".utf8)), salt: salt, cost: .least)
        #expect(
            key.hexadecimal
                == SecretBytes(Array("6163d47faad6a9cc993e2c67e25408979f1d28c429a45f52047f0ab8af301099".utf8)))
    }

    @Test func `passphrase salt and cost all count`() throws {
        let passphrase = SecretBytes([1])
        let keys = [
            try PassphraseKey.derive(passphrase, salt: salt, cost: .least),
            try PassphraseKey.derive(SecretBytes([2]), salt: salt, cost: .least),
            try PassphraseKey.derive(passphrase, salt: [0] + salt.dropFirst(), cost: .least),
            try PassphraseKey.derive(passphrase, salt: salt, cost: PassphraseKey.Cost(operations: 2, memory: 8_192)),
            try PassphraseKey.derive(passphrase, salt: salt, cost: PassphraseKey.Cost(operations: 1, memory: 16_384)),
        ]
        for (index, key) in keys.enumerated() {
            #expect(key.count == 32)
            #expect(!keys[..<index].contains(key))
        }
    }

    @Test(arguments: [(0, 8_192), (17, 8_192), (-1, 8_192), (1, 8_191), (1, 1 << 31), (1, -1), (.max, .max)])
    func `a cost out of bounds is refused`(operations: Int, memory: Int) {
        #expect(throws: CryptographyError.invalidLength) {
            try PassphraseKey.derive(
                SecretBytes([1]), salt: salt, cost: PassphraseKey.Cost(operations: operations, memory: memory))
        }
    }

    @Test func `an empty passphrase and a short salt are refused`() {
        #expect(throws: CryptographyError.invalidLength) {
            try PassphraseKey.derive(SecretBytes([]), salt: salt, cost: .least)
        }
        #expect(throws: CryptographyError.invalidLength) {
            try PassphraseKey.derive(SecretBytes([1]), salt: [1], cost: .least)
        }
    }

    @Test func `hexadecimal text of a secret reads back`() {
        for count in [1, 2, 31, 32, 200] {
            let secret = SecretBytes.random(count)
            #expect(secret.hexadecimal.count == count * 2)
            #expect(SecretBytes(hexadecimal: secret.hexadecimal) == secret)
        }
        #expect(SecretBytes([0, 255, 16]).hexadecimal.bytes == Array("00ff10".utf8))
    }

    @Test(arguments: ["", "0", "0g", "00 1", " 00", "000"])
    func `what is no hexadecimal text is refused`(_ text: String) {
        #expect(SecretBytes(hexadecimal: SecretBytes(Array(text.utf8))) == nil)
    }
}

extension PassphraseKey.Cost {
    /// As quick as it can be.
    fileprivate static let least = Self(operations: 1, memory: 8 << 10)
}
