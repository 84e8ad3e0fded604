import COpenSSL
import Cryptography

/// One TLS session over two memory buffers: the network's bytes go in and out by hand.
///
/// Not Sendable: it belongs to one thread or event loop.
package final class OpenSSLSession {
    package enum ReadResult: Equatable, Sendable {
        case bytes(Int)
        case needsInput
        case closed
    }

    /// Whom a client expects.
    package enum Peer {
        /// A server with this name in its certificate, which it is told, too (RFC 6066 §3).
        case name(String)
        /// A server with this IP address in its certificate.
        case address(String)
        /// A server whose certificates (DER, leaf first) the closure finds good; nothing else is looked at.
        case judged(by: ([[UInt8]]) -> Bool)
    }

    private let ssl: OpaquePointer
    private let incoming: OpaquePointer
    private let outgoing: OpaquePointer
    private let context: OpenSSLContext
    private var judge: (([[UInt8]]) -> Bool)?

    /// - Parameter peer: nil on the server's side: clients show no certificate.
    package init(_ context: OpenSSLContext, peer: Peer?) throws(TLSFailure) {
        precondition(context.isServer == (peer == nil), "clients expect a server, servers nobody")
        guard let ssl = SSL_new(context.pointer) else { throw .other(OpenSSLFailure.takeReason()) }
        guard let incoming = BIO_new(BIO_s_mem()) else {
            SSL_free(ssl)
            throw .other(OpenSSLFailure.takeReason())
        }
        guard let outgoing = BIO_new(BIO_s_mem()) else {
            BIO_free(incoming)
            SSL_free(ssl)
            throw .other(OpenSSLFailure.takeReason())
        }
        SSL_set_bio(ssl, incoming, outgoing)
        if context.isServer { SSL_set_accept_state(ssl) } else { SSL_set_connect_state(ssl) }
        self.ssl = ssl
        self.incoming = incoming
        self.outgoing = outgoing
        self.context = context
        SSL_set_ex_data(ssl, 0, Unmanaged.passUnretained(self).toOpaque())
        if let peer { try expect(peer) }
    }

    deinit { SSL_free(ssl) }

    private func expect(_ peer: Peer) throws(TLSFailure) {
        // X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS
        SSL_set_hostflags(ssl, 0x4)
        let isSet: Bool
        switch peer {
        case .name(let name):
            isSet =
                SSL_set1_host(ssl, name) == 1
                && name.withCString {
                    // SSL_set_tlsext_host_name, a macro.
                    SSL_ctrl(
                        ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME, Int(TLSEXT_NAMETYPE_host_name),
                        UnsafeMutableRawPointer(mutating: $0))
                } == 1
        case .address(let address):
            isSet = X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), address) == 1
        case .judged(let judge):
            self.judge = judge
            isSet = true
        }
        guard isSet else { throw .other(OpenSSLFailure.takeReason()) }
    }

    /// Takes bytes that came from the network.
    package func receive(_ bytes: UnsafeRawBufferPointer) throws(TLSFailure) {
        var rest = bytes
        while !rest.isEmpty {
            let taken = BIO_write(incoming, rest.baseAddress, Int32(min(rest.count, 1 << 20)))
            guard taken > 0 else { throw .other(OpenSSLFailure.takeReason()) }
            rest = UnsafeRawBufferPointer(rebasing: rest[Int(taken)...])
        }
    }

    /// Goes on with the handshake; true when it is complete and the peer's certificate is good.
    package func handshake() throws(TLSFailure) -> Bool {
        ERR_clear_error()
        let result = SSL_do_handshake(ssl)
        if result == 1 { return true }
        switch SSL_get_error(ssl, result) {
        case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return false
        default: throw failure()
        }
    }

    /// Reads decrypted bytes; at most one record.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(TLSFailure) -> ReadResult {
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
    package func write(_ bytes: UnsafeRawBufferPointer) throws(TLSFailure) {
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

    // MARK: What a complete handshake told

    /// The client's Finished message, which binds to the session (`tls-unique` of RFC 5929 §3, of a full handshake).
    package var clientFinished: [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 64)
        let count =
            context.isServer
            ? SSL_get_peer_finished(ssl, &buffer, buffer.count) : SSL_get_finished(ssl, &buffer, buffer.count)
        return Array(buffer.prefix(count))
    }

    /// The negotiated application protocol, nil without one.
    package var applicationProtocol: String? {
        var name: UnsafePointer<UInt8>?
        var length: UInt32 = 0
        SSL_get0_alpn_selected(ssl, &name, &length)
        guard let name, length > 0 else { return nil }
        return String(decoding: UnsafeBufferPointer(start: name, count: Int(length)), as: UTF8.self)
    }

    // MARK: What goes wrong

    private func failure() -> TLSFailure {
        let verdict = SSL_get_verify_result(ssl)
        guard verdict == Int(X509_V_OK) else {
            ERR_clear_error()
            return .certificate(X509_verify_cert_error_string(verdict).map { String(cString: $0) } ?? "\(verdict)")
        }
        // The peer's alert arrives as SSL_R_TLSV1_ALERT_NO_APPLICATION_PROTOCOL, our own choice fails with the other.
        let isOfProtocol = [SSL_AD_REASON_OFFSET + TLS1_AD_NO_APPLICATION_PROTOCOL, SSL_R_NO_APPLICATION_PROTOCOL]
            .contains(OpenSSLFailure.reasonCode)
        let reason = OpenSSLFailure.takeReason()
        return isOfProtocol ? .noApplicationProtocol : .other(reason)
    }

    /// OpenSSL's question whether the server's certificates are good.
    static func judge(_ store: OpaquePointer?) -> Bool {
        guard
            let store, let ssl = X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx()),
            let pointer = SSL_get_ex_data(OpaquePointer(ssl), 0)
        else { return false }
        let session = Unmanaged<OpenSSLSession>.fromOpaque(pointer).takeUnretainedValue()
        guard let judge = session.judge else { return X509_verify_cert(store) == 1 }
        let isGood = judge(X509Handle.certificates(of: X509_STORE_CTX_get0_untrusted(store)))
        X509_STORE_CTX_set_error(store, isGood ? X509_V_OK : X509_V_ERR_APPLICATION_VERIFICATION)
        return isGood
    }
}
