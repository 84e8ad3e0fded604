import Cryptography
import Glibc
import Testing

@Suite("Secrets", .timeLimit(.minutes(5)))
struct SecretBytesTests {
    @Test func `a secret gives back its bytes and compares by them`() {
        let secret = SecretBytes([1, 2, 3])
        #expect(secret.bytes == [1, 2, 3])
        #expect(secret == SecretBytes([1, 2, 3]))
        #expect(secret != SecretBytes([1, 2, 4]))
        #expect(secret != SecretBytes([1, 2]))
        #expect(SecretBytes([]) == SecretBytes([]))
    }

    @Test func `a secret prints its length and nothing else, also when it is looked at or inside another value`() {
        let secret = SecretBytes([UInt8](repeating: 170, count: 32))
        #expect("\(secret)" == "SecretBytes(32)")
        #expect(String(reflecting: secret) == "SecretBytes(32)")
        #expect(String(describing: Optional(secret)).contains("SecretBytes(32)"))
        var dumped = ""
        dump(secret, to: &dumped)
        #expect(!dumped.contains("170"))
    }

    @Test func `a part is cut, and a part that reaches beyond the end is refused`() throws {
        let secret = SecretBytes([1, 2, 3, 4])
        #expect(try secret.part(1..<3).bytes == [2, 3])
        #expect(try secret.part(4..<4).count == 0)
        #expect(throws: CryptographyError.invalidLength) { try secret.part(2..<5) }
        #expect(throws: CryptographyError.invalidLength) { try secret.part(-1..<2) }
    }

    @Test func `random secrets have the length asked for and differ`() {
        #expect(SecretBytes.random(24).count == 24)
        #expect(SecretBytes.random(32) != SecretBytes.random(32))
        #expect(randomBytes(16) != randomBytes(16))
        #expect(randomBytes(0).isEmpty)
    }

    @Test func `constant-time comparison says the same as ordinary comparison`() {
        #expect(constantTimeEqual([1, 2, 3], [1, 2, 3]))
        #expect(!constantTimeEqual([1, 2, 3], [1, 2, 0]))
        #expect(!constantTimeEqual([1, 2, 3], [1, 2]))
        #expect(constantTimeEqual([], []))
    }

    /// What is at an address now, whoever it belongs to.
    private func memory(_ address: UInt, _ count: Int) throws -> [UInt8] {
        let descriptor = open("/proc/self/mem", O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: count)
        try #require(pread(descriptor, &bytes, count, off_t(address)) == count)
        return bytes
    }

    /// Long enough for the allocator's own notes at the beginning not to matter, short enough not to be unmapped.
    private static let pattern = (0..<2_048).map { UInt8(truncatingIfNeeded: $0 &* 7 | 1) }

    @Test func `a secret is overwritten when its last copy goes, and not before`() throws {
        var secret: SecretBytes? = SecretBytes(Self.pattern)
        var copy = secret
        let address = try #require(secret?.withUnsafeBytes { $0.baseAddress.map { UInt(bitPattern: $0) } })
        secret = nil
        #expect(try memory(address, 2_048) == Self.pattern)
        withExtendedLifetime(copy) {}
        copy = nil
        let left = try memory(address, 2_048)
        #expect(left[64...].allSatisfy { $0 == 0 })
    }

    @Test func `a part of a secret and one that is filled in place are overwritten, too`() throws {
        let whole = SecretBytes([UInt8](repeating: 9, count: 4_096))
        var parts: [SecretBytes] = [
            try whole.part(0..<2_048), SecretBytes(count: 2_048) { $0.copyBytes(from: Self.pattern) }, .random(2_048),
        ]
        let addresses = parts.map { $0.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) } }
        for address in addresses { #expect(try memory(address, 2_048)[64...].contains { $0 != 0 }) }
        // Nothing is allocated between the end of the parts and the last look: it could be where they were.
        let descriptor = open("/proc/self/mem", O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        var left = addresses.map { _ in [UInt8](repeating: 1, count: 2_048) }
        var count = 0
        parts = []
        for index in addresses.indices {
            count += left[index].withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress, 2_048, off_t(addresses[index]))
            }
        }
        #expect(count == 3 * 2_048)
        for bytes in left { #expect(bytes[64...].allSatisfy { $0 == 0 }) }
    }

    @Test func `wiping leaves zeros`() {
        var bytes: [UInt8] = [1, 2, 3]
        wipe(&bytes)
        #expect(bytes == [0, 0, 0])
    }
}
