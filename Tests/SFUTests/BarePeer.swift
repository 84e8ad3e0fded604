import COpenSSL
import Foundation
import Synchronization
import TestSupport

/// The end of a WebRTC connection, as small as a Janus takes it: ICE over one UDP socket and DTLS by OpenSSL, without any media. A Janus tells
/// others of a feed only when that is there.
final class BarePeer: Sendable {
    /// What Janus is told (RFC 8866, RFC 8829): sound and picture to be sent.
    let offer: String
    private let descriptor: Int32
    private let certificate: TestAuthority.Server
    private let isStopped = Atomic(false)
    private static let (fragment, password) = ("abcdEFGH", "0123456789abcdefghijklmn")

    /// An end with a socket at the machine's own address.
    init(_ authority: TestAuthority) throws {
        certificate = try authority.issue(["DNS:peer"])
        descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        inet_pton(AF_INET, TURNServer.machineAddress, &address.sin_addr)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let (descriptor, size) = (descriptor, length)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isBound else { throw Overdue("No UDP socket: \(errno).") }
        let port = UInt16(bigEndian: address.sin_port)
        offer = try Self.offer(Self.fingerprint(certificate), port)
    }

    deinit {
        isStopped.store(true, ordering: .releasing)
        close(descriptor)
    }

    func stop() { isStopped.store(true, ordering: .releasing) }

    /// Connects to the other end of which this is the answer, on a thread of its own.
    func connect(_ answer: String) throws {
        let lines = answer.split(whereSeparator: \.isNewline).map(String.init)
        func value(_ name: String) -> String? {
            lines.first { $0.hasPrefix("a=\(name):") }.map { String($0.dropFirst(name.count + 3)) }
        }
        let candidates = lines.filter { $0.hasPrefix("a=candidate:") }.map { $0.split(separator: " ").map(String.init) }
        guard let fragment = value("ice-ufrag"), let password = value("ice-pwd"),
            let candidate = candidates.first(where: { $0.count > 5 && $0[4].contains(".") }),
            let port = UInt16(candidate[5])
        else { throw Overdue("No candidate in \(answer)") }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        inet_pton(AF_INET, candidate[4], &address.sin_addr)
        let session = try BareDTLS(certificate)
        let loop = Loop(
            descriptor: descriptor, address: address, fragment: fragment, password: password, session: session)
        Thread.detachNewThread { [self] in
            var loop = loop
            while !isStopped.load(ordering: .acquiring) { loop.turn() }
        }
    }

    private static func offer(_ fingerprint: String, _ port: UInt16) -> String {
        let common = """
            c=IN IP4 0.0.0.0
            a=rtcp-mux
            a=ice-ufrag:\(fragment)
            a=ice-pwd:\(password)
            a=fingerprint:sha-256 \(fingerprint)
            a=setup:actpass
            a=sendonly
            a=candidate:1 1 udp 2130706431 \(TURNServer.machineAddress) \(port) typ host
            """
        let text = """
            v=0
            o=- 4611731400430051336 2 IN IP4 127.0.0.1
            s=-
            t=0 0
            a=group:BUNDLE 0 1
            m=audio 9 UDP/TLS/RTP/SAVPF 111
            \(common)
            a=mid:0
            a=rtpmap:111 opus/48000/2
            a=ssrc:1001 cname:peer
            m=video 9 UDP/TLS/RTP/SAVPF 96
            \(common)
            a=mid:1
            a=rtpmap:96 VP8/90000
            a=rtcp-fb:96 nack pli
            a=ssrc:1002 cname:peer

            """
        return text.replacing("\n", with: "\r\n")
    }

    private static func fingerprint(_ server: TestAuthority.Server) throws -> String {
        guard let context = SSL_CTX_new(DTLS_method()) else { throw Overdue("No OpenSSL.") }
        defer { SSL_CTX_free(context) }
        guard SSL_CTX_use_certificate_chain_file(context, server.certificate) == 1 else {
            throw Overdue("No certificate.")
        }
        var digest = [UInt8](repeating: 0, count: 32)
        var count: UInt32 = 0
        X509_digest(SSL_CTX_get0_certificate(context), EVP_sha256(), &digest, &count)
        return digest.map { String(format: "%02X", $0) }.joined(separator: ":")
    }

    /// What the thread does: answers checks, makes its own, and carries DTLS.
    private struct Loop: @unchecked Sendable {
        // Handed to the thread once, and used by nobody else then.
        let descriptor: Int32
        var address: sockaddr_in
        let fragment: String
        let password: String
        let session: BareDTLS

        mutating func turn() {
            send(check())
            var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            while poll(&wanted, 1, 50) > 0 {
                var buffer = [UInt8](repeating: 0, count: 2_048)
                let count = recv(descriptor, &buffer, buffer.count, 0)
                guard count > 0 else { return }
                take(Array(buffer[..<count]))
            }
            for datagram in session.wait() { send(datagram) }
        }

        private func take(_ bytes: [UInt8]) {
            // RFC 7983: what begins with 20 to 63 is DTLS, with 0 to 3 STUN.
            if (20...63).contains(bytes[0]) {
                for datagram in session.receive(bytes) { send(datagram) }
            } else if bytes.count >= 20, bytes[0] == 0, bytes[1] == 1 {
                // An answer with XOR-MAPPED-ADDRESS (RFC 8489 §14.2).
                let port = UInt16(bigEndian: address.sin_port) ^ 0x2112
                let host = withUnsafeBytes(of: address.sin_addr) { Array($0) }
                let mapped: [UInt8] =
                    [0, 1, UInt8(port >> 8), UInt8(port & 0xFF)] + zip(host, [0x21, 0x12, 0xA4, 0x42]).map { $0 ^ $1 }
                send(
                    BareSTUN.message(
                        0x0101, Array(bytes[8..<20]), [(0x0020, mapped)], key: BarePeer.password))
            }
        }

        /// A check that nominates at once (RFC 8445 §7.1).
        private func check() -> [UInt8] {
            BareSTUN.message(
                0x0001, (0..<12).map { _ in UInt8.random(in: 0...255) },
                [
                    (0x0006, Array("\(fragment):\(BarePeer.fragment)".utf8)), (0x0024, [0x6E, 0, 0, 0xFF]),
                    (0x802A, [1, 2, 3, 4, 5, 6, 7, 8]), (0x0025, []),
                ], key: password)
        }

        private func send(_ bytes: [UInt8]) {
            var address = address
            _ = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    sendto(descriptor, bytes, bytes.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        }
    }
}

/// STUN messages with integrity and fingerprint (RFC 8489 §14).
private enum BareSTUN {
    static func message(_ type: UInt16, _ transaction: [UInt8], _ attributes: [(UInt16, [UInt8])], key: String)
        -> [UInt8]
    {
        var body: [UInt8] = []
        for (type, value) in attributes { body += attribute(type, value) }
        let signed = header(type, body.count + 24, transaction) + body
        var code = [UInt8](repeating: 0, count: 20)
        var count: UInt32 = 0
        let secret = Array(key.utf8)
        _ = HMAC(EVP_sha1(), secret, Int32(secret.count), signed, signed.count, &code, &count)
        body += attribute(0x0008, code)
        let marked = header(type, body.count + 8, transaction) + body
        let print = checksum(marked) ^ 0x5354_554E
        return marked + attribute(0x8028, (0..<4).map { UInt8(truncatingIfNeeded: print >> (24 - 8 * $0)) })
    }

    private static func header(_ type: UInt16, _ length: Int, _ transaction: [UInt8]) -> [UInt8] {
        [UInt8(type >> 8), UInt8(type & 0xFF), UInt8(length >> 8), UInt8(length & 0xFF), 0x21, 0x12, 0xA4, 0x42]
            + transaction
    }

    private static func attribute(_ type: UInt16, _ value: [UInt8]) -> [UInt8] {
        [UInt8(type >> 8), UInt8(type & 0xFF), UInt8(value.count >> 8), UInt8(value.count & 0xFF)] + value
            + [UInt8](repeating: 0, count: (4 - value.count % 4) % 4)
    }

    /// CRC-32 of ISO 3309.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var value: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            value ^= UInt32(byte)
            for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
        }
        return ~value
    }
}

/// The server's side of a DTLS handshake for SRTP, over memory.
private final class BareDTLS {
    private let context: OpaquePointer
    private let ssl: OpaquePointer
    private let incoming: OpaquePointer
    private let outgoing: OpaquePointer

    init(_ certificate: TestAuthority.Server) throws {
        guard let context = SSL_CTX_new(DTLS_method()), let ssl = Self.session(context, certificate),
            let incoming = BIO_new(BIO_s_mem()), let outgoing = BIO_new(BIO_s_mem())
        else { throw Overdue("No DTLS.") }
        (self.context, self.ssl, self.incoming, self.outgoing) = (context, ssl, incoming, outgoing)
        SSL_set_bio(ssl, incoming, outgoing)
        SSL_set_accept_state(ssl)
        // SSL_OP_NO_QUERY_MTU, SSL_CTRL_SET_MTU
        SSL_set_options(ssl, 1 << 12)
        SSL_ctrl(ssl, 17, 1_200, nil)
    }

    deinit {
        SSL_free(ssl)
        SSL_CTX_free(context)
    }

    private static func session(_ context: OpaquePointer, _ certificate: TestAuthority.Server) -> OpaquePointer? {
        guard SSL_CTX_use_certificate_chain_file(context, certificate.certificate) == 1,
            SSL_CTX_use_PrivateKey_file(context, certificate.key, 1) == 1,
            SSL_CTX_set_tlsext_use_srtp(context, "SRTP_AES128_CM_SHA1_80") == 0
        else { return nil }
        return SSL_new(context)
    }

    func receive(_ datagram: [UInt8]) -> [[UInt8]] {
        BIO_write(incoming, datagram, Int32(datagram.count))
        return advance()
    }

    /// What is to be sent again.
    func wait() -> [[UInt8]] {
        // DTLS_CTRL_HANDLE_TIMEOUT
        SSL_ctrl(ssl, 74, 0, nil)
        return taken()
    }

    private func advance() -> [[UInt8]] {
        ERR_clear_error()
        if SSL_do_handshake(ssl) == 1 {
            var buffer = [UInt8](repeating: 0, count: 2_048)
            _ = SSL_read(ssl, &buffer, Int32(buffer.count))
        }
        return taken()
    }

    private func taken() -> [[UInt8]] {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let count = BIO_read(outgoing, &buffer, Int32(buffer.count))
        return count > 0 ? [Array(buffer[..<Int(count)])] : []
    }
}
