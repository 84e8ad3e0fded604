import Cryptography
import RelayFixtures
import TestSupport
import Testing

@testable import SMPSession

@Suite(.timeLimit(.minutes(5))) struct CertificateChainTests {
    @Test(arguments: 2...4)
    func acceptsChainsOfTwoToFour(length: Int) throws {
        let chain = CertificateChain(certificates: try CertificateFixture().chain(length: length))
        #expect(chain.certificates.count == length)
        try chain.verify(keyHash: Digest.sha256(chain.certificates[1]))
    }

    @Test(arguments: [0, 1, 5, 6])
    func refusesChainsOfOtherLengths(length: Int) throws {
        let certificates = length == 0 ? [] : try CertificateFixture().chain(length: length)
        let hash = certificates.count > 1 ? Digest.sha256(certificates[1]) : []
        #expect(throws: TransportError.badCertificate(.chainLength(length))) {
            try CertificateChain(certificates: certificates).verify(keyHash: hash)
        }
    }

    @Test func refusesAnotherFingerprint() throws {
        let chain = CertificateChain(certificates: try CertificateFixture().chain(length: 2))
        #expect(throws: TransportError.wrongFingerprint) { try chain.verify(keyHash: Digest.sha256([1])) }
    }

    @Test func comparesTheFingerprintWithTheSecondCertificateOnly() throws {
        let chain = CertificateChain(certificates: try CertificateFixture().chain(length: 3))
        #expect(throws: TransportError.wrongFingerprint) {
            try chain.verify(keyHash: Digest.sha256(chain.certificates[2]))
        }
    }

    @Test func refusesALeafThatTheIdentityDidNotIssue() throws {
        let victim = try CertificateFixture().chain(length: 2)
        let attacker = try CertificateFixture().chain(length: 2)
        #expect(throws: TransportError.self) {
            try CertificateChain(certificates: [attacker[0], victim[1]]).verify(keyHash: Digest.sha256(victim[1]))
        }
    }

    @Test func refusesAPathThatPassesByTheIdentity() throws {
        let victim = try CertificateFixture().chain(length: 2)
        let attacker = try CertificateFixture().chain(length: 2)
        let forged = CertificateChain(certificates: [attacker[0], victim[1], attacker[1]])
        #expect(
            throws: TransportError.badCertificate(.path("a certificate is not issued by the next one of the chain"))
        ) {
            try forged.verify(keyHash: Digest.sha256(victim[1]))
        }
    }

    @Test func refusesALeafAsIssuer() throws {
        let fixture = try CertificateFixture()
        let middle = try fixture.leaf()
        let leaf = try CertificateMaker.leaf(
            key: .ed25519(.init()), host: "localhost", issuer: middle, issuerKey: fixture.serverKey)
        let chain = CertificateChain(certificates: [leaf.der, middle.der, fixture.authority.der])
        #expect(throws: TransportError.self) { try chain.verify(keyHash: Digest.sha256(middle.der)) }
    }

    @Test func refusesAnExpiredLeaf() throws {
        let fixture = try CertificateFixture()
        let leaf = try fixture.leaf(dates: .init(notBefore: -2, notAfter: -1))
        let chain = CertificateChain(certificates: [leaf.der, fixture.authority.der])
        #expect(throws: TransportError.badCertificate(.validityDates)) {
            try chain.verify(keyHash: Digest.sha256(fixture.authority.der))
        }
    }

    @Test func refusesALeafThatIsNotValidYet() throws {
        let fixture = try CertificateFixture()
        let leaf = try fixture.leaf(dates: .init(notBefore: 2, notAfter: 4))
        let chain = CertificateChain(certificates: [leaf.der, fixture.authority.der])
        #expect(throws: TransportError.badCertificate(.validityDates)) {
            try chain.verify(keyHash: Digest.sha256(fixture.authority.der))
        }
    }

    @Test func acceptsARecordedChainUntilTheYear4764() throws {
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

    @Test func acceptsEd448Chains() throws {
        let authorityKey = AuthenticationPrivateKey.ed448(.init())
        let serverKey = AuthenticationPrivateKey.ed448(.init())
        let authority = try CertificateMaker.authority(key: authorityKey)
        let leaf = try CertificateMaker.leaf(key: serverKey, host: "h", issuer: authority, issuerKey: authorityKey)
        try CertificateChain(certificates: [leaf.der, authority.der]).verify(keyHash: Digest.sha256(authority.der))
    }

    @Test func refusesMalformedCertificates() throws {
        let good = try CertificateFixture().chain(length: 2)
        let cut = Array(good[0].dropLast(3))
        for leaf in [[], [1, 2, 3], cut, good[0] + [0]] {
            #expect(throws: TransportError.badCertificate(.malformed)) {
                try CertificateChain(certificates: [leaf, good[1]]).verify(keyHash: Digest.sha256(good[1]))
            }
        }
    }

    @Test func noChangedByteOfALeafIsAccepted() throws {
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
