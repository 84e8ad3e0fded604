import BaseKit
import Foundation
import NetworkEmulation

/// A Janus of a measured call's own, in a process that ends with this one and with files that go with it.
final class MeasuredJanus: Sendable {
    private struct State {
        var isUp = false
        var hasEnded = false
        var lastWords = "it said nothing"
    }

    private final class Shared: Sendable {
        let state = Lock(State())
    }

    /// Keeps its standard input open as long as this process lives, and ends when that closes.
    private static let script = #"""
        exec 3<&0
        "$@" 3<&- </dev/null &
        program=$!
        # What this shell says of its end is of no interest.
        exec 2>/dev/null
        { cat <&3; kill -KILL "$program"; } >/dev/null &
        wait "$program"
        kill -KILL $!
        """#

    private let folder: TemporaryFolder
    private let settings: JanusSettings
    private let program: PipedProgram
    private let shared: Shared

    /// Looks for the program where programs are looked for. Throws ``BenchError/janusMissing``.
    static func find(in path: String?) throws(BenchError) -> String {
        let found = (path ?? "/usr/bin").split(separator: ":").map { "\($0)/janus" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
        guard let found else { throw .janusMissing }
        return found
    }

    /// Starts the program on a free port; on one side of an emulated link, with TLS, or on this machine's loopback.
    ///
    /// Throws ``BenchError/networkMissing`` where it could send no media, ``BenchError/janusFailed(_:)`` when it does not answer.
    static func start(_ program: String, in side: NetworkEmulator.Side?) async throws -> MeasuredJanus {
        guard side != nil || hasNetwork else { throw BenchError.networkMissing }
        let folder = try TemporaryFolder(in: nil)
        var settings = JanusSettings(
            folder: folder.path, host: side?.address ?? "127.0.0.1", port: try freePort(), roomKey: UUID().uuidString)
        settings.modules = JanusSettings.installedModules()
        // Only this machine's loopback is spoken to without TLS.
        if let side { settings.certificate = try certificate(for: side.address, in: folder.path) }
        for (name, text) in settings.files {
            try Data(text.utf8).write(to: URL(filePath: folder.path + "/" + name))
        }
        let janus = try MeasuredJanus(program, settings, folder: folder, prefix: side?.prefix ?? [])
        do { try await janus.answers() } catch {
            janus.stop()
            throw error
        }
        return janus
    }

    private init(
        _ name: String, _ settings: JanusSettings, folder: consuming TemporaryFolder, prefix: [String]
    ) throws {
        let shared = Shared()
        (self.shared, self.settings) = (shared, settings)
        program = try PipedProgram(
            prefix + ["bash", "-c", Self.script, "bash", name, "-F", settings.folder, "-C", settings.path],
            environment: ProcessInfo.processInfo.environment, separator: UInt8(ascii: "\n")
        ) { line in
            shared.state.withLock { state in
                guard let line else {
                    state.hasEnded = true
                    return
                }
                let text = String(decoding: line, as: UTF8.self)
                if text.contains("WebSockets thread started") { state.isUp = true }
                if !text.isEmpty { state.lastWords = text }
            }
        }
        self.folder = folder
    }

    /// It and what it needs.
    var process: Int32 { program.process }

    /// A room on it that is yet to be made.
    func room() -> MeasuredRoom {
        MeasuredRoom(
            address: settings.address, authorities: settings.certificate?.certificate, roomKey: settings.roomKey)
    }

    func stop() { program.stop() }

    private func answers() async throws {
        let limit = Instant.now + .seconds(20)
        while Instant.now < limit {
            let state = shared.state.withLock { $0 }
            if state.isUp { return }
            if state.hasEnded { throw BenchError.janusFailed(state.lastWords) }
            try await Task.sleep(for: .milliseconds(2))
        }
        throw BenchError.janusFailed("it does not answer")
    }

    /// Whether this machine has an address of IPv4 besides loopback: Janus never uses that for media.
    static var hasNetwork: Bool {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return false }
        defer { freeifaddrs(list) }
        var next = list
        while let entry = next {
            next = entry.pointee.ifa_next
            let flags = Int(entry.pointee.ifa_flags)
            guard flags & Int(IFF_UP) != 0, flags & Int(IFF_LOOPBACK) == 0 else { continue }
            if entry.pointee.ifa_addr?.pointee.sa_family == sa_family_t(AF_INET) { return true }
        }
        return false
    }

    /// A port of loopback that nobody has.
    private static func freePort() throws(BenchError) -> UInt16 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
            }
        }
        guard isBound else { throw .janusFailed("no port is free") }
        return UInt16(bigEndian: address.sin_port)
    }

    /// A certificate that vouches for itself, made by OpenSSL's program.
    private static func certificate(for address: String, in folder: String) throws -> JanusSettings.Certificate {
        let files = JanusSettings.Certificate(certificate: folder + "/server.pem", key: folder + "/server.key")
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj",
            "/CN=parley-bench", "-addext", "subjectAltName=IP:\(address)", "-days", "2", "-keyout", files.key, "-out",
            files.certificate,
        ]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw BenchError.janusFailed("openssl makes no certificate") }
        return files
    }
}
