import Cryptography
import TestSupport
import Testing

@Suite("base64url", .timeLimit(.minutes(5)))
struct Base64URLTests {
    @Test func `the examples of RFC 4648 §10 are encoded, and decoded with and without padding`() throws {
        let examples = [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ]
        for (plain, text) in examples {
            let bytes = Array(plain.utf8)
            #expect(Base64URL.encode(bytes) == text)
            #expect(Base64URL.encode(bytes, padded: false) == text.filter { $0 != "=" })
            #expect(try Base64URL.decode(text) == bytes)
            #expect(try Base64URL.decode(text.filter { $0 != "=" }) == bytes)
        }
    }

    @Test func `the two characters of the URL alphabet are used`() throws {
        #expect(Base64URL.encode([0xFB, 0xFF]) == "-_8=")
        #expect(try Base64URL.decode("-_8=") == [0xFB, 0xFF])
    }

    @Test func `any bytes come back`() throws {
        var random = SeededGenerator(seed: 4648)
        for count in 0..<200 {
            let bytes = random.bytes(count)
            #expect(try Base64URL.decode(Base64URL.encode(bytes)) == bytes)
            #expect(try Base64URL.decode(Base64URL.encode(bytes, padded: false)[...]) == bytes)
        }
    }

    @Test(arguments: ["+/8=", "Zg=", "Zg===", "Z", "Zm9vY", "Zh==", "Zm9=", "Z g=", "=", "====", "Zg==Zg==", "Zé=="])
    func `text outside the alphabet, with wrong padding, a lone end or loose bits is refused`(_ text: String) {
        #expect(throws: CryptographyError.invalidEncoding) { try Base64URL.decode(text) }
    }
}
