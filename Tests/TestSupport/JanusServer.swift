import Foundation

/// A running Janus with rooms for video calls, for as long as the object lives. It takes WebSockets on the loopback, or in a network
/// namespace at an address there; media never go over the loopback, but over the interface of machine or namespace.
public final class JanusServer: Sendable {
    /// What it wants to see.
    public struct Keys: Sendable {
        /// The key for making rooms.
        public var room: String?
        /// The secret of tokens.
        public var token: String?

        public init(room: String? = "create", token: String? = nil) { (self.room, self.token) = (room, token) }
    }

    /// How long it keeps what it hears nothing of, in seconds.
    public struct Patience: Sendable {
        /// A session without a word.
        public var session: Int
        /// A session whose connection was lost.
        public var reclaim: Int

        public init(session: Int = 60, reclaim: Int = 20) { (self.session, self.reclaim) = (session, reclaim) }
    }

    /// The port for `ws`, and that for `wss` if there is a certificate.
    public let port: UInt16
    public let securePort: UInt16
    public let keys: Keys
    private let process: ChildProcess

    /// The program; nil where it is not installed.
    public static let program = ["/usr/bin/janus", "/usr/local/bin/janus"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// Why there can't be one here; nil when there can.
    public static var obstacle: String? { program == nil ? "Janus is not installed (package janus)." : nil }

    /// Starts one with its files in `folder`, which it has for itself.
    /// - Parameters:
    ///   - port: that of one that was there before, or a free one.
    ///   - prefix: words before the command, such as those that enter a network namespace; `address` is then of that.
    ///   - rooms: without them it is a Janus that has nothing to offer.
    public init(
        _ folder: TemporaryFolder, address: String = "127.0.0.1", port: UInt16? = nil, keys: Keys = Keys(),
        patience: Patience = Patience(), certificate: TestAuthority.Server? = nil, rooms: Bool = true,
        prefix: [String] = []
    ) async throws {
        let usual: UInt16? = prefix.isEmpty ? nil : 8_188
        self.port = try port ?? usual ?? SilentServer.closedPort()
        securePort = try usual.map { $0 + 1 } ?? SilentServer.closedPort()
        self.keys = keys
        self.address = "ws://\(address):\(self.port)/"
        let settings = Self.settings(
            folder.path, address: address, (self.port, securePort), keys, patience, certificate, rooms: rooms)
        for (name, text) in settings {
            try Data(text.utf8).write(to: URL(fileURLWithPath: folder.file(name)))
        }
        let words = prefix + [Self.program ?? "janus", "-F", folder.path, "-C", folder.file("janus.jcfg")]
        process = try ChildProcess(words[0], Array(words.dropFirst()), folder: folder.path)
        let (process, port, securePort) = (process, self.port, securePort)
        guard prefix.isEmpty else {
            _ = try await process.line { $0.contains("WebSockets thread started") }
            return
        }
        try await waitUntil("Janus answers") {
            guard process.isRunning else { throw Overdue("Janus has ended: \(process.lines.suffix(5))") }
            return Self.answers(address, port) && (certificate == nil || Self.answers(address, securePort))
        }
    }

    /// `ws://127.0.0.1:…/`, or that in its network.
    public let address: String

    /// What it has said so far.
    public var log: [String] { process.lines }

    /// Ends it at once, as a crash would.
    public func kill() async throws {
        process.signal(SIGKILL)
        _ = try await process.exitStatus()
    }

    /// The same, for who can't wait.
    public func stop() {
        process.signal(SIGKILL)
        _ = process.waitForEnd()
    }

    /// The files of its configuration, as docs/groups.md has them, by name.
    private static func settings(
        _ folder: String, address: String, _ ports: (plain: UInt16, secure: UInt16), _ keys: Keys,
        _ patience: Patience, _ certificate: TestAuthority.Server?, rooms: Bool
    ) -> [String: String] {
        let token = keys.token.map { "token_auth = true  token_auth_secret = \"\($0)\"" } ?? ""
        var transport = "general: { ws = true  ws_port = \(ports.plain)  ws_ip = \"\(address)\""
        if let certificate {
            transport += """
                  wss = true  wss_port = \(ports.secure)  wss_ip = "\(address)" }
                certificates: { cert_pem = "\(certificate.certificate)"  cert_key = "\(certificate.key)"
                """
        }
        let room = keys.room.map { "admin_key = \"\($0)\"" } ?? ""
        return [
            "janus.jcfg": """
            general: { configs_folder = "\(folder)"  debug_level = 4  debug_colors = false
              session_timeout = \(patience.session)  reclaim_session_timeout = \(patience.reclaim)  \(token) }
            media: { rtp_port_range = "20000-20999"  twcc_period = 50 }
            plugins: { disable = "\(others("plugins", but: rooms ? "libjanus_videoroom.so" : "libjanus_echotest.so"))" }
            transports: { disable = "\(others("transports", but: "libjanus_websockets.so"))" }
            events: { disable = "\(others("events"))" }
            loggers: { disable = "\(others("loggers"))" }

            """,
            "janus.transport.websockets.jcfg": transport + " }\n",
            "janus.plugin.videoroom.jcfg": "general: { \(room)  lock_rtp_forward = true }\n",
        ]
    }

    /// What it would load of a kind besides what is wanted.
    private static func others(_ kind: String, but wanted: String? = nil) -> String {
        let roots =
            (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib"))?.map { "/usr/lib/\($0)/janus" } ?? []
        let folders = (roots + ["/usr/lib/janus", "/usr/local/lib/janus"]).map { $0 + "/" + kind }
        let names = folders.flatMap { (try? FileManager.default.contentsOfDirectory(atPath: $0)) ?? [] }
        return names.filter { $0.hasSuffix(".so") && $0 != wanted }.sorted().joined(separator: ",")
    }

    private static func answers(_ host: String, _ port: UInt16) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        inet_pton(AF_INET, host, &address.sin_addr)
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
