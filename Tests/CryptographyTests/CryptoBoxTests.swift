import Cryptography
import TestSupport
import Testing

@Suite("Boxes", .timeLimit(.minutes(5)))
struct CryptoBoxTests {
    let vectors: VectorValue

    init() throws { vectors = try Vectors.group("crypto_box") }

    @Test func `a box without padding is that of the vectors, and opens`() throws {
        for vector in vectors["sealed_no_padding"].items {
            let secret = try vector.secret("dh_secret")
            let nonce = try vector.data("nonce")
            let message = try vector.data("message")
            #expect(CryptoBox.seal(message, secret: secret, nonce: nonce) == (try vector.data("box")))
            #expect(try CryptoBox.open(vector.data("box"), secret: secret, nonce: nonce) == message)
        }
    }

    @Test func `a symmetric key is used like an agreed secret`() throws {
        for vector in vectors["secretbox"].items {
            let padded = try CryptoBox.open(
                vector.data("box"), secret: vector.secret("key"), nonce: vector.data("nonce"))
            let message = try vector.data("message")
            #expect(padded.count == (try vector.number("padded_length")))
            #expect(Array(padded.dropFirst(2).prefix(message.count)) == message)
            let again = CryptoBox.seal(padded, secret: try vector.secret("key"), nonce: try vector.data("nonce"))
            #expect(again == (try vector.data("box")))
        }
    }

    @Test func `short nonces are filled with zeros and long ones cut`() throws {
        let secret = SecretBytes([UInt8](repeating: 7, count: 32))
        for vector in vectors["nonce_from_bytes"].items {
            let box = CryptoBox.seal([1, 2, 3], secret: secret, nonce: try vector.data("bytes"))
            #expect(box == CryptoBox.seal([1, 2, 3], secret: secret, nonce: try vector.data("nonce")))
        }
    }

    @Test func `a changed box, another nonce, another secret and too few bytes do not open`() throws {
        let secret = SecretBytes.random(32)
        let nonce = randomBytes(24)
        let box = CryptoBox.seal(Array("hello".utf8), secret: secret, nonce: nonce)
        for index in box.indices {
            var changed = box
            changed[index] ^= 1
            #expect(throws: CryptographyError.authenticationFailed) {
                try CryptoBox.open(changed, secret: secret, nonce: nonce)
            }
        }
        #expect(throws: CryptographyError.authenticationFailed) {
            try CryptoBox.open(box, secret: .random(32), nonce: nonce)
        }
        #expect(throws: CryptographyError.authenticationFailed) {
            try CryptoBox.open(box, secret: secret, nonce: randomBytes(24))
        }
        #expect(throws: CryptographyError.invalidLength) {
            try CryptoBox.open(Array(box.prefix(15)), secret: secret, nonce: nonce)
        }
        #expect(throws: CryptographyError.invalidLength) {
            try CryptoBox.open(box, secret: .random(31), nonce: nonce)
        }
    }

    @Test func `a box that is made and opened in its place is the same`() throws {
        var random = SeededGenerator(seed: 5)
        for count in [0, 1, 31, 32, 33, 64, 1_000, 16_368] {
            let secret = SecretBytes(random.bytes(32))
            let nonce = random.bytes(24)
            let message = random.bytes(count)
            let box = [UInt8](unsafeUninitializedCapacity: count + CryptoBox.tagCount) { output, written in
                CryptoBox.seal(into: UnsafeMutableRawBufferPointer(output), secret: secret, nonce: nonce) {
                    $0.copyBytes(from: message)
                }
                written = count + CryptoBox.tagCount
            }
            #expect(box == CryptoBox.seal(message, secret: secret, nonce: nonce))
            #expect(try box.withUnsafeBytes { try CryptoBox.open($0, secret: secret, nonce: nonce) } == message)
        }
    }

    @Test func `HKDF with SHA-512 gives the vectors' output`() throws {
        for vector in vectors["hkdf_sha512"].items {
            let output = HKDF.sha512(
                salt: try vector.data("salt"), inputKey: try vector.secret("ikm"), info: try vector.data("info"),
                count: try vector.number("length"))
            #expect(output.bytes == (try vector.data("out")))
        }
    }

    @Test func `HKDF with SHA-256 gives the output of RFC 5869`() throws {
        let cases = try Vectors.group("group_frames")["hkdf_sha256"]["cases"].items
        #expect(cases.count == 3)
        for vector in cases {
            let expected = try vector.data("out")
            let output = HKDF.sha256(
                salt: try vector.data("salt"), inputKey: try vector.secret("ikm"), info: try vector.data("info"),
                count: expected.count)
            #expect(output.bytes == expected)
        }
    }

    @Test func `a shorter HKDF output is the beginning of a longer one`() throws {
        let key = SecretBytes([1, 2, 3])
        let long = HKDF.sha512(salt: [4], inputKey: key, info: [5], count: 200)
        for count in [0, 1, 63, 64, 65, 128, 199] {
            #expect(HKDF.sha512(salt: [4], inputKey: key, info: [5], count: count) == (try long.part(0..<count)))
        }
    }
}
