import COpenSSL

/// Owns one certificate.
///
/// `@unchecked Sendable`: OpenSSL counts references atomically, and the certificate is not changed once it is shared.
package final class X509Handle: @unchecked Sendable {
    package let pointer: OpaquePointer

    package init(adopting pointer: OpaquePointer) { self.pointer = pointer }

    /// Reads DER that must be exactly one certificate.
    package convenience init?(der: [UInt8]) {
        let pointer = der.withUnsafeBufferPointer { buffer -> OpaquePointer? in
            var cursor = buffer.baseAddress
            guard let certificate = d2i_X509(nil, &cursor, buffer.count) else { return nil }
            guard cursor == buffer.baseAddress.map({ $0 + buffer.count }) else {
                X509_free(certificate)
                return nil
            }
            return certificate
        }
        guard let pointer else {
            ERR_clear_error()
            return nil
        }
        self.init(adopting: pointer)
    }

    deinit { X509_free(pointer) }

    /// The certificate in DER; empty only when memory runs out.
    package var der: [UInt8] { X509Handle.der(of: pointer) }

    /// The certificates of an OpenSSL stack in DER.
    package static func certificates(of stack: OpaquePointer?) -> [[UInt8]] {
        (0..<max(0, OPENSSL_sk_num(stack))).compactMap { index in
            OPENSSL_sk_value(stack, index).map { der(of: OpaquePointer($0)) }
        }
    }

    private static func der(of certificate: OpaquePointer) -> [UInt8] {
        var output: UnsafeMutablePointer<UInt8>?
        let count = i2d_X509(certificate, &output)
        guard count > 0, let output else { return [] }
        defer { CRYPTO_free(output, "", 0) }
        return Array(UnsafeBufferPointer(start: output, count: Int(count)))
    }
}
