import Cryptography
import SMP
import TestSupport
import Testing

@testable import SMPSession

/// What a relay makes of clients' hellos.
@Suite(.timeLimit(.minutes(5))) struct ServerGreetingTests {
    private let certificates: RelayCertificates
    private let greeting: ServerGreeting

    init() throws {
        certificates = try RelayCertificates.make(host: "h")
        greeting = try ServerGreeting(
            versions: SMPVersionRange(9...17), sessionID: Array(repeating: 1, count: 32), certificates: certificates)
    }

    private func agree(_ hello: ClientHello) throws -> ServerGreeting.Agreement {
        try greeting.agree(on: Padding.pad(hello.encoded(), to: SMPLimits.block))
    }

    private func hello(_ version: SMPVersion) -> ClientHello {
        ClientHello(version: version, keyHash: certificates.fingerprint, sessionKey: X25519.PrivateKey().publicKey)
    }

    @Test(arguments: [(9, false), (10, false), (11, true), (14, true), (17, true)] as [(UInt16, Bool)])
    func `blocks are encrypted from version 11`(version: UInt16, encrypts: Bool) throws {
        let agreement = try agree(hello(SMPVersion(rawValue: version)))
        #expect(agreement.version == SMPVersion(rawValue: version))
        #expect(agreement.cipher.encrypts == encrypts)
        #expect(agreement.secret != nil)
    }

    @Test func `proxies get no block encryption`() throws {
        var hello = hello(14)
        hello.isProxy = true
        let agreement = try agree(hello)
        #expect(!agreement.cipher.encrypts)
        #expect(agreement.secret != nil)
    }

    @Test(arguments: [0, 6, 8, 18, 65535] as [UInt16]) func `other versions are refused`(version: UInt16) {
        #expect(throws: TransportError.version) { try agree(hello(SMPVersion(rawValue: version))) }
    }

    @Test func `another key hash is refused`() {
        var hello = hello(14)
        hello.keyHash = Array(repeating: 0, count: 32)
        #expect(throws: TransportError.hello(.keyHash)) { try agree(hello) }
    }

    @Test func `a key of small order is refused`() throws {
        var hello = hello(14)
        hello.sessionKey = try X25519.PublicKey(rawRepresentation: Array(repeating: 0, count: 32))
        #expect(throws: TransportError.hello(.signature)) { try agree(hello) }
    }

    @Test func `services are told that there are none`() throws {
        let certified = CertifiedKey(
            chain: certificates.chain.certificates,
            signedKey: try SignedKey(.x25519(X25519.PrivateKey().publicKey), signedBy: certificates.serverKey))
        var hello = hello(16)
        hello.service = ClientHello.Service(role: .notifier, key: certified)
        #expect(throws: TransportError.hello(.unsupportedService)) { try agree(hello) }
        let refusal = try ServiceReply(decoding: Padding.unpad(greeting.serviceRefusal()))
        #expect(refusal == .refused(.handshakeService))
    }

    @Test func `rubbish is refused`() throws {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<50 {
            let block = generator.bytes(SMPLimits.block)
            #expect(throws: TransportError.self) { try greeting.agree(on: block) }
        }
        #expect(throws: TransportError.hello(.malformed)) { try greeting.agree(on: []) }
    }
}
