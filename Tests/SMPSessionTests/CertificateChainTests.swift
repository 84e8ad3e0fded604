import Cryptography
import RelayFixtures
import TestSupport
import Testing

@testable import SMPSession

@Suite(.timeLimit(.minutes(5))) struct CertificateChainTests {
    @Test(arguments: 2...4)
    func `accepts chains of two to four`(length: Int) throws {
        let chain = CertificateChain(certificates: try CertificateFixture().chain(length: length))
        #expect(chain.certificates.count == length)
        try chain.verify(keyHash: Digest.sha256(chain.certificates[1]))
    }

    @Test(arguments: [0, 1, 5, 6])
    func `refuses chains of other lengths`(length: Int) throws {
        let certificates = length == 0 ? [] : try CertificateFixture().chain(length: length)
        let hash = certificates.count > 1 ? Digest.sha256(certificates[1]) : []
        #expect(throws: TransportError.badCertificate(.chainLength(length))) {
            try CertificateChain(certificates: certificates).verify(keyHash: hash)
        }
    }

    @Test func `refuses another fingerprint`() throws {
        let chain = CertificateChain(certificates: try CertificateFixture().chain(length: 2))
        #expect(throws: TransportError.wrongFingerprint) { try chain.verify(keyHash: Digest.sha256([1])) }
    }

    @Test func `compares the fingerprint with the second certificate only`() throws {
        let chain = CertificateChain(certificates: try CertificateFixture().chain(length: 3))
        #expect(throws: TransportError.wrongFingerprint) {
            try chain.verify(keyHash: Digest.sha256(chain.certificates[2]))
        }
    }

    @Test func `refuses a leaf that the identity did not issue`() throws {
        let victim = try CertificateFixture().chain(length: 2)
        let attacker = try CertificateFixture().chain(length: 2)
        #expect(throws: TransportError.self) {
            try CertificateChain(certificates: [attacker[0], victim[1]]).verify(keyHash: Digest.sha256(victim[1]))
        }
    }

    @Test func `refuses a path that passes by the identity`() throws {
        let victim = try CertificateFixture().chain(length: 2)
        let attacker = try CertificateFixture().chain(length: 2)
        let forged = CertificateChain(certificates: [attacker[0], victim[1], attacker[1]])
        #expect(
            throws: TransportError.badCertificate(.path("a certificate is not issued by the next one of the chain"))
        ) {
            try forged.verify(keyHash: Digest.sha256(victim[1]))
        }
    }

    @Test func `refuses a leaf as issuer`() throws {
        let fixture = try CertificateFixture()
        let middle = try fixture.leaf()
        let leaf = try CertificateMaker.leaf(
            key: .ed25519(.init()), host: "localhost", issuer: middle, issuerKey: fixture.serverKey)
        let chain = CertificateChain(certificates: [leaf.der, middle.der, fixture.authority.der])
        #expect(throws: TransportError.self) { try chain.verify(keyHash: Digest.sha256(middle.der)) }
    }

    @Test func `refuses an expired leaf`() throws {
        let fixture = try CertificateFixture()
        let leaf = try fixture.leaf(dates: .init(notBefore: -2, notAfter: -1))
        let chain = CertificateChain(certificates: [leaf.der, fixture.authority.der])
        #expect(throws: TransportError.badCertificate(.validityDates)) {
            try chain.verify(keyHash: Digest.sha256(fixture.authority.der))
        }
    }

    @Test func `refuses a leaf that is not valid yet`() throws {
        let fixture = try CertificateFixture()
        let leaf = try fixture.leaf(dates: .init(notBefore: 2, notAfter: 4))
        let chain = CertificateChain(certificates: [leaf.der, fixture.authority.der])
        #expect(throws: TransportError.badCertificate(.validityDates)) {
            try chain.verify(keyHash: Digest.sha256(fixture.authority.der))
        }
    }

    @Test func `accepts a recorded chain until the year 4764`() throws {
        let vector = try Vectors.group("server_credentials")
        let chain = CertificateChain(certificates: vector["cert_chain_der"].items.compactMap(\.bytes))
        let hash = try #require(vector["ca_fingerprint_sha256"].bytes)
        // The recorded authority ends at 4764-10-17 02:09:37 UTC.
        let end: Int64 = 88_195_140_577
        try chain.verify(keyHash: hash, time: end - 1)
        #expect(throws: TransportError.badCertificate(.validityDates)) {
            try chain.verify(keyHash: hash, time: end + 1)
        }
    }

    @Test func `accepts Ed448 chains`() throws {
        let authorityKey = AuthenticationPrivateKey.ed448(.init())
        let serverKey = AuthenticationPrivateKey.ed448(.init())
        let authority = try CertificateMaker.authority(key: authorityKey)
        let leaf = try CertificateMaker.leaf(key: serverKey, host: "h", issuer: authority, issuerKey: authorityKey)
        try CertificateChain(certificates: [leaf.der, authority.der]).verify(keyHash: Digest.sha256(authority.der))
    }

    @Test func `refuses malformed certificates`() throws {
        let good = try CertificateFixture().chain(length: 2)
        let cut = Array(good[0].dropLast(3))
        for leaf in [[], [1, 2, 3], cut, good[0] + [0]] {
            #expect(throws: TransportError.badCertificate(.malformed)) {
                try CertificateChain(certificates: [leaf, good[1]]).verify(keyHash: Digest.sha256(good[1]))
            }
        }
    }

    @Test func `no changed byte of a leaf is accepted`() throws {
        let good = try CertificateFixture().chain(length: 2)
        var generator = SeededGenerator(seed: 4759)
        for _ in 0..<200 {
            var leaf = good[0]
            leaf[Int.random(in: leaf.indices, using: &generator)] ^= UInt8.random(in: 1...255, using: &generator)
            #expect(throws: TransportError.self) {
                try CertificateChain(certificates: [leaf, good[1]]).verify(keyHash: Digest.sha256(good[1]))
            }
        }
    }
}
