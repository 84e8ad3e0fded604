import Cryptography
import RelayFixtures
import Testing

@testable import SMPSession

@Suite(.timeLimit(.minutes(5))) struct TLSSessionTests {
    private let certificates: RelayCertificates

    init() throws { certificates = try RelayCertificates.make(host: "localhost") }

    @Test func `both sides learn the same session ID`() throws {
        let link = try TLSLink(certificates: certificates)
        try link.shakeHands()
        #expect(link.client.details().sessionID == link.server.details().sessionID)
        #expect(link.client.details().sessionID.count == 32)
    }

    @Test func `the session ID differs from connection to connection`() throws {
        let first = try TLSLink(certificates: certificates)
        try first.shakeHands()
        let second = try TLSLink(certificates: certificates)
        try second.shakeHands()
        #expect(first.client.details().sessionID != second.client.details().sessionID)
    }

    @Test func `the application protocol is agreed`() throws {
        let link = try TLSLink(certificates: certificates)
        try link.shakeHands()
        #expect(link.client.details().applicationProtocol == "smp/1")
        #expect(link.server.details().applicationProtocol == "smp/1")
    }

    @Test func `a client without application protocol leaves it undefined`() throws {
        let link = try TLSLink(certificates: certificates, clientOptions: TLSOptions(applicationProtocols: []))
        try link.shakeHands()
        #expect(link.server.details().applicationProtocol == nil)
    }

    @Test func `without common application protocol both sides say so`() throws {
        let link = try TLSLink(certificates: certificates, clientOptions: TLSOptions(applicationProtocols: ["h2"]))
        let failure = #expect(throws: LinkFailure.self) { try link.shakeHands() }
        #expect(failure?.side == .server)
        #expect(failure?.error == .noApplicationProtocol)
        #expect(failure?.otherSide == .noApplicationProtocol)
    }

    @Test func `the client learns the chain`() throws {
        let link = try TLSLink(certificates: certificates)
        try link.shakeHands()
        #expect(link.client.details().serverChain == certificates.chain.certificates)
    }

    @Test func `another fingerprint is refused`() throws {
        let link = try TLSLink(certificates: certificates, keyHash: Digest.sha256([1, 2, 3]))
        let failure = #expect(throws: LinkFailure.self) { try link.shakeHands() }
        #expect(failure?.side == .client)
        #expect(failure?.error == .wrongFingerprint)
    }

    @Test(
        arguments: [[TLSGroup.x448, .x25519], [.x25519], [.x448], [.x25519, .x448]],
        [[TLSGroup.x448, .x25519], [.x25519], [.x448]])
    func `every common group will do`(client: [TLSGroup], server: [TLSGroup]) throws {
        let link = try TLSLink(
            certificates: certificates, clientOptions: TLSOptions(groups: client),
            serverOptions: TLSOptions(groups: server))
        guard !Set(client).isDisjoint(with: server) else {
            #expect(throws: LinkFailure.self) { try link.shakeHands() }
            return
        }
        // X448 first against X25519 only needs a HelloRetryRequest.
        try link.shakeHands()
        #expect(link.client.details().sessionID == link.server.details().sessionID)
    }

    @Test(arguments: [(TLSGroup.x25519, true), (.x448, false)])
    func `a client that begins with another group is asked to begin again`(group: TLSGroup, asksAgain: Bool) throws {
        let link = try TLSLink(
            certificates: certificates, clientOptions: TLSOptions(groups: [.x448, .x25519]),
            serverOptions: TLSOptions(groups: [group]))
        _ = try link.client.handshake()
        try TLSLink.move(from: link.client, to: link.server)
        _ = try link.server.handshake()
        // RFC 8446 §4.1.3: a ServerHello whose random is this hash is a HelloRetryRequest.
        let mark = Digest.sha256(Array("HelloRetryRequest".utf8))
        let answer = TLSLink.output(of: link.server)
        #expect((answer.count > 43 && Array(answer[11..<43]) == mark) == asksAgain)
    }

    @Test func `chains of four are sent whole`() throws {
        let fixture = try CertificateFixture()
        let chain = CertificateChain(certificates: try fixture.chain(length: 4))
        let certificates = try RelayCertificates(chain: chain, serverKey: fixture.serverKey)
        let link = try TLSLink(certificates: certificates)
        try link.shakeHands()
        #expect(link.client.details().serverChain == chain.certificates)
    }

    @Test func `chains of five are refused`() throws {
        let fixture = try CertificateFixture()
        let chain = CertificateChain(certificates: try fixture.chain(length: 5))
        let link = try TLSLink(certificates: RelayCertificates(chain: chain, serverKey: fixture.serverKey))
        let failure = #expect(throws: LinkFailure.self) { try link.shakeHands() }
        #expect(failure?.error == .badCertificate(.chainLength(5)))
    }

    @Test func `Ed448 certificates work`() throws {
        let authorityKey = AuthenticationPrivateKey.ed448(.init())
        let serverKey = AuthenticationPrivateKey.ed448(.init())
        let authority = try CertificateMaker.authority(key: authorityKey)
        let leaf = try CertificateMaker.leaf(key: serverKey, host: "h", issuer: authority, issuerKey: authorityKey)
        let chain = CertificateChain(certificates: [leaf.der, authority.der])
        let link = try TLSLink(certificates: RelayCertificates(chain: chain, serverKey: serverKey))
        try link.shakeHands()
    }

    @Test func `rubbish instead of a hello is an error`() throws {
        let link = try TLSLink(certificates: certificates)
        Array("GET / HTTP/1.1\r\n\r\n".utf8).withUnsafeBytes { try? link.server.receive($0) }
        #expect(throws: TransportError.self) { try link.server.handshake() }
    }
}
