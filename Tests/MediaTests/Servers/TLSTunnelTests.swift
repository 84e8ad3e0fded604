import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Media
@testable import MediaRules

/// The tunnel alone, with OpenSSL's program as the server at its other end.
@Suite(.serialized, .timeLimit(.minutes(5))) struct TLSTunnelTests {
    private let folder: TemporaryFolder
    private let authority: TestAuthority

    init() throws {
        folder = try TemporaryFolder()
        authority = try TestAuthority(folder.path)
    }

    /// A TLS server on a free port that gives each line back reversed.
    private func server(
        _ names: [String] = ["IP:127.0.0.1"], hasRunOut: Bool = false, _ more: [String] = []
    ) async throws -> (port: UInt16, process: ChildProcess) {
        let certificate = try authority.issue(names, hasRunOut: hasRunOut)
        let process = try ChildProcess(
            "/usr/bin/env",
            [
                "openssl", "s_server", "-rev", "-accept", "127.0.0.1:0", "-cert", certificate.certificate, "-key",
                certificate.key,
            ]
                + more, folder: folder.path)
        let line = try await process.line { $0.hasPrefix("ACCEPT ") }
        return (try #require(line.split(separator: ":").last.flatMap { UInt16($0) }), process)
    }

    private func tunnel(
        _ port: UInt16, host: String = "127.0.0.1", trusting: Bool = true, limits: TunnelLimits = TunnelLimits(),
        _ failures: Failures = Failures()
    ) throws -> TLSTunnel {
        try TLSTunnel(
            to: try ICEServerURL(parsing: "turns:\(host):\(port)"), authorities: trusting ? authority.certificate : nil,
            limits: limits
        ) { failures.add($0) }
    }

    /// What a tunnel reported.
    final class Failures: Sendable {
        private let list = Mutex<[RelayServerError]>([])
        var all: [RelayServerError] { list.withLock { $0 } }
        func add(_ error: RelayServerError) { list.withLock { $0.append(error) } }
    }

    @Test func `bytes go both ways unchanged, more of them than fit into its queues`() async throws {
        let server = try TLSEcho(try authority.issue(["IP:127.0.0.1"]))
        let tunnel = try tunnel(server.port, limits: TunnelLimits(bytesWaiting: 8_192))
        let plug = try Plug(tunnel.place)
        var generator = SeededGenerator(seed: 5)
        let lines = (0..<200).map { _ in
            generator.bytes(Int.random(in: 1...12_000, using: &generator)).map { UInt8(ascii: "a") + $0 % 26 }
        }
        // A thread that blocks: on a small machine all tasks of a test have one between them.
        DetachedThread.start { for line in lines { try? plug.send(line + [UInt8(ascii: "\n")]) } }
        for line in lines { #expect(try plug.receiveLine() == line) }
        plug.close()
        try await waitUntil("the connection is over") { tunnel.connections == 0 }
        tunnel.close()
    }

    @Test func `whoever sends more than the server takes has to wait, and the tunnel keeps no more than its queue`()
        async throws
    {
        let server = try await server()
        let tunnel = try tunnel(server.port)
        let plug = try Plug(tunnel.place)
        // The handshake is over once a line came back.
        try plug.send(Array("ab\n".utf8))
        #expect(try plug.receiveLine() == Array("ba".utf8))
        server.process.signal(SIGSTOP)
        let sent = plug.sendUntilItBlocks(limit: 64 << 20)
        server.process.signal(SIGCONT)
        // Two sockets' buffers and one queue, on any machine less than this.
        #expect(sent < 32 << 20)
        tunnel.close()
    }

    @Test func `the end of one side is the end of the other`() async throws {
        let server = try await server()
        let tunnel = try tunnel(server.port)
        let plug = try Plug(tunnel.place)
        try plug.send(Array("ab\n".utf8))
        #expect(try plug.receiveLine() == Array("ba".utf8))
        server.process.signal(SIGKILL)
        #expect(plug.isEnded())
        try await waitUntil("the connection is over") { tunnel.connections == 0 }
        tunnel.close()
    }

    @Test func `closing the tunnel ends its connections and lets nobody in`() async throws {
        let server = try await server()
        let failures = Failures()
        let tunnel = try tunnel(server.port, failures)
        let plug = try Plug(tunnel.place)
        try plug.send(Array("ab\n".utf8))
        #expect(try plug.receiveLine() == Array("ba".utf8))
        tunnel.close()
        #expect(plug.isEnded())
        try await waitUntil("nobody listens") { (try? Plug(tunnel.place)) == nil }
        #expect(failures.all == [])
    }

    @Test func `another process is not let in`() async throws {
        let server = try await server()
        let tunnel = try tunnel(server.port)
        let port = try #require(tunnel.place.split(separator: ":").last)
        let stranger = try ChildProcess(
            "/bin/bash", ["-c", "exec 3<>/dev/tcp/127.0.0.1/\(port); echo ab >&3; cat <&3; echo over"],
            folder: folder.path)
        _ = try await stranger.line { $0 == "over" }
        #expect(stranger.lines == ["over"])
        #expect(!server.process.lines.contains { $0.contains("CIPHER") })
        tunnel.close()
    }

    @Test func `no more come in than are needed`() async throws {
        let server = try await server()
        let tunnel = try tunnel(server.port)
        let plugs = try (0..<TLSTunnel.maximumConnections).map { _ in try Plug(tunnel.place) }
        try await waitUntil("all are in") { tunnel.connections == TLSTunnel.maximumConnections }
        let tooMany = try Plug(tunnel.place)
        #expect(tooMany.isEnded())
        for plug in plugs { plug.close() }
        tunnel.close()
    }

    @Test func `a certificate of an unknown authority is refused before a byte of the client's has left`() async throws
    {
        let server = try await server()
        try await expectFailure(server.port, trusting: false) { if case .certificate = $0 { true } else { false } }
        #expect(!server.process.lines.contains { $0.contains("CIPHER") })
    }

    @Test func `a certificate for another name is refused`() async throws {
        let server = try await server(["DNS:localhost", "IP:127.0.0.2"])
        try await expectFailure(server.port) {
            if case .certificate(_, let reason) = $0 { reason.contains("mismatch") } else { false }
        }
    }

    @Test func `a name in the certificate is compared with the name asked for`() async throws {
        let server = try await server(["DNS:localhost"])
        let tunnel = try tunnel(server.port, host: "localhost")
        let plug = try Plug(tunnel.place)
        try plug.send(Array("ab\n".utf8))
        #expect(try plug.receiveLine() == Array("ba".utf8))
        tunnel.close()
    }

    @Test func `a certificate that has run out is refused`() async throws {
        let server = try await server(hasRunOut: true)
        try await expectFailure(server.port) {
            if case .certificate(_, let reason) = $0 { reason.contains("expired") } else { false }
        }
    }

    @Test func `versions of TLS before 1_2 are refused`() async throws {
        let server = try await server(["IP:127.0.0.1"], hasRunOut: false, ["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"])
        try await expectFailure(server.port) { if case .handshake = $0 { true } else { false } }
    }

    @Test func `a server that is not there is told`() async throws {
        try await expectFailure(9) { if case .unreachable = $0 { true } else { false } }
    }

    @Test func `a server that speaks no TLS is told`() async throws {
        let process = try ChildProcess(
            "/usr/bin/env",
            ["openssl", "s_server", "-accept", "127.0.0.1:0", "-nocert", "-psk", "00", "-tls1_2", "-quiet"],
            folder: folder.path)
        defer { process.signal(SIGKILL) }
        // A port that answers and says nothing of use: a tunnel's own.
        let other = try await server()
        let plain = try tunnel(other.port)
        let port = try #require(plain.place.split(separator: ":").last.flatMap { UInt16($0) })
        try await expectFailure(port, limits: TunnelLimits(setUp: .milliseconds(1_500))) {
            if case .handshake = $0 { true } else { false }
        }
        plain.close()
    }

    @Test func `authorities that can't be read are told at once`() throws {
        #expect(throws: RelayServerError.authorities("/nowhere.pem")) {
            try TLSTunnel(to: try ICEServerURL(parsing: "turns:x"), authorities: "/nowhere.pem") { _ in }
        }
    }

    private func expectFailure(
        _ port: UInt16, trusting: Bool = true, limits: TunnelLimits = TunnelLimits(),
        _ isExpected: @escaping @Sendable (RelayServerError) -> Bool
    ) async throws {
        let failures = Failures()
        let tunnel = try tunnel(port, trusting: trusting, limits: limits, failures)
        let plug = try Plug(tunnel.place)
        try? plug.send(Array("secret\n".utf8))
        try await waitUntil("a failure is told") { !failures.all.isEmpty }
        #expect(failures.all.allSatisfy(isExpected), "\(failures.all)")
        #expect(plug.isEnded())
        // A second connection fails as well and is not told again.
        let again = try Plug(tunnel.place)
        #expect(again.isEnded())
        #expect(failures.all.count == 1)
        tunnel.close()
    }
}

/// A blocking TCP connection to a place such as `127.0.0.1:99`.
final class Plug: Sendable {
    private let descriptor: Int32
    private let waiting = Mutex<[UInt8]>([])

    struct Failure: Error {
        let code: Int32
    }

    init(_ place: String) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = (place.split(separator: ":").last.flatMap { UInt16($0) } ?? 0).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let descriptor = descriptor
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Failure(code: errno) }
        // Whoever waits in vain is to fail, not to hang.
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { Foundation.close(descriptor) }

    func close() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Failure(code: errno) }
            rest = rest.dropFirst(count)
        }
    }

    /// Sends until nothing is taken for half a second; answers how many bytes were.
    func sendUntilItBlocks(limit: Int) -> Int {
        let block = [UInt8](repeating: UInt8(ascii: "x"), count: 65_536)
        var sent = 0
        while sent < limit {
            var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            guard poll(&ready, 1, 500) == 1 else { return sent }
            let count = block.withUnsafeBytes {
                Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            }
            guard count > 0 else { return sent }
            sent += count
        }
        return sent
    }

    /// The next line without its end.
    func receiveLine() throws -> [UInt8] {
        while true {
            let line = waiting.withLock { waiting -> [UInt8]? in
                guard let end = waiting.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
                defer { waiting.removeSubrange(...end) }
                return Array(waiting[..<end])
            }
            if let line { return line }
            var block = [UInt8](repeating: 0, count: 65_536)
            let count = recv(descriptor, &block, block.count, 0)
            guard count > 0 else { throw Failure(code: errno) }
            waiting.withLock { $0 += block[..<count] }
        }
    }

    /// Whether the other side ends the connection, having sent nothing more.
    func isEnded() -> Bool {
        var byte: UInt8 = 0
        let count = recv(descriptor, &byte, 1, 0)
        return count == 0 || count < 0 && errno == ECONNRESET
    }
}
