import COpenSSL
import Cryptography

@testable import SMPSession

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
