import COpenSSL
import MediaRules

/// TLS towards a server of the open internet: its certificate is checked against the system's authorities, or those of a
/// file, and against its name.
///
/// `@unchecked Sendable`: the context is only changed before `init` returns, and OpenSSL shares it between threads safely.
final class TunnelTLS: @unchecked Sendable {
    private let context: OpaquePointer
    let url: ICEServerURL

    /// Reads the authorities. Throws ``RelayServerError``.
    init(_ url: ICEServerURL, authorities: String?) throws(RelayServerError) {
        self.url = url
        guard let context = SSL_CTX_new(TLS_client_method()) else { throw .local(OpenSSLReason.take()) }
        self.context = context
        _ = SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_2_VERSION), nil)
        // SSL_MODE_RELEASE_BUFFERS.
        _ = SSL_CTX_ctrl(context, SSL_CTRL_MODE, 0x10, nil)
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
        let isLoaded =
            if let authorities {
                SSL_CTX_load_verify_locations(context, authorities, nil) == 1
            } else {
                SSL_CTX_set_default_verify_paths(context) == 1
            }
        guard isLoaded else {
            ERR_clear_error()
            throw .authorities(authorities ?? "")
        }
    }

    deinit { SSL_CTX_free(context) }

    /// A connection that has not begun.
    func makeSession() throws(RelayServerError) -> Session {
        guard let ssl = SSL_new(context) else { throw .local(OpenSSLReason.take()) }
        guard let incoming = BIO_new(BIO_s_mem()), let outgoing = BIO_new(BIO_s_mem()) else {
            SSL_free(ssl)
            throw .local(OpenSSLReason.take())
        }
        SSL_set_bio(ssl, incoming, outgoing)
        SSL_set_connect_state(ssl)
        let session = Session(ssl, incoming, outgoing, self)
        // X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS
        SSL_set_hostflags(ssl, 0x4)
        let isSet: Bool
        if InternetAddress(literal: url.host) != nil {
            isSet = X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), url.host) == 1
        } else {
            let name = url.host.hasSuffix(".") ? String(url.host.dropLast()) : url.host
            isSet =
                SSL_set1_host(ssl, name) == 1
                && name.withCString {
                    // SSL_set_tlsext_host_name (RFC 6066 §3).
                    SSL_ctrl(
                        ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME, Int(TLSEXT_NAMETYPE_host_name),
                        UnsafeMutableRawPointer(mutating: $0))
                } == 1
        }
        guard isSet else { throw .local(OpenSSLReason.take()) }
        return session
    }

    /// One TLS session over two memory buffers. It belongs to one thread.
    final class Session {
        enum Progress: Equatable {
            case bytes(Int)
            case waiting
            case closed
        }

        private let ssl: OpaquePointer
        private let incoming: OpaquePointer
        private let outgoing: OpaquePointer
        private let owner: TunnelTLS
        private var taken = ByteQueue()

        fileprivate init(
            _ ssl: OpaquePointer, _ incoming: OpaquePointer, _ outgoing: OpaquePointer, _ owner: TunnelTLS
        ) {
            (self.ssl, self.incoming, self.outgoing, self.owner) = (ssl, incoming, outgoing, owner)
        }

        deinit { SSL_free(ssl) }

        /// Goes on with the handshake; true when it is complete and the certificate is good.
        func handshake() throws(RelayServerError) -> Bool {
            ERR_clear_error()
            let result = SSL_do_handshake(ssl)
            if result == 1 { return true }
            if Self.wantsMore(SSL_get_error(ssl, result)) { return false }
            let verdict = SSL_get_verify_result(ssl)
            if verdict != Int(X509_V_OK) {
                ERR_clear_error()
                let reason = X509_verify_cert_error_string(verdict).map { String(cString: $0) } ?? "\(verdict)"
                throw .certificate(owner.url.place, reason: reason)
            }
            throw .handshake(owner.url.place, reason: OpenSSLReason.take())
        }

        private static func wantsMore(_ error: Int32) -> Bool {
            error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE
        }

        /// Bytes that came from the network.
        func receive(_ bytes: UnsafeRawBufferPointer) {
            var rest = bytes
            while !rest.isEmpty {
                let taken = BIO_write(incoming, rest.baseAddress, Int32(clamping: rest.count))
                guard taken > 0 else { return }
                rest = UnsafeRawBufferPointer(rebasing: rest[Int(taken)...])
            }
        }

        /// How many bytes came from the network and were not read yet.
        var waitingInput: Int { BIO_ctrl_pending(incoming) }

        /// Reads what was decrypted; at most one record.
        func read(into buffer: UnsafeMutableRawBufferPointer) -> Progress {
            ERR_clear_error()
            let result = SSL_read(ssl, buffer.baseAddress, Int32(clamping: buffer.count))
            if result > 0 { return .bytes(Int(result)) }
            if Self.wantsMore(SSL_get_error(ssl, result)) { return .waiting }
            ERR_clear_error()
            return .closed
        }

        /// Encrypts bytes; they wait as output then. False when the session is over.
        func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
            ERR_clear_error()
            guard !bytes.isEmpty else { return true }
            return SSL_write(ssl, bytes.baseAddress, Int32(clamping: bytes.count)) == Int32(clamping: bytes.count)
        }

        /// How many bytes wait to go to the network.
        var waitingOutput: Int { BIO_ctrl_pending(outgoing) + taken.count }

        /// Hands waiting output to `send` until nothing is left or it takes no more; what it did not take comes first the
        /// next time.
        func flush(
            through buffer: inout [UInt8], _ send: (UnsafeRawBufferPointer) -> OwnedSocket.Outcome
        ) -> OwnedSocket.Outcome {
            while true {
                if taken.isEmpty {
                    let count = buffer.withUnsafeMutableBytes {
                        BIO_read(outgoing, $0.baseAddress, Int32(clamping: $0.count))
                    }
                    guard count > 0 else { return .bytes(0) }
                    taken.append(buffer[..<Int(count)])
                }
                switch taken.withFront(send) {
                case .bytes(let count): taken.removeFirst(count)
                case let end: return end
                }
            }
        }

        /// Tells the server that nothing follows (close_notify).
        func shutDown() {
            ERR_clear_error()
            _ = SSL_shutdown(ssl)
            ERR_clear_error()
        }
    }
}

/// OpenSSL's error queue of this thread.
enum OpenSSLReason {
    /// The newest error in words; empties the queue.
    static func take() -> String {
        let code = ERR_peek_last_error()
        ERR_clear_error()
        guard code != 0, let reason = ERR_reason_error_string(code) else { return "the server closed the connection" }
        return String(cString: reason)
    }
}
