import Foundation

/// A running coturn, for as long as the object lives.
public final class TURNServer: Sendable {
    /// How one logs in.
    public enum Login: Sendable {
        case user(String, password: String)
        case secret(String)
    }

    /// The port for UDP and TCP, and the one for TLS.
    public let port: UInt16
    public let securePort: UInt16
    private let process: ChildProcess

    /// The program; nil where it is not installed.
    public static let program = ["/usr/bin/turnserver", "/usr/local/bin/turnserver"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// Why there can't be one here; nil when there can.
    public static var obstacle: String? { program == nil ? "coturn is not installed (package coturn)." : nil }

    /// Starts it on an address, with its files in `folder`. `prefix`: words before the command, such as those that enter a
    /// network namespace; the ports are then the usual ones.
    public init(
        _ folder: TemporaryFolder, address: String = "127.0.0.1", login: Login,
        certificate: TestAuthority.Server? = nil,
        prefix: [String] = []
    ) async throws {
        let isInNamespace = !prefix.isEmpty
        port = isInNamespace ? 3_478 : Self.freePort()
        securePort = isInNamespace ? 5_349 : Self.freePort()
        var words = [
            Self.program ?? "turnserver", "-n", "--listening-ip=\(address)", "--relay-ip=\(address)",
            "--listening-port=\(port)", "--tls-listening-port=\(securePort)", "--realm=parley.test",
            "--allow-loopback-peers", "--allocation-default-address-family=keep", "--no-dtls", "--no-cli",
            "--log-file=stdout", "--simple-log",
            "--new-log-timestamp",
            "--pidfile=\(folder.file("turn.pid"))", "--userdb=\(folder.file("turn.db"))", "--relay-threads=1",
            "--verbose",
        ]
        switch login {
        case .user(let name, let password): words += ["--lt-cred-mech", "--user=\(name):\(password)"]
        case .secret(let secret): words += ["--use-auth-secret", "--static-auth-secret=\(secret)"]
        }
        if let certificate {
            words += ["--cert=\(certificate.certificate)", "--pkey=\(certificate.key)"]
        } else {
            words.append("--no-tls")
        }
        words = prefix + words
        process = try ChildProcess(words[0], Array(words.dropFirst()), folder: folder.path)
        _ = try await process.line(within: .seconds(60)) {
            $0.contains("listener opened on") || $0.contains("Total auth threads")
        }
        // It listens a moment after it says so.
        let process = process
        try await waitUntil("coturn answers", within: .seconds(60)) {
            process.lines.contains { $0.contains("TCP listener opened on") } || Self.answers(address, port)
        }
        // By UDP later still. In a namespace nobody can ask it from here.
        guard !isInNamespace else { return }
        try await waitUntil("coturn answers by UDP", within: .seconds(60)) { Self.answersDatagrams(address, port) }
    }

    /// An IPv4 address of this machine that is not loopback, where there is one: libnice gets no answer by UDP from a server on
    /// loopback while it asks from another interface.
    public static var machineAddress: String {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return "127.0.0.1" }
        defer { freeifaddrs(list) }
        var next = list
        while let entry = next {
            next = entry.pointee.ifa_next
            let flags = Int(entry.pointee.ifa_flags)
            guard flags & Int(IFF_UP) != 0, flags & Int(IFF_LOOPBACK) == 0, let address = entry.pointee.ifa_addr,
                Int32(address.pointee.sa_family) == AF_INET
            else { continue }
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let length = socklen_t(MemoryLayout<sockaddr_in>.size)
            if getnameinfo(address, length, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0 {
                return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            }
        }
        return "127.0.0.1"
    }

    /// What it has said so far.
    public var log: [String] { process.lines }

    /// A TCP and UDP port of the loopback address that nobody has.
    private static func freePort() -> UInt16 {
        for _ in 0..<100 {
            let port = UInt16.random(in: 20_000...30_000)
            if isFree(port, SOCK_STREAM.rawValue), isFree(port, SOCK_DGRAM.rawValue) { return port }
        }
        return 0
    }

    private static func isFree(_ port: UInt16, _ kind: UInt32) -> Bool {
        let descriptor = socket(AF_INET, Int32(kind), 0)
        defer { close(descriptor) }
        return withAddress(machineAddress, port) { bind(descriptor, $0, $1) == 0 } ?? false
    }

    private static func answers(_ address: String, _ port: UInt16) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        return withAddress(address, port) { connect(descriptor, $0, $1) == 0 } ?? false
    }

    /// Whether a STUN Binding request (RFC 8489 §6) is answered within a quarter of a second.
    private static func answersDatagrams(_ address: String, _ port: UInt16) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(descriptor) }
        var limit = timeval(tv_sec: 0, tv_usec: 250_000)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        guard withAddress(address, port, { connect(descriptor, $0, $1) == 0 }) ?? false else { return false }
        let request: [UInt8] = [0, 1, 0, 0, 0x21, 0x12, 0xA4, 0x42] + [UInt8](repeating: 7, count: 12)
        guard send(descriptor, request, request.count, 0) == request.count else { return false }
        var answer = [UInt8](repeating: 0, count: 512)
        return recv(descriptor, &answer, answer.count, 0) > 0
    }

    private static func withAddress<Result>(
        _ text: String, _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result? {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        guard inet_pton(AF_INET, text, &address.sin_addr) == 1 else { return nil }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
    }
}
