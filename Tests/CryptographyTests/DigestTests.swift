import Cryptography
import TestSupport
import Testing

/// Answers for "abc" published with FIPS 180-4 and FIPS 202.
@Suite("Digests", .timeLimit(.minutes(5)))
struct DigestTests {
    let message = Array("abc".utf8)

    @Test func `SHA-256 of abc is the published one`() {
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        #expect(Digest.sha256(message).hexadecimal == expected)
    }

    @Test func `SHA-512 of abc is the published one`() {
        let expected =
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
            + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
        #expect(Digest.sha512(message).hexadecimal == expected)
    }

    @Test func `SHA3-256 of abc is the published one`() {
        let expected = "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532"
        #expect(Digest.sha3_256(message).hexadecimal == expected)
    }

    @Test func `SHA3-384 of abc is the published one`() {
        let expected =
            "ec01498288516fc926459f58e2c6ad8df9b473cb0fc08c2596da7cf0e49be4b2"
            + "98d88cea927ac7f539f1edf228376d25"
        #expect(Digest.sha3_384(message).hexadecimal == expected)
    }

    @Test func `nothing can be hashed too`() {
        let expected = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        #expect(Digest.sha256([]).hexadecimal == expected)
    }
}
