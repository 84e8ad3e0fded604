import COpenSSL
import Cryptography

@testable import SMPTransport

/// A client's and a server's TLS session in memory, without a network.
struct TLSLink {
    let client: TLSSession
    let server: TLSSession

    init(
        certificates: RelayCertificates, keyHash: [UInt8]? = nil, clientOptions: TLSOptions = TLSOptions(),
        serverOptions: TLSOptions = TLSOptions()
    ) throws {
        client = try TLSSession(
            context: TLSContext(role: .client, options: clientOptions),
            expectedKeyHash: keyHash ?? certificates.fingerprint)
        server = try TLSSession(
            context: TLSContext(role: .server(certificates), options: serverOptions), expectedKeyHash: nil)
    }

    /// Runs both handshakes to their end; the first error of either side is thrown with the name of the side.
    func shakeHands() throws {
        var clientDone = false
        var serverDone = false
        for _ in 0..<10 where !(clientDone && serverDone) {
            do throws(TransportError) { clientDone = try client.handshake() } catch {
                throw LinkFailure(side: .client, error: error, otherSide: failure(of: server, after: client))
            }
            try Self.move(from: client, to: server)
            do throws(TransportError) { serverDone = try server.handshake() } catch {
                throw LinkFailure(side: .server, error: error, otherSide: failure(of: client, after: server))
            }
            try Self.move(from: server, to: client)
        }
    }

    /// How the other side fails once it has read the alert.
    private func failure(of session: TLSSession, after failed: TLSSession) -> TransportError? {
        do {
            try Self.move(from: failed, to: session)
            _ = try session.handshake()
            var byte: [UInt8] = [0]
            _ = try byte.withUnsafeMutableBytes { try session.read(into: $0) }
            return nil
        } catch { return error as? TransportError }
    }

    static func move(from source: TLSSession, to target: TLSSession) throws(TransportError) {
        let bytes = output(of: source)
        guard !bytes.isEmpty else { return }
        let result = bytes.withUnsafeBytes { buffer in
            Result { () throws(TransportError) in try target.receive(buffer) }
        }
        try result.get()
    }

    static func output(of session: TLSSession) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: session.pendingOutput)
        let count = bytes.withUnsafeMutableBytes { session.takeOutput(into: $0) }
        return Array(bytes.prefix(count))
    }
}

/// Which side of a link failed, and how.
struct LinkFailure: Error {
    enum Side { case client, server }
    var side: Side
    var error: TransportError
    var otherSide: TransportError?
}

/// Certificates of every kind that clients may meet.
struct CertificateFixture {
    let authorityKey = AuthenticationPrivateKey.ed25519(.init())
    let serverKey = AuthenticationPrivateKey.ed25519(.init())
    let authority: X509Handle

    init() throws { authority = try CertificateMaker.authority(key: authorityKey) }

    func leaf(dates: CertificateMaker.Dates = .init()) throws -> X509Handle {
        try CertificateMaker.leaf(
            key: serverKey, host: "localhost", issuer: authority, issuerKey: authorityKey, dates: dates)
    }

    /// A valid chain of two to any length, identity second.
    func chain(length: Int) throws -> [[UInt8]] {
        let rootKey = AuthenticationPrivateKey.ed25519(.init())
        var chain = [try CertificateMaker.authority(key: rootKey)]
        var issuerKey = rootKey
        while chain.count < length - 1, let issuer = chain.first {
            let key = chain.count == length - 2 ? authorityKey : AuthenticationPrivateKey.ed25519(.init())
            chain.insert(
                try CertificateMaker.intermediate(
                    key: key, name: "level \(chain.count)", issuer: issuer, issuerKey: issuerKey), at: 0)
            issuerKey = key
        }
        guard let identity = chain.first else { return [] }
        let leaf = try CertificateMaker.leaf(key: serverKey, host: "localhost", issuer: identity, issuerKey: issuerKey)
        return (length == 1 ? [] : [leaf.der]) + chain.map(\.der)
    }
}
