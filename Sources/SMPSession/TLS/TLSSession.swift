import COpenSSL

/// What a finished TLS handshake told.
public struct TLSDetails: Sendable, Equatable {
    /// The client's Finished message: SMP's session id (SMP fact sheet §2).
    public var sessionID: [UInt8]
    /// The negotiated application protocol, nil without one.
    public var applicationProtocol: String?
    /// The server's certificates in DER, leaf first; empty on the server's side.
    public var serverChain: [[UInt8]]

    public init(sessionID: [UInt8], applicationProtocol: String?, serverChain: [[UInt8]] = []) {
        self.sessionID = sessionID
        self.applicationProtocol = applicationProtocol
        self.serverChain = serverChain
    }
}

/// One TLS session over two memory buffers: the network's bytes go in and out by hand.
///
/// Not Sendable: it belongs to one event loop.
package final class TLSSession {
    package enum ReadResult: Equatable {
        case bytes(Int)
        case needsInput
        case closed
    }

    private let ssl: OpaquePointer
    private let incoming: OpaquePointer
    private let outgoing: OpaquePointer
    private let context: TLSContext
    private let expectedKeyHash: [UInt8]?
    private var refusal: TransportError?
    private var verifiedChain: [[UInt8]] = []

    /// - Parameter expectedKeyHash: SHA-256 of the server's identity certificate; only for a client.
    package init(context: TLSContext, expectedKeyHash: [UInt8]?) throws(TransportError) {
        guard let ssl = SSL_new(context.pointer) else { throw .tls(OpenSSLFailure.takeDescription()) }
        guard let incoming = BIO_new(BIO_s_mem()) else {
            SSL_free(ssl)
            throw .tls(OpenSSLFailure.takeDescription())
        }
        guard let outgoing = BIO_new(BIO_s_mem()) else {
            BIO_free(incoming)
            SSL_free(ssl)
            throw .tls(OpenSSLFailure.takeDescription())
        }
        SSL_set_bio(ssl, incoming, outgoing)
        if context.isServer { SSL_set_accept_state(ssl) } else { SSL_set_connect_state(ssl) }
        self.ssl = ssl
        self.incoming = incoming
        self.outgoing = outgoing
        self.context = context
        self.expectedKeyHash = expectedKeyHash
        SSL_set_ex_data(ssl, 0, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit { SSL_free(ssl) }

    /// Takes bytes that came from the network.
    package func receive(_ bytes: UnsafeRawBufferPointer) throws(TransportError) {
        var rest = bytes
        while !rest.isEmpty {
            let taken = BIO_write(incoming, rest.baseAddress, Int32(min(rest.count, 1 << 20)))
            guard taken > 0 else { throw .tls(OpenSSLFailure.takeDescription()) }
            rest = UnsafeRawBufferPointer(rebasing: rest[Int(taken)...])
        }
    }

    /// Goes on with the handshake; true when it is complete.
    package func handshake() throws(TransportError) -> Bool {
        ERR_clear_error()
        let result = SSL_do_handshake(ssl)
        if result == 1 { return true }
        switch SSL_get_error(ssl, result) {
        case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return false
        default: throw failure()
        }
    }

    /// Reads decrypted bytes; at most one record.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(TransportError) -> ReadResult {
        ERR_clear_error()
        let result = SSL_read(ssl, buffer.baseAddress, Int32(clamping: buffer.count))
        if result > 0 { return .bytes(Int(result)) }
        switch SSL_get_error(ssl, result) {
        case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return .needsInput
        case SSL_ERROR_ZERO_RETURN: return .closed
        default: throw failure()
        }
    }

    /// Encrypts bytes; the records are then waiting as output.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(TransportError) {
        var rest = bytes
        while !rest.isEmpty {
            ERR_clear_error()
            let taken = SSL_write(ssl, rest.baseAddress, Int32(clamping: rest.count))
            guard taken > 0 else { throw failure() }
            rest = UnsafeRawBufferPointer(rebasing: rest[Int(taken)...])
        }
    }

    /// How many bytes wait to be sent to the network.
    package var pendingOutput: Int { BIO_ctrl_pending(outgoing) }

    /// Moves waiting output; answers how many bytes were written into the buffer.
    package func takeOutput(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        max(0, Int(BIO_read(outgoing, buffer.baseAddress, Int32(clamping: buffer.count))))
    }

    /// Adds a close_notify alert to the output.
    package func shutDown() {
        ERR_clear_error()
        _ = SSL_shutdown(ssl)
        ERR_clear_error()
    }

    /// What the handshake told; only meaningful once it is complete.
    package func details() -> TLSDetails {
        TLSDetails(sessionID: clientFinished(), applicationProtocol: applicationProtocol(), serverChain: verifiedChain)
    }

    private func clientFinished() -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 64)
        let count =
            context.isServer
            ? SSL_get_peer_finished(ssl, &buffer, buffer.count) : SSL_get_finished(ssl, &buffer, buffer.count)
        return Array(buffer.prefix(count))
    }

    private func applicationProtocol() -> String? {
        var name: UnsafePointer<UInt8>?
        var length: UInt32 = 0
        SSL_get0_alpn_selected(ssl, &name, &length)
        guard let name, length > 0 else { return nil }
        return String(decoding: UnsafeBufferPointer(start: name, count: Int(length)), as: UTF8.self)
    }

    private func failure() -> TransportError {
        if let refusal {
            ERR_clear_error()
            return refusal
        }
        let code = ERR_peek_last_error()
        // The peer's alert arrives as SSL_R_TLSV1_ALERT_NO_APPLICATION_PROTOCOL, our own choice fails with the other.
        let alpnFaults = [SSL_AD_REASON_OFFSET + TLS1_AD_NO_APPLICATION_PROTOCOL, SSL_R_NO_APPLICATION_PROTOCOL]
        if alpnFaults.contains(OpenSSLFailure.reason(of: code)) {
            ERR_clear_error()
            return .noApplicationProtocol
        }
        return .tls(OpenSSLFailure.takeDescription())
    }

    /// OpenSSL's question whether the server's certificates are good.
    static func verifyPeer(store: OpaquePointer?) -> Bool {
        guard
            let ssl = X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx()),
            let pointer = SSL_get_ex_data(OpaquePointer(ssl), 0)
        else { return false }
        let session = Unmanaged<TLSSession>.fromOpaque(pointer).takeUnretainedValue()
        do throws(TransportError) {
            let chain = CertificateChain(stack: X509_STORE_CTX_get0_untrusted(store))
            try chain.verify(keyHash: session.expectedKeyHash ?? [])
            session.verifiedChain = chain.certificates
            return true
        } catch {
            session.refusal = error
            X509_STORE_CTX_set_error(store, X509_V_ERR_APPLICATION_VERIFICATION)
            return false
        }
    }
}
