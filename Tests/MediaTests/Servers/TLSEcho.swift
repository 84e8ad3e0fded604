import COpenSSL
import Foundation
import TestSupport

@testable import Media

/// A TLS server on a thread that gives one client back what it sends.
final class TLSEcho: Sendable {
    let port: UInt16

    init(_ certificate: TestAuthority.Server) throws {
        let listener = try TunnelListener(onIPv6: false)
        port = listener.place.split(separator: ":").last.flatMap { UInt16($0) } ?? 0
        let stop = try StopFlag()
        DetachedThread.start {
            guard let client = listener.accept(until: stop), let context = SSL_CTX_new(TLS_server_method()) else {
                return
            }
            defer { SSL_CTX_free(context) }
            _ = fcntl(client.descriptor, F_SETFL, 0)
            SSL_CTX_use_certificate_chain_file(context, certificate.certificate)
            SSL_CTX_use_PrivateKey_file(context, certificate.key, SSL_FILETYPE_PEM)
            guard let ssl = SSL_new(context) else { return }
            defer { SSL_free(ssl) }
            SSL_set_fd(ssl, client.descriptor)
            guard SSL_accept(ssl) == 1 else { return }
            var block = [UInt8](repeating: 0, count: 16_384)
            while true {
                let count = SSL_read(ssl, &block, Int32(block.count))
                guard count > 0, SSL_write(ssl, block, count) == count else { return }
            }
        }
    }
}
