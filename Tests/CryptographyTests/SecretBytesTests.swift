import Cryptography
import Testing

@Suite("Secrets")
struct SecretBytesTests {
    @Test("A secret gives back its bytes and compares by them")
    func equality() {
        let secret = SecretBytes([1, 2, 3])
        #expect(secret.bytes == [1, 2, 3])
        #expect(secret == SecretBytes([1, 2, 3]))
        #expect(secret != SecretBytes([1, 2, 4]))
        #expect(secret != SecretBytes([1, 2]))
        #expect(SecretBytes([]) == SecretBytes([]))
    }

    @Test("A secret prints its length and nothing else, also when it is looked at or inside another value")
    func printing() {
        let secret = SecretBytes([UInt8](repeating: 170, count: 32))
        #expect("\(secret)" == "SecretBytes(32)")
        #expect(String(reflecting: secret) == "SecretBytes(32)")
        #expect(String(describing: Optional(secret)).contains("SecretBytes(32)"))
        var dumped = ""
        dump(secret, to: &dumped)
        #expect(!dumped.contains("170"))
    }

    @Test("A part is cut, and a part that reaches beyond the end is refused")
    func parts() throws {
        let secret = SecretBytes([1, 2, 3, 4])
        #expect(try secret.part(1..<3).bytes == [2, 3])
        #expect(try secret.part(4..<4).count == 0)
        #expect(throws: CryptographyError.invalidLength) { try secret.part(2..<5) }
        #expect(throws: CryptographyError.invalidLength) { try secret.part(-1..<2) }
    }

    @Test("Random secrets have the length asked for and differ")
    func random() {
        #expect(SecretBytes.random(24).count == 24)
        #expect(SecretBytes.random(32) != SecretBytes.random(32))
        #expect(randomBytes(16) != randomBytes(16))
        #expect(randomBytes(0).isEmpty)
    }

    @Test("Constant-time comparison says the same as ordinary comparison")
    func constantTime() {
        #expect(constantTimeEqual([1, 2, 3], [1, 2, 3]))
        #expect(!constantTimeEqual([1, 2, 3], [1, 2, 0]))
        #expect(!constantTimeEqual([1, 2, 3], [1, 2]))
        #expect(constantTimeEqual([], []))
    }

    @Test("Wiping leaves zeros")
    func wiping() {
        var bytes: [UInt8] = [1, 2, 3]
        wipe(&bytes)
        #expect(bytes == [0, 0, 0])
    }
}
