import COpenSSL

/// OpenSSL's settings for one side of SMP connections.
///
/// `@unchecked Sendable`: the context is only changed before `init` returns, and OpenSSL shares it between threads safely.
package final class TLSContext: @unchecked Sendable {
    package enum Role {
        case client
        case server(RelayCertificates)
    }

    let pointer: OpaquePointer
    let isServer: Bool
    private let applicationProtocols: [UInt8]

    package init(role: Role, options: TLSOptions) throws(TransportError) {
        let method: OpaquePointer?
        switch role {
        case .client:
            method = TLS_client_method()
            isServer = false
        case .server:
            method = TLS_server_method()
            isServer = true
        }
        guard let context = SSL_CTX_new(method) else { throw .tls(OpenSSLFailure.takeDescription()) }
        pointer = context
        applicationProtocols = options.encodedApplicationProtocols
        try configure(groups: options.groups)
        switch role {
        case .client: try configureClient()
        case .server(let certificates): try configureServer(certificates)
        }
    }

    deinit { SSL_CTX_free(pointer) }

    /// SMP fact sheet §2, the table of TLS values.
    private func configure(groups: [TLSGroup]) throws(TransportError) {
        try check(SSL_CTX_ctrl(pointer, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_3_VERSION), nil))
        try check(SSL_CTX_ctrl(pointer, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(TLS1_3_VERSION), nil))
        try check(Int(SSL_CTX_set_ciphersuites(pointer, "TLS_CHACHA20_POLY1305_SHA256")))
        try set("ed448:ed25519", SSL_CTRL_SET_SIGALGS_LIST)
        try set(groups.map(\.rawValue).joined(separator: ":"), SSL_CTRL_SET_GROUPS_LIST)
        // The session id of SMP is the Finished message of a full handshake, so nothing is ever resumed.
        _ = SSL_CTX_ctrl(pointer, SSL_CTRL_SET_SESS_CACHE_MODE, Int(SSL_SESS_CACHE_OFF), nil)
        try check(Int(SSL_CTX_set_num_tickets(pointer, 0)))
        // Idle connections give their buffers back: SSL_MODE_RELEASE_BUFFERS.
        _ = SSL_CTX_ctrl(pointer, SSL_CTRL_MODE, 0x10, nil)
    }

    private func configureClient() throws(TransportError) {
        SSL_CTX_set_verify(pointer, SSL_VERIFY_PEER, nil)
        SSL_CTX_set_cert_verify_callback(
            pointer, { store, _ in TLSSession.verifyPeer(store: store) ? 1 : 0 }, nil)
        guard !applicationProtocols.isEmpty else { return }
        // This function answers 0 for success.
        guard SSL_CTX_set_alpn_protos(pointer, applicationProtocols, UInt32(applicationProtocols.count)) == 0 else {
            throw .tls(OpenSSLFailure.takeDescription())
        }
    }

    private func configureServer(_ certificates: RelayCertificates) throws(TransportError) {
        SSL_CTX_set_verify(pointer, SSL_VERIFY_NONE, nil)
        try certificates.install(in: pointer)
        SSL_CTX_set_alpn_select_cb(
            pointer,
            { _, selected, selectedLength, offered, offeredLength, context in
                guard let context, let selected, let selectedLength, let offered else {
                    return SSL_TLSEXT_ERR_ALERT_FATAL
                }
                let known = Unmanaged<TLSContext>.fromOpaque(context).takeUnretainedValue().applicationProtocols
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

    private func set(_ list: String, _ control: Int32) throws(TransportError) {
        var text = list.utf8CString
        let result = text.withUnsafeMutableBytes { SSL_CTX_ctrl(pointer, control, 0, $0.baseAddress) }
        try check(result)
    }

    private func check(_ result: Int) throws(TransportError) {
        guard result == 1 else { throw .tls(OpenSSLFailure.takeDescription()) }
    }
}

/// Chooses the server's application protocol (RFC 7301 §3.2): the first of its own list that the client offers.
enum ApplicationProtocolChoice {
    /// Where the chosen name lies in `offered`; both lists are runs of length-prefixed names.
    static func find(known: [UInt8], offered: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
        let offers = names(Array(offered))
        for wanted in names(known) {
            let name = known[wanted]
            if let match = offers.first(where: { offered[$0].elementsEqual(name) }) { return match }
        }
        return nil
    }

    private static func names(_ list: [UInt8]) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var position = 0
        while position < list.count {
            let start = position + 1
            let end = start + Int(list[position])
            guard end <= list.count, end > start else { break }
            ranges.append(start..<end)
            position = end
        }
        return ranges
    }
}
