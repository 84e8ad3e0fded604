import COpenSSL
import Cryptography

/// OpenSSL's settings for the sessions of one side.
///
/// `@unchecked Sendable`: the context is only changed before the first session, and OpenSSL shares it between threads safely.
package final class OpenSSLContext: @unchecked Sendable {
    package enum Side: Sendable {
        /// Who may vouch for servers.
        case client(Authorities)
        case server
    }

    package enum Authorities: Sendable {
        /// Nobody: each session has a judge of its own.
        case none
        case system
        /// Those of a file (PEM).
        case file(String)
    }

    /// For who gives a server its certificates.
    package let pointer: OpaquePointer
    let isServer: Bool
    private let applicationProtocols: [UInt8]

    package init(_ side: Side, _ settings: TLSSettings) throws(TLSFailure) {
        if case .server = side { isServer = true } else { isServer = false }
        guard let context = SSL_CTX_new(isServer ? TLS_server_method() : TLS_client_method()) else {
            throw .other(OpenSSLFailure.takeReason())
        }
        pointer = context
        applicationProtocols = settings.encodedApplicationProtocols
        try configure(settings)
        switch side {
        case .client(let authorities): try configureClient(authorities)
        case .server: configureServer()
        }
    }

    deinit { SSL_CTX_free(pointer) }

    private func configure(_ settings: TLSSettings) throws(TLSFailure) {
        try check(SSL_CTX_ctrl(pointer, SSL_CTRL_SET_MIN_PROTO_VERSION, settings.oldest.rawValue, nil))
        if let newest = settings.newest {
            try check(SSL_CTX_ctrl(pointer, SSL_CTRL_SET_MAX_PROTO_VERSION, newest.rawValue, nil))
        }
        if let suites = settings.cipherSuites { try check(Int(SSL_CTX_set_ciphersuites(pointer, suites))) }
        if let algorithms = settings.signatureAlgorithms { try set(algorithms, SSL_CTRL_SET_SIGALGS_LIST) }
        if let groups = settings.groups { try set(groups, SSL_CTRL_SET_GROUPS_LIST) }
        if !settings.isResumable {
            _ = SSL_CTX_ctrl(pointer, SSL_CTRL_SET_SESS_CACHE_MODE, Int(SSL_SESS_CACHE_OFF), nil)
            try check(Int(SSL_CTX_set_num_tickets(pointer, 0)))
        }
        // Idle connections give their buffers back: SSL_MODE_RELEASE_BUFFERS.
        _ = SSL_CTX_ctrl(pointer, SSL_CTRL_MODE, 0x10, nil)
    }

    private func configureClient(_ authorities: Authorities) throws(TLSFailure) {
        SSL_CTX_set_verify(pointer, SSL_VERIFY_PEER, nil)
        SSL_CTX_set_cert_verify_callback(pointer, { store, _ in OpenSSLSession.judge(store) ? 1 : 0 }, nil)
        let isLoaded =
            switch authorities {
            case .none: true
            case .system: SSL_CTX_set_default_verify_paths(pointer) == 1
            case .file(let path): SSL_CTX_load_verify_locations(pointer, path, nil) == 1
            }
        guard isLoaded else {
            ERR_clear_error()
            throw .authorities
        }
        guard !applicationProtocols.isEmpty else { return }
        // This function answers 0 for success.
        guard SSL_CTX_set_alpn_protos(pointer, applicationProtocols, UInt32(applicationProtocols.count)) == 0 else {
            throw .other(OpenSSLFailure.takeReason())
        }
    }

    private func configureServer() {
        SSL_CTX_set_verify(pointer, SSL_VERIFY_NONE, nil)
        SSL_CTX_set_alpn_select_cb(
            pointer,
            { _, selected, selectedLength, offered, offeredLength, context in
                guard let context, let selected, let selectedLength, let offered else {
                    return SSL_TLSEXT_ERR_ALERT_FATAL
                }
                let known = Unmanaged<OpenSSLContext>.fromOpaque(context).takeUnretainedValue().applicationProtocols
                // The answer points into the client's own list, which outlives this call.
                guard
                    let choice = ApplicationProtocolChoice.find(
                        known: known, offered: UnsafeBufferPointer(start: offered, count: Int(offeredLength)))
                else { return SSL_TLSEXT_ERR_ALERT_FATAL }
                selected.pointee = offered + choice.lowerBound
                selectedLength.pointee = UInt8(choice.count)
                return SSL_TLSEXT_ERR_OK
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    private func set(_ list: String, _ control: Int32) throws(TLSFailure) {
        var text = list.utf8CString
        let result = text.withUnsafeMutableBytes { SSL_CTX_ctrl(pointer, control, 0, $0.baseAddress) }
        try check(result)
    }

    private func check(_ result: Int) throws(TLSFailure) {
        guard result == 1 else { throw .other(OpenSSLFailure.takeReason()) }
    }
}
