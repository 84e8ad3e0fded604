import Cryptography
import TestSupport
import Testing

@Suite("Keys", .timeLimit(.minutes(5)))
struct KeyTests {
    let vectors: VectorValue

    init() throws { vectors = try Vectors.group("keys") }

    @Test func `X25519 and X448 keys have the raw and DER forms of the vectors`() throws {
        try checkAgreement(X25519.self, vectors["x25519"])
        try checkAgreement(X448.self, vectors["x448"])
    }

    @Test func `ed25519 and Ed448 keys have the raw and DER forms of the vectors`() throws {
        try checkSignature(Ed25519.self, vectors["ed25519"])
        try checkSignature(Ed448.self, vectors["ed448"])
    }

    @Test func `both sides of a key agreement find the vectors' secret`() throws {
        try checkSecret(X25519.self, vectors["x25519_dh"])
        try checkSecret(X448.self, vectors["x448_dh"])
    }

    @Test func `signatures are those of the vectors and verify`() throws {
        for vector in vectors["signatures"].items {
            let seed = try vector["key"].secret("private")
            let message = try vector.data("message")
            let expected = try vector.data("signature")
            switch try vector.text("alg") {
            case "ed25519": try checkSigning(Ed25519.self, seed: seed, message: message, expected: expected)
            case "ed448": try checkSigning(Ed448.self, seed: seed, message: message, expected: expected)
            case let other: Issue.record("unknown algorithm \(other)")
            }
        }
    }

    @Test func `an authentication key of any kind is told by its DER`() throws {
        for name in ["ed25519", "ed448", "x25519"] {
            let der = try vectors[name].data("public_spki_der")
            #expect(try AuthenticationPublicKey(der: der).derRepresentation == der)
            let privateKey = try AuthenticationPrivateKey(der: vectors[name].data("private_pkcs8_der"))
            #expect(privateKey.publicKey.derRepresentation == der)
            #expect(privateKey.derRepresentation.bytes == (try vectors[name].data("private_pkcs8_der")))
        }
        let x448 = try vectors["x448"].data("public_spki_der")
        #expect(throws: CryptographyError.invalidKey) { try AuthenticationPublicKey(der: x448) }
    }

    @Test func `a point of small order is refused instead of giving a zero secret`() throws {
        let zero = try X25519.PublicKey(rawRepresentation: [UInt8](repeating: 0, count: 32))
        #expect(throws: CryptographyError.invalidKey) { try X25519.PrivateKey().sharedSecret(with: zero) }
        let zero448 = try X448.PublicKey(rawRepresentation: [UInt8](repeating: 0, count: 56))
        #expect(throws: CryptographyError.invalidKey) { try X448.PrivateKey().sharedSecret(with: zero448) }
    }

    @Test func `keys of a wrong length or in the DER of another curve are refused`() throws {
        #expect(throws: CryptographyError.invalidKey) {
            try X25519.PublicKey(rawRepresentation: [UInt8](repeating: 9, count: 31))
        }
        #expect(throws: CryptographyError.invalidKey) {
            try Ed448.PrivateKey(rawRepresentation: SecretBytes([UInt8](repeating: 9, count: 56)))
        }
        let der = try vectors["ed25519"].data("public_spki_der")
        #expect(throws: CryptographyError.invalidKey) { try X25519.PublicKey(der: der) }
        #expect(throws: CryptographyError.invalidKey) { try Ed25519.PublicKey(der: der + [0]) }
        #expect(throws: CryptographyError.invalidKey) { try Ed25519.PublicKey(der: Array(der.dropLast())) }
    }

    @Test func `a public key of small order verifies nothing, though the equation holds for it`() throws {
        // With the neutral point as key and as nonce point, and zero as scalar, S·B = R + h·A for every message.
        let neutral: [UInt8] = [1] + [UInt8](repeating: 0, count: 31)
        let key = try Ed25519.PublicKey(rawRepresentation: neutral)
        #expect(!key.isValidSignature(neutral + [UInt8](repeating: 0, count: 32), for: [1, 2, 3]))
    }

    @Test func `a scalar beyond the group's order verifies nothing`() throws {
        let key = Ed25519.PrivateKey()
        let signature = try key.signature(for: [1, 2, 3])
        // RFC 8032 §5.1: the order, little-endian; adding it leaves the point as it is.
        let order: [UInt8] =
            [0xED, 0xD3, 0xF5, 0x5C, 0x1A, 0x63, 0x12, 0x58, 0xD6, 0x9C, 0xF7, 0xA2, 0xDE, 0xF9, 0xDE, 0x14]
            + [UInt8](repeating: 0, count: 15) + [0x10]
        var sum = Array(signature.prefix(32))
        var carry = 0
        for (byte, added) in zip(signature.dropFirst(32), order) {
            carry += Int(byte) + Int(added)
            sum.append(UInt8(truncatingIfNeeded: carry))
            carry >>= 8
        }
        #expect(key.publicKey.isValidSignature(signature, for: [1, 2, 3]))
        #expect(!key.publicKey.isValidSignature(sum, for: [1, 2, 3]))
    }

    @Test func `a fresh key signs, and its signature fails for another message, another key and another length`() throws
    {
        let key = Ed25519.PrivateKey()
        let signature = try key.signature(for: [1, 2, 3])
        #expect(key.publicKey.isValidSignature(signature, for: [1, 2, 3]))
        #expect(!key.publicKey.isValidSignature(signature, for: [1, 2, 4]))
        #expect(!Ed25519.PrivateKey().publicKey.isValidSignature(signature, for: [1, 2, 3]))
        #expect(!key.publicKey.isValidSignature(Array(signature.dropLast()), for: [1, 2, 3]))
        #expect(!key.publicKey.isValidSignature([], for: []))
    }

    private func checkAgreement<Curve: AgreementCurve>(_: Curve.Type, _ vector: VectorValue) throws {
        let key = try AgreementPrivateKey<Curve>(rawRepresentation: vector.secret("private_raw"))
        let der = try vector.data("public_spki_der")
        #expect(key.publicKey.rawRepresentation == (try vector.data("public_raw")))
        #expect(key.publicKey.derRepresentation == der)
        #expect(try AgreementPublicKey<Curve>(der: der) == key.publicKey)
        #expect(key.derRepresentation.bytes == (try vector.data("private_pkcs8_der")))
        #expect(try AgreementPrivateKey<Curve>(der: vector.data("private_pkcs8_der")) == key)
        #expect(Base64URL.encode(der) == (try vector.text("public_str")))
        #expect([UInt8(der.count)] + der == (try vector.data("public_smp_encoded")))
    }

    private func checkSignature<Curve: SignatureCurve>(_: Curve.Type, _ vector: VectorValue) throws {
        let key = try SignaturePrivateKey<Curve>(rawRepresentation: vector.secret("private_raw"))
        let der = try vector.data("public_spki_der")
        #expect(key.publicKey.rawRepresentation == (try vector.data("public_raw")))
        #expect(key.publicKey.derRepresentation == der)
        #expect(try SignaturePublicKey<Curve>(der: der) == key.publicKey)
        #expect(key.derRepresentation.bytes == (try vector.data("private_pkcs8_der")))
        #expect(try SignaturePrivateKey<Curve>(der: vector.data("private_pkcs8_der")) == key)
        #expect(Base64URL.encode(der) == (try vector.text("public_str")))
    }

    private func checkSecret<Curve: AgreementCurve>(_: Curve.Type, _ vector: VectorValue) throws {
        let a = try AgreementPrivateKey<Curve>(rawRepresentation: vector["a"].secret("private"))
        let b = try AgreementPrivateKey<Curve>(rawRepresentation: vector["b"].secret("private"))
        #expect(a.publicKey.rawRepresentation == (try vector["a"].data("public")))
        #expect(b.publicKey.rawRepresentation == (try vector["b"].data("public")))
        let shared = try vector.secret("shared")
        #expect(try a.sharedSecret(with: b.publicKey) == shared)
        #expect(try b.sharedSecret(with: a.publicKey) == shared)
    }

    private func checkSigning<Curve: SignatureCurve>(
        _: Curve.Type, seed: SecretBytes, message: [UInt8], expected: [UInt8]
    ) throws {
        let key = try SignaturePrivateKey<Curve>(rawRepresentation: seed)
        #expect(try key.signature(for: message) == expected)
        #expect(key.publicKey.isValidSignature(expected, for: message))
        #expect(!key.publicKey.isValidSignature(expected, for: message + [0]))
    }
}
