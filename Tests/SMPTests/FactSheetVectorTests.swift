import Cryptography
import SMP
import TestSupport
import Testing

/// The vectors computed by independent libraries from the description itself (SMP fact sheet §15).
@Suite("Vectors computed from the description of SMP", .timeLimit(.minutes(5)))
struct FactSheetVectorTests {
    let a: X25519.PrivateKey
    let b: X25519.PrivateKey
    let secret: SecretBytes
    let nonce = counting(24)
    let sessionID = counting(32)

    init() throws {
        a = try X25519.PrivateKey(rawRepresentation: SecretBytes(counting(32)))
        b = try X25519.PrivateKey(rawRepresentation: SecretBytes(counting(32, from: 0x20)))
        secret = try a.sharedSecret(with: b.publicKey)
    }

    @Test func `both keys agree on the secret, and boxes under it are the same bytes`() throws {
        #expect(secret.bytes.hexadecimal == "9663aa1da97e848a914a436d04163dfbb89178f107f1b5b77ed3854203382854")
        let hello = Array("hello".utf8)
        let plain = CryptoBox.seal(hello, secret: secret, nonce: nonce)
        #expect(plain.hexadecimal == "851ce20a96d18622b2a71e906a978cfe0bb7d35c13")
        let padded = try Padding.pad(hello, to: 16)
        #expect(
            CryptoBox.seal(padded, secret: secret, nonce: nonce).hexadecimal
                == "e4996ccacb50a3b5eebd07f7e3b9e21e63d7d7551014278c625095d20789d4b5")
        #expect(
            CryptoBox.seal(padded, secret: SecretBytes(counting(32)), nonce: nonce).hexadecimal
                == "58956cfc651905a2b85c837cb8fa0a8b6b8bb4d5ac72df60c93c2c45bce7aa07")
    }

    @Test func `the X25519 authenticator of a PING is the same bytes`() throws {
        let ping = Transmission(correlationID: CorrelationID(nonce), entityID: .none, command: Array("PING".utf8))
        let made = try Authenticator.sign(
            ping.signedBytes(sessionID: sessionID), correlationID: ping.correlationID, key: .x25519(a),
            serverKey: b.publicKey)
        #expect(
            made.hexadecimal
                == "1af43955c54d32886ae622483ff7c33a7c56228efe1b12fc33dad819d103055cffaf06a2444848e5d0a7a183d15529c6"
                + "4a3db00205298a2b7ccda714ca068b08813d5d889d22a811f919562de48708a9")
    }

    @Test func `a batch with one PING is the same bytes, plain and as the client's first encrypted block`() throws {
        let ping = try Transmission(
            .ping, correlationID: CorrelationID(nonce), entityID: .none, version: 11, sessionID: sessionID, key: nil,
            serverKey: nil)
        let payload = try Batch.encode([ping.encoded(11)])
        #expect(
            payload.hexadecimal == "01001f0018000102030405060708090a0b0c0d0e0f101112131415161700" + "50494e47")
        var plain = BlockCipher()
        #expect(
            Digest.sha256(try plain.seal(payload)).hexadecimal
                == "2f90dde7441a45b5d54773c4b2b906cabd48a5f18895c3b69cbd02ce2835fce7")
        var cipher = try BlockCipher(sessionID: sessionID, secret: secret, side: .client)
        let block = try cipher.seal(payload)
        #expect(
            Array(block.prefix(48)).hexadecimal
                == "98d6755ab4e4bf1848d877313b11e818a36423bd49d15eee2f4d03bf7876068facc963521f95075461c4725891bb306c")
        #expect(
            Digest.sha256(block).hexadecimal == "125eb5458977130a0c5317e7b66cdbde4ee6a446363b105e15859144e1b326c3")
    }

    @Test(arguments: [
        (
            14 as SMPVersion, "305354", 188,
            "1c7f6456c98e8413505bbc77997322e98b6d068270548179bfb6acd0eb9471d86b7031ab002d658a95e24c846104fa7c"
                + "34a26431fe0731f133c5a2c06e4a1e05",
            "d94324452bbde2e320131440fb216c06d853554856c831aad0dde3274d811264"
        ),
        (
            17 as SMPVersion, "30534d3030", 192,
            "4aa852a26126f237b34ee43c2475a821b90f12f8b06f2ab69e1180b5789c3b2f8a0665d5120af1251668d205fa1de142"
                + "87c6a928cebc66537f398551f2b28101",
            "7fb1a7c75973a23f1981d4b2d03afe881cdfc9d2cfafdf75e2c42550805cf550"
        ),
    ])
    func `NEW is the same bytes in a version with the service slot and in one without`(
        version: SMPVersion, tail: String, count: Int, signature: String, hash: String
    ) throws {
        let key = try Ed25519.PrivateKey(rawRepresentation: SecretBytes(counting(32)))
        let request = QueueRequest(
            recipientKey: .ed25519(key.publicKey), agreementKey: a.publicKey, link: .messaging(nil))
        let made = try Transmission(
            .new(request), correlationID: CorrelationID(nonce), entityID: .none, version: version,
            sessionID: sessionID, key: .ed25519(key), serverKey: b.publicKey)
        let bytes = try made.encoded(version)
        #expect(made.authenticator.hexadecimal == signature)
        #expect(bytes.count == count)
        #expect(Digest.sha256(bytes).hexadecimal == hash)
    }

    @Test func `the signed session key is the same bytes`() throws {
        let signer = try Ed25519.PrivateKey(rawRepresentation: SecretBytes(counting(32)))
        let signed = try SignedKey(.x25519(b.publicKey), signedBy: .ed25519(signer))
        #expect(
            signed.encoded.hexadecimal
                == "3078302c302a300506032b656e032100358072d6365880d1aeea329adf9121383851ed21a28e3b75e965d0d2cd166254"
                + "300506032b65700341005c47c57405196748db30f19a89bd00a92b92ed80cbf648ad5e510d4e47fdfbe4cbd24a3b97a5"
                + "46cf40ad698ba22601dfaa9ca5d0f3f538317ffe7f432547ae06")
    }

    @Test func `the only sender id that a client may choose is the same bytes`() {
        #expect(
            EntityID.sender(for: CorrelationID(nonce)).bytes.hexadecimal
                == "3ae1a7e6f8e0007f53167b85c478203b8445ac2b7b092da2")
    }
}
