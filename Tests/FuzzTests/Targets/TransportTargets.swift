import Cryptography
import SMP

@testable import SMPSession

extension FuzzTarget {
    /// Certificates, keys and both sides' hellos.
    static let transport: [FuzzTarget] = [
        FuzzTarget(name: "certificate", run: certificate),
        FuzzTarget(name: "key", run: key),
        FuzzTarget(name: "pem", run: pem),
        FuzzTarget(name: "server-greeting", run: serverGreeting),
        FuzzTarget(name: "client-session", run: clientSession),
    ]

    private static func certificate(_ input: [UInt8]) throws {
        _ = try? Certificates.publicKey(ofCertificate: input)
        if let handle = X509Handle(der: input) { _ = handle.der }
        let chain = CertificateChain(certificates: [input, FuzzIdentity.shared.authority])
        try require(
            (try? chain.verify(keyHash: FuzzIdentity.shared.keyHash, time: FuzzIdentity.time)) == nil
                || input == FuzzIdentity.shared.leaf,
            "a certificate that the authority did not issue was accepted")
        _ = try? CertificateChain(certificates: [FuzzIdentity.shared.leaf, input]).verify(
            keyHash: Digest.sha256(input), time: FuzzIdentity.time)
    }

    private static func key(_ input: [UInt8]) throws {
        if let key = try? AuthenticationPublicKey(der: input) {
            try require(key.derRepresentation == input, "a public key has two forms")
            _ = Authenticator.verify(
                Array(input.suffix(64)), for: input, correlationID: .none, key: key,
                sessionKey: FuzzIdentity.shared.sessionKey)
            if case .x25519(let key) = key { _ = try? FuzzIdentity.shared.sessionKey.sharedSecret(with: key) }
        }
        if let key = try? AuthenticationPrivateKey(der: input) {
            try require(key.derRepresentation.bytes == input, "a private key has two forms")
        }
        if let key = try? X448.PublicKey(der: input) {
            try require(key.derRepresentation == input, "an X448 key has two forms")
            _ = try? FuzzIdentity.shared.x448.sharedSecret(with: key)
        }
        if let key = try? X448.PublicKey(rawRepresentation: input) {
            _ = try? FuzzIdentity.shared.x448.sharedSecret(with: key)
        }
        let text = Base64URL.encode(input)
        try require((try? Base64URL.decode(text)) == input, "base64url loses bytes")
        if let decoded = try? Base64URL.decode(String(decoding: input, as: UTF8.self)) {
            try require((try? Base64URL.decode(Base64URL.encode(decoded))) == decoded, "base64url loses bytes")
        }
    }

    private static func pem(_ input: [UInt8]) throws {
        let text = String(decoding: input, as: UTF8.self)
        if let certificates = try? PEM.certificates(in: text, file: "file"), let first = certificates.first {
            let written = PEM.encode(certificate: first)
            try require(
                (try? PEM.certificates(in: written, file: "file")) == [first], "a certificate's text is not read back")
        }
        if let key = try? PEM.privateKey(in: text, file: "file") {
            try require(
                (try? PEM.privateKey(in: PEM.encode(key), file: "file")) == key, "a key's text is not read back")
        }
    }

    /// What a client may answer to the relay's hello: the input as it is, and behind the right fingerprint.
    private static func serverGreeting(_ input: [UInt8]) throws {
        let identity = FuzzIdentity.shared
        let greeting = ServerGreeting(
            versions: .supported, sessionID: [1, 2, 3], certifiedKey: identity.certifiedKey,
            sessionKey: SessionKey(identity.sessionKey))
        _ = try? greeting.agree(on: input)
        var payloads = [input]
        if input.count >= 2 {
            payloads.append(Array(input.prefix(2)) + [32] + identity.keyHash + input.dropFirst(2))
        }
        for payload in payloads {
            guard let block = try? Padding.pad(payload, to: SMPLimits.block) else { continue }
            if let agreement = try? greeting.agree(on: block) {
                try require(
                    SMPVersionRange.supported.contains(agreement.version), "a version nobody offered was agreed on")
            }
        }
    }

    /// A relay that says anything to a client: first a hello, of the input or a right one, then blocks.
    private static func clientSession(_ input: [UInt8]) throws {
        let identity = FuzzIdentity.shared
        var input = FuzzInput(input)
        let version = SMPVersion(rawValue: UInt16(9 + input.choice(9)))
        var machine = ClientMachine(
            versions: SMPVersionRange(version), keyHash: identity.keyHash, sessionKey: identity.clientKey)
        machine.tlsEstablished(
            TLSDetails(sessionID: [1, 2, 3], applicationProtocol: "smp/1", serverChain: identity.certifiedKey.chain))
        let greeting = ServerGreeting(
            versions: .supported, sessionID: [1, 2, 3], certifiedKey: identity.certifiedKey,
            sessionKey: SessionKey(identity.sessionKey))
        if input.choice(4) == 0 {
            guard let block = try? Padding.pad(input.tail(), to: SMPLimits.block) else { return }
            _ = machine.received(block)
            return
        }
        var cipher: BlockCipher?
        for effect in machine.received(try greeting.block()) {
            if case .send(let hello) = effect { cipher = try greeting.agree(on: hello).cipher }
        }
        guard var cipher else { throw FuzzViolation(description: "a right hello was not answered") }
        let entity = EntityID([UInt8](repeating: 5, count: EntityID.count))
        var requests: Set<Int> = []
        for number in 0..<4 {
            let id = CorrelationID([UInt8](repeating: UInt8(number), count: CorrelationID.count))
            let request = RelayRequest(
                number == 0 ? .ping : .send(notify: false, body: [1]), entity: number == 0 ? .none : entity,
                correlationID: id)
            requests.insert(number)
            _ = machine.submit([(number, request)])
        }
        var settled: Set<Int> = []
        while !input.isAtEnd {
            let count = input.word16()
            guard let block = try? cipher.seal(input.bytes(count)) else { break }
            for effect in machine.received(block) {
                if case .settle(let number, _) = effect {
                    try require(settled.insert(number).inserted, "a request was settled twice")
                }
            }
        }
        for effect in machine.closed(.closed) {
            if case .settle(let number, _) = effect {
                try require(settled.insert(number).inserted, "a request was settled twice")
            }
        }
        try require(settled == requests, "a request was never settled")
    }
}

/// A relay's identity for one run.
struct FuzzIdentity: Sendable {
    static let shared = FuzzIdentity()
    /// Within the certificates' dates.
    static let time: Int64? = nil

    let authority: [UInt8]
    let leaf: [UInt8]
    let keyHash: [UInt8]
    let certifiedKey: CertifiedKey
    let sessionKey = fixedKey(3)
    let clientKey = fixedKey(4)
    let x448: X448.PrivateKey

    private init() {
        do {
            let certificates = try RelayCertificates.make(host: "relay.example")
            leaf = certificates.chain.certificates[0]
            authority = certificates.chain.certificates[1]
            keyHash = certificates.fingerprint
            certifiedKey = CertifiedKey(
                chain: certificates.chain.certificates,
                signedKey: try SignedKey(.x25519(sessionKey.publicKey), signedBy: certificates.serverKey))
            x448 = try X448.PrivateKey(rawRepresentation: SecretBytes([UInt8](repeating: 5, count: 56)))
        } catch {
            preconditionFailure("no keys can be made: \(error)")
        }
    }
}

/// An X25519 key that is the same in every run.
func fixedKey(_ seed: UInt8) -> X25519.PrivateKey {
    do {
        return try X25519.PrivateKey(rawRepresentation: SecretBytes([UInt8](repeating: seed, count: 32)))
    } catch {
        preconditionFailure("every 32 bytes are a key: \(error)")
    }
}
