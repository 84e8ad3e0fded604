import TLS

/// What a finished TLS handshake told.
public struct TLSDetails: Sendable, Equatable {
    /// The client's Finished message: SMP's session id (SMP fact sheet §2).
    public var sessionID: [UInt8]
    /// The negotiated application protocol, nil without one.
    public var applicationProtocol: String?
    /// The server's certificates in DER, leaf first; empty on the server's side.
    var serverChain: [[UInt8]]

    public init(sessionID: [UInt8], applicationProtocol: String?, serverChain: [[UInt8]] = []) {
        self.sessionID = sessionID
        self.applicationProtocol = applicationProtocol
        self.serverChain = serverChain
    }
}

/// One TLS session of SMP: the server is the one that its address names.
///
/// Not Sendable: it belongs to one event loop.
package final class TLSSession {
    package typealias ReadResult = OpenSSLSession.ReadResult

    private let session: OpenSSLSession
    /// Nil on the server's side.
    private let check: IdentityCheck?

    /// - Parameter expectedKeyHash: SHA-256 of the server's identity certificate; only for a client.
    package init(context: TLSContext, expectedKeyHash: [UInt8]?) throws(TransportError) {
        let check = expectedKeyHash.map { IdentityCheck(keyHash: $0) }
        self.check = check
        do throws(TLSFailure) {
            session = try OpenSSLSession(
                context.openSSL, peer: check.map { check in .judged { check.accepts($0) } })
        } catch {
            throw TransportError(error)
        }
    }

    /// Takes bytes that came from the network.
    package func receive(_ bytes: UnsafeRawBufferPointer) throws(TransportError) {
        try attempt { () throws(TLSFailure) in try session.receive(bytes) }
    }

    /// Goes on with the handshake; true when it is complete.
    package func handshake() throws(TransportError) -> Bool {
        try attempt { () throws(TLSFailure) in try session.handshake() }
    }

    /// Reads decrypted bytes; at most one record.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(TransportError) -> ReadResult {
        try attempt { () throws(TLSFailure) in try session.read(into: buffer) }
    }

    /// Encrypts bytes; the records are then waiting as output.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(TransportError) {
        try attempt { () throws(TLSFailure) in try session.write(bytes) }
    }

    /// How many bytes wait to be sent to the network.
    package var pendingOutput: Int { session.pendingOutput }

    /// Moves waiting output; answers how many bytes were written into the buffer.
    package func takeOutput(into buffer: UnsafeMutableRawBufferPointer) -> Int { session.takeOutput(into: buffer) }

    /// Adds a close_notify alert to the output.
    package func shutDown() { session.shutDown() }

    /// What the handshake told; only meaningful once it is complete.
    package func details() -> TLSDetails {
        TLSDetails(
            sessionID: session.clientFinished, applicationProtocol: session.applicationProtocol,
            serverChain: check?.verifiedChain ?? [])
    }

    private func attempt<Value>(_ body: () throws(TLSFailure) -> Value) throws(TransportError) -> Value {
        do throws(TLSFailure) {
            return try body()
        } catch {
            throw check?.refusal ?? TransportError(error)
        }
    }
}

/// Whether a server's certificates are those of the relay that is meant.
private final class IdentityCheck {
    private let keyHash: [UInt8]
    private(set) var refusal: TransportError?
    private(set) var verifiedChain: [[UInt8]] = []

    init(keyHash: [UInt8]) { self.keyHash = keyHash }

    func accepts(_ certificates: [[UInt8]]) -> Bool {
        do throws(TransportError) {
            try CertificateChain(certificates: certificates).verify(keyHash: keyHash)
            verifiedChain = certificates
            return true
        } catch {
            refusal = error
            return false
        }
    }
}
