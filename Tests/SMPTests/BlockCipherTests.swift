import Cryptography
import TestSupport
import Testing

@testable import SMP

@Suite("Blocks", .timeLimit(.minutes(5)))
struct BlockCipherTests {
    @Test func `the key chains of the vectors seal the first part of real blocks alike`() throws {
        let vector = try Vectors.group("transport_block_encryption")
        let secret = try vector["client_key"].agreementPair
            .sharedSecret(with: vector["server_key"].agreementPair.publicKey)
        #expect(secret == (try vector.secret("dh_secret")))
        let sessionID = try vector.data("session_id")
        let start = HKDF.sha512(
            salt: sessionID, inputKey: secret, info: Array("SimpleXSbChainInit".utf8), count: 64)
        #expect(start.bytes == (try vector.data("hkdf_sha512_64_bytes")))
        var client = try BlockCipher(sessionID: sessionID, secret: secret, side: .client)
        var server = try BlockCipher(sessionID: sessionID, secret: secret, side: .server)
        for step in vector["client_to_server_chain"].items {
            try check(step, client.seal(step.data("small_block_plain")))
        }
        for step in vector["server_to_client_chain"].items {
            try check(step, server.seal(step.data("small_block_plain")))
        }
    }

    /// A whole block must open with the step's key; the vectors' small block must be made by the same key.
    private func check(_ step: VectorValue, _ block: [UInt8]) throws {
        let key = try step.secret("block_key")
        let nonce = try step.data("nonce")
        let plain = try step.data("small_block_plain")
        #expect(try Padding.unpad(CryptoBox.open(block, secret: key, nonce: nonce)) == plain)
        let small = CryptoBox.seal(
            try Padding.pad(plain, to: step.number("small_block_padded_to")), secret: key, nonce: nonce)
        #expect(small == (try step.data("small_block_sealed")))
    }

    @Test func `both sides understand each other for many blocks in both directions`() throws {
        let sessionID = counting(32)
        let secret = SecretBytes(counting(32))
        var client = try BlockCipher(sessionID: sessionID, secret: secret, side: .client)
        var server = try BlockCipher(sessionID: sessionID, secret: secret, side: .server)
        var random = SeededGenerator(seed: 11)
        for _ in 0..<60 {
            let payload = random.bytes(Int.random(in: 0...client.payloadLimit, using: &random))
            if Bool.random(using: &random) {
                #expect(try server.open(client.seal(payload)) == payload)
            } else {
                #expect(try client.open(server.seal(payload)) == payload)
            }
        }
    }

    @Test func `the chain moves on when a block does not open, so that the next one still does`() throws {
        var client = try BlockCipher(sessionID: [1], secret: SecretBytes(counting(32)), side: .client)
        var server = try BlockCipher(sessionID: [1], secret: SecretBytes(counting(32)), side: .server)
        var broken = try client.seal([1])
        broken[100] ^= 1
        #expect(throws: SMPDecodingError.decryptionFailed) { try server.open(broken) }
        #expect(try server.open(client.seal([2])) == [2])
    }

    @Test func `a repeated or reflected block does not open`() throws {
        var client = try BlockCipher(sessionID: [1], secret: SecretBytes(counting(32)), side: .client)
        var server = try BlockCipher(sessionID: [1], secret: SecretBytes(counting(32)), side: .server)
        let block = try client.seal([1])
        #expect(try server.open(block) == [1])
        #expect(throws: SMPDecodingError.decryptionFailed) { try server.open(block) }
        #expect(throws: SMPDecodingError.decryptionFailed) { try client.open(block) }
    }

    @Test func `payloads fill a block up to the limit and not beyond`() throws {
        var plain = BlockCipher()
        #expect(!plain.encrypts)
        #expect(plain.payloadLimit == 16_382)
        #expect(try plain.seal(counting(16_382)).count == 16_384)
        #expect(throws: SMPEncodingError.tooLong) { try plain.seal(counting(16_383)) }
        var cipher = try BlockCipher(sessionID: [1], secret: SecretBytes(counting(32)), side: .client)
        #expect(cipher.encrypts)
        #expect(cipher.payloadLimit == 16_366)
        #expect(try cipher.seal(counting(16_366)).count == 16_384)
        #expect(throws: SMPEncodingError.tooLong) { try cipher.seal(counting(16_367)) }
    }

    @Test func `a payload that was too long costs no key`() throws {
        var client = try BlockCipher(sessionID: [1], secret: SecretBytes(counting(32)), side: .client)
        var server = try BlockCipher(sessionID: [1], secret: SecretBytes(counting(32)), side: .server)
        _ = try? client.seal(counting(20_000))
        #expect(try server.open(client.seal([5])) == [5])
    }

    @Test func `blocks of another size are refused`() throws {
        var plain = BlockCipher()
        #expect(throws: SMPDecodingError.invalidBlockSize) { try plain.open(counting(16_383)) }
        #expect(throws: SMPDecodingError.invalidBlockSize) { try plain.open([]) }
        #expect(throws: SMPDecodingError.truncated) {
            try plain.open([UInt8](repeating: 0xFF, count: 16_384))
        }
        #expect(try plain.open([0, 2, 8, 9] + [UInt8](repeating: 0, count: 16_380)) == [8, 9])
    }
}
