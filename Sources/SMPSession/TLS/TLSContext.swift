import TLS

/// The settings of TLS for one side of SMP connections.
package final class TLSContext: Sendable {
    package enum Role {
        case client
        case server(RelayCertificates)
    }

    let openSSL: OpenSSLContext

    package init(role: Role, options: TLSOptions) throws(TransportError) {
        // SMP fact sheet §2, the table of TLS values.
        var settings = TLSSettings(oldest: .tls13, newest: .tls13)
        settings.cipherSuites = "TLS_CHACHA20_POLY1305_SHA256"
        settings.signatureAlgorithms = "ed448:ed25519"
        settings.groups = options.groups.map(\.rawValue).joined(separator: ":")
        settings.applicationProtocols = options.applicationProtocols
        // The session id of SMP is the Finished message of a full handshake, so nothing is ever resumed.
        settings.isResumable = false
        do throws(TLSFailure) {
            switch role {
            case .client: openSSL = try OpenSSLContext(.client(.none), settings)
            case .server: openSSL = try OpenSSLContext(.server, settings)
            }
        } catch {
            throw TransportError(error)
        }
        if case .server(let certificates) = role { try certificates.install(in: openSSL) }
    }
}
