import Foundation
import Synchronization
import TestSupport

/// A forwarding server of another project, Janus, in a network of its own: it never uses the loopback interface for media.
final class JanusServer: Sendable {
    /// Why there can't be one here; nil when there can.
    static let obstacle: String? = {
        guard geteuid() == 0 else { return "Network namespaces need root." }
        for (path, package) in [
            ("/usr/bin/janus", "janus"), ("/usr/sbin/nft", "nftables"), ("/usr/sbin/ip", "iproute2"),
        ] where !FileManager.default.isExecutableFile(atPath: path) {
            return "\(path) is not installed (package \(package))."
        }
        let name = "parley-look-\(getpid())"
        defer { _ = run("ip netns del \(name)") }
        return run("ip netns add \(name)") ? nil : "Nobody may make a network namespace here."
    }()

    /// Where it is reached.
    let address: String
    let port: UInt16 = 8_088
    private let mark: String
    private let folder: TemporaryFolder
    private let process: ChildProcess
    private let isStopped = Atomic(false)

    /// Starts one and waits until it answers.
    init() async throws {
        folder = try TemporaryFolder()
        let number = UInt16.random(in: 0..<16_384)
        mark = "\(getpid())-\(number)"
        // A network of four addresses for each.
        let base = "10.199.\(number / 64)"
        let first = Int(number % 64) * 4
        address = "\(base).\(first + 2)"
        let (name, device) = ("parley-janus-\(mark)", "pj\(number)")
        let commands = [
            "ip netns add \(name)", "ip -n \(name) link set lo up",
            "ip link add \(device) type veth peer name janus netns \(name)",
            "ip addr add \(base).\(first + 1)/30 dev \(device)", "ip link set \(device) up",
            "ip -n \(name) addr add \(address)/30 dev janus", "ip -n \(name) link set janus up",
        ]
        for command in commands where !Self.run(command) { throw Failure(what: command) }
        try Self.write(Self.settings, to: folder.file("janus.jcfg"))
        try Self.write(
            "general: { json = \"compact\" http = true port = 8088 ip = \"\(address)\" https = false }\n",
            to: folder.file("janus.transport.http.jcfg"))
        try Self.write("general: { lock_rtp_forward = true }\n", to: folder.file("janus.plugin.videoroom.jcfg"))
        process = try ChildProcess(
            "/usr/bin/env",
            [
                "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "ip", "netns", "exec", name, "janus", "-F", folder.path, "-C",
                folder.file("janus.jcfg"),
            ], folder: folder.path)
        let (address, port) = (self.address, self.port)
        try await waitUntil("Janus answers", within: .seconds(30)) {
            (try? await HTTPCall.get("/janus/info", from: address, port)) != nil
        }
    }

    deinit { stop() }

    /// Ends it, and its network.
    func stop() {
        guard !isStopped.exchange(true, ordering: .relaxed) else { return }
        process.signal(SIGKILL)
        _ = process.waitForEnd()
        _ = Self.run("nft delete table inet parley_\(mark.replacing("-", with: "_"))")
        _ = Self.run("ip netns del parley-janus-\(mark)")
    }

    /// Has so many of a hundred packets of media get lost, each way.
    func lose(_ percent: Int) throws {
        let (table, name) = ("parley_\(mark.replacing("-", with: "_"))", "parley-janus-\(mark)")
        let device = "pj\(mark.split(separator: "-").last ?? "")"
        let rule = "meta l4proto udp " + (percent < 100 ? "numgen random mod 100 < \(percent) drop" : "drop")
        let commands = [
            "nft add table inet \(table)",
            "nft add chain inet \(table) in { type filter hook input priority 0 ; }",
            "nft add rule inet \(table) in iifname \(device) \(rule)",
            "ip netns exec \(name) nft add table inet \(table)",
            "ip netns exec \(name) nft add chain inet \(table) in { type filter hook input priority 0 ; }",
            "ip netns exec \(name) nft add rule inet \(table) in \(rule)",
        ]
        for command in commands where !Self.run(command) { throw Failure(what: command) }
    }

    /// Has nothing get lost any more.
    func heal() throws {
        let (table, name) = ("parley_\(mark.replacing("-", with: "_"))", "parley-janus-\(mark)")
        for command in ["nft delete table inet \(table)", "ip netns exec \(name) nft delete table inet \(table)"]
        where !Self.run(command) { throw Failure(what: command) }
    }

    /// What it has said.
    var log: String { process.lines.joined(separator: "\n") + process.errors }

    struct Failure: Error { let what: String }

    private static func write(_ text: String, to path: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path))
    }

    private static func run(_ command: String) -> Bool {
        guard let folder = try? TemporaryFolder(),
            let process = try? ChildProcess(
                "/usr/bin/env",
                ["PATH=/usr/sbin:/usr/bin:/sbin:/bin"] + command.split(separator: " ").map(String.init),
                folder: folder.path)
        else { return false }
        return process.waitForEnd() == 0
    }

    private static let settings: String = {
        let root = "/usr/lib/x86_64-linux-gnu/janus"
        func others(_ kind: String, but wanted: String) -> String {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(root)/\(kind)")) ?? []
            return names.filter { $0.hasSuffix(".so") && $0 != wanted }.sorted().joined(separator: ",")
        }
        return """
            general: {
              plugins_folder = "\(root)/plugins"
              transports_folder = "\(root)/transports"
              events_folder = "\(root)/events"
              loggers_folder = "\(root)/loggers"
              debug_level = 4
              session_timeout = 60
              reclaim_session_timeout = 20
            }
            media: { rtp_port_range = "20000-20999"  twcc_period = 50 }
            plugins: { disable = "\(others("plugins", but: "libjanus_videoroom.so"))" }
            transports: { disable = "\(others("transports", but: "libjanus_http.so"))" }
            loggers: { disable = "libjanus_jsonlog.so" }
            events: { broadcast = false }

            """
    }()
}

/// One request over HTTP/1.0 on a connection of its own: answers are not in chunks then.
enum HTTPCall {
    struct Failure: Error { let what: String }

    static func get(_ path: String, from address: String, _ port: UInt16) async throws -> Data {
        try await send("GET \(path) HTTP/1.0\r\nHost: \(address)\r\n\r\n", to: address, port)
    }

    static func post(_ path: String, _ body: Data, to address: String, _ port: UInt16) async throws -> Data {
        let head =
            "POST \(path) HTTP/1.0\r\nHost: \(address)\r\nContent-Length: \(body.count)\r\n\r\n"
        return try await send(head + String(decoding: body, as: UTF8.self), to: address, port)
    }

    private static func send(_ text: String, to address: String, _ port: UInt16) async throws -> Data {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(with: Result { try exchange(Array(text.utf8), with: address, port) })
            }
        }
    }

    private static func exchange(_ bytes: [UInt8], with host: String, _ port: UInt16) throws -> Data {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        inet_pton(AF_INET, host, &address.sin_addr)
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { throw Failure(what: "no connection") }
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Failure(what: "not sent") }
            sent += count
        }
        var (answer, block) = (Data(), [UInt8](repeating: 0, count: 65_536))
        while true {
            let count = recv(descriptor, &block, block.count, 0)
            guard count > 0 else { break }
            answer.append(contentsOf: block[..<count])
        }
        guard let end = answer.firstRange(of: Data("\r\n\r\n".utf8)), answer.prefix(12).suffix(4) == Data(" 200".utf8)
        else {
            throw Failure(what: String(decoding: answer.prefix(80), as: UTF8.self))
        }
        return Data(answer[end.upperBound...])
    }
}
