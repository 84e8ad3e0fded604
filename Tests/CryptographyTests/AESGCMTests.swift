import Cryptography
import TestSupport
import Testing

/// Test cases 16, 17 and 18 of "The Galois/Counter Mode of Operation" (McGrew, Viega 2005), appendix B.
@Suite("AES-256-GCM", .timeLimit(.minutes(5)))
struct AESGCMTests {
    struct Case: Sendable {
        let iv: String
        let ciphertext: String
        let tag: String
    }

    static let cases = [
        Case(
            iv: "cafebabefacedbaddecaf888",
            ciphertext: "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
                + "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662",
            tag: "76fc6ece0f4e1768cddf8853bb2d551b"),
        Case(
            iv: "cafebabefacedbad",
            ciphertext: "c3762df1ca787d32ae47c13bf19844cbaf1ae14d0b976afac52ff7d79bba9de0"
                + "feb582d33934a4f0954cc2363bc73f7862ac430e64abe499f47c9b1f",
            tag: "3a337dbf46a792c45e454913fe2ea8f2"),
        Case(
            iv: "9313225df88406e555909c5aff5269aa6a7a9538534f7da1e4c303d2a318a728"
                + "c3c0c95156809539fcf0e2429a6b525416aedbf5a0de6a57a637b39b",
            ciphertext: "5a8def2f0c9e53f1f75d7853659e2a20eeb2b22aafde6419a058ab4f6f746bf4"
                + "0fc0c3b780f244452da3ebf1c5d82cdea2418997200ef82e44ae7e3f",
            tag: "a44a8266ee1c8eb0c8b5d4cf5ae9f19a"),
    ]

    let key: SecretBytes
    let plaintext: [UInt8]
    let data: [UInt8]

    init() throws {
        key = SecretBytes(try hex("feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308"))
        plaintext = try hex(
            "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
                + "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39")
        data = try hex("feedfacedeadbeeffeedfacedeadbeefabaddad2")
    }

    @Test(arguments: cases)
    func `vectors of any length give the published ciphertext and tag, and open`(_ item: Case) throws {
        let iv = try hex(item.iv)
        let sealed = try AESGCM.seal(plaintext, key: key, iv: iv, authenticatedData: data)
        #expect(sealed.ciphertext.hexadecimal == item.ciphertext)
        #expect(sealed.tag.hexadecimal == item.tag)
        let opened = try AESGCM.open(
            sealed.ciphertext, key: key, iv: iv, authenticatedData: data, tag: sealed.tag)
        #expect(opened == plaintext)
    }

    @Test func `a 16-byte vector, as the ratchet uses, round-trips`() throws {
        let iv = randomBytes(16)
        let sealed = try AESGCM.seal([], key: key, iv: iv, authenticatedData: data)
        #expect(sealed.ciphertext.isEmpty)
        #expect(try AESGCM.open([], key: key, iv: iv, authenticatedData: data, tag: sealed.tag).isEmpty)
        #expect(throws: CryptographyError.authenticationFailed) {
            try AESGCM.open([], key: key, iv: iv, authenticatedData: [], tag: sealed.tag)
        }
    }

    @Test func `changed ciphertext, tag, data or key do not open; wrong lengths are named`() throws {
        let iv = [UInt8](repeating: 1, count: 16)
        let (ciphertext, tag) = try AESGCM.seal(plaintext, key: key, iv: iv, authenticatedData: data)
        var changed = ciphertext
        changed[5] ^= 0x80
        #expect(throws: CryptographyError.authenticationFailed) {
            try AESGCM.open(changed, key: key, iv: iv, authenticatedData: data, tag: tag)
        }
        #expect(throws: CryptographyError.authenticationFailed) {
            try AESGCM.open(ciphertext, key: key, iv: iv, authenticatedData: data, tag: tag.reversed())
        }
        #expect(throws: CryptographyError.authenticationFailed) {
            try AESGCM.open(ciphertext, key: .random(32), iv: iv, authenticatedData: data, tag: tag)
        }
        #expect(throws: CryptographyError.invalidLength) {
            try AESGCM.open(ciphertext, key: key, iv: iv, authenticatedData: data, tag: Array(tag.dropLast()))
        }
        #expect(throws: CryptographyError.invalidLength) {
            try AESGCM.seal(plaintext, key: .random(16), iv: iv, authenticatedData: data)
        }
        #expect(throws: CryptographyError.invalidLength) {
            try AESGCM.seal(plaintext, key: key, iv: [], authenticatedData: data)
        }
    }
}
