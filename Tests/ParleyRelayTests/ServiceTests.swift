import Foundation
import NIOCore
import TestSupport
import Testing

@testable import ParleyRelay
@testable import RelaySettings
@testable import SMPTransport

/// The relay as a service of the system: its unit, its example of settings, its word that it is ready.
@Suite(.timeLimit(.minutes(5))) struct ServiceTests {
    private static let data = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("data")

    private static let analyzer: String? =
        FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-analyze")
        ? nil : "systemd-analyze is not installed (package systemd)."

    @Test func `the example of settings is valid`() throws {
        let text = try String(contentsOf: Self.data.appendingPathComponent("relay.toml"), encoding: .utf8)
        let settings = try SettingsFile.parse(text, file: "relay.toml")
        #expect(settings.listen?.count == 2)
    }

    @Test func `what the example comments out are the defaults`() throws {
        let text = try String(contentsOf: Self.data.appendingPathComponent("relay.toml"), encoding: .utf8)
        let lines = text.split(separator: "\n").filter { $0.wholeMatch(of: /# [a-z-]+ = .*/) != nil }
        #expect(lines.count == 22)
        let all = try SettingsFile.parse(lines.map { $0.dropFirst(2) }.joined(separator: "\n"), file: "relay.toml")
        let configuration = try all.configuration(password: nil)
        var defaults = Settings()
        defaults.queues = .folder("/var/lib/parley-relay")
        let usual = try defaults.configuration(password: nil)
        #expect(configuration.quota == usual.quota)
        #expect(configuration.messageLifetime == usual.messageLifetime)
        #expect(configuration.expiryInterval == usual.expiryInterval)
        #expect(configuration.idleTimeout == usual.idleTimeout)
        #expect(configuration.limits == usual.limits)
        #expect(configuration.storeLimits == usual.storeLimits)
        #expect(configuration.outputLimits == usual.outputLimits)
        #expect(configuration.proxy == usual.proxy)
        #expect(configuration.versions == usual.versions)
        #expect(configuration.creation == usual.creation)
        #expect(configuration.stateDirectory == usual.stateDirectory)
    }

    @Test(.needs(analyzer))
    func `the unit is sound`() throws {
        let folder = try TemporaryFolder()
        let complaints = try Self.verify(try Self.unit(in: folder))
        #expect(!complaints.contains("parley-relay.service"))
    }

    @Test(.needs(analyzer))
    func `what a proxy adds to the unit is sound`() throws {
        let folder = try TemporaryFolder()
        let file = try Self.unit(in: folder)
        try FileManager.default.createDirectory(atPath: file + ".d", withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            at: Self.data.appendingPathComponent("parley-relay-proxy.conf"),
            to: URL(fileURLWithPath: file + ".d/parley-relay-proxy.conf"))
        #expect(!(try Self.verify(file)).contains("parley-relay"))
    }

    /// The unit as it is installed, but with a program that is there.
    private static func unit(in folder: TemporaryFolder) throws -> String {
        let unit = try String(contentsOf: data.appendingPathComponent("parley-relay.service.in"), encoding: .utf8)
        let file = folder.file("parley-relay.service")
        try unit.replacingOccurrences(of: "@bindir@/parley-relay", with: "/usr/bin/env").write(
            toFile: file, atomically: true, encoding: .utf8)
        return file
    }

    /// What systemd says of a unit, and that it takes it.
    private static func verify(_ file: String) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/systemd-analyze")
        process.arguments = ["verify", file]
        let output = Pipe()
        process.standardError = output
        process.standardOutput = output
        try process.run()
        let complaints = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return String(decoding: complaints, as: UTF8.self)
    }

    /// Networks that the service of a proxy may not reach: the bytes of an address, and how many bits of it count.
    private func deniedNetworks() throws -> [(address: [UInt8], bits: Int)] {
        // systemd.resource-control(5).
        let names = [
            "localhost": ["127.0.0.0/8", "::1/128"], "link-local": ["169.254.0.0/16", "fe80::/64"],
            "multicast": ["224.0.0.0/4", "ff00::/8"],
        ]
        let text = try String(
            contentsOf: Self.data.appendingPathComponent("parley-relay-proxy.conf"), encoding: .utf8)
        let words = text.split(separator: "\n").filter { $0.hasPrefix("IPAddressDeny=") }
            .flatMap { $0.dropFirst("IPAddressDeny=".count).split(separator: " ").map(String.init) }
        return try words.flatMap { names[$0] ?? [$0] }.map { word in
            let parts = word.split(separator: "/")
            try #require(parts.count == 2)
            var bytes = [UInt8](repeating: 0, count: 16)
            let isV6 = parts[0].contains(":")
            try #require(inet_pton(isV6 ? AF_INET6 : AF_INET, String(parts[0]), &bytes) == 1)
            return (Array(bytes.prefix(isV6 ? 16 : 4)), try #require(Int(parts[1])))
        }
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `the system denies a proxy what it denies itself`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let networks = try deniedNetworks()
        // Beginnings of addresses that mean something.
        let heads: [[UInt8]] = [
            [], [0], [10], [127], [169, 254], [172, 16], [172, 31], [192, 168], [192, 0, 0], [100, 64], [198, 18],
            [224],
            [0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], [0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0, 0],
            [0, 0x64, 0xFF, 0x9B], [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0, 127], [0, 0x64, 0xFF, 0x9B, 0, 1],
            [0x20, 2, 127], [0x20, 1, 0, 0, 10], [0x20, 1, 0, 0], [0xFC], [0xFD], [0xFE, 0x80], [0xFE, 0xBF],
            [0xFE, 0xC0], [0xFF], [0x20, 1], [0x2A],
        ]
        var (local, reachable) = (0, 0)
        for _ in 0..<4_000 {
            let count = Bool.random(using: &random) ? 4 : 16
            let head = heads[Int.random(in: 0..<heads.count, using: &random)].prefix(count)
            let bytes = head + (head.count..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            let text = try #require(self.text(Array(bytes)))
            let isDenied = networks.contains { network in
                network.address.count == count
                    && zip(network.address, bytes).enumerated().allSatisfy { index, pair in
                        let bits = max(0, min(8, network.bits - index * 8))
                        return (pair.0 ^ pair.1) & UInt8(truncatingIfNeeded: 0xFF00 >> bits) == 0
                    }
            }
            if LocalNetworkGate.isLocal(try SocketAddress(ipAddress: text, port: 1)) {
                local += 1
                // ISATAP has its mark within the address, where no prefix reaches.
                #expect(isDenied || Array(bytes.dropFirst(9).prefix(3)) == [0, 0x5E, 0xFE], "\(text)")
            } else if !isDenied {
                reachable += 1
            }
        }
        #expect(local > 100 && reachable > 100)
    }

    private func text(_ bytes: [UInt8]) -> String? {
        var buffer = [CChar](repeating: 0, count: 64)
        guard inet_ntop(bytes.count == 4 ? AF_INET : AF_INET6, bytes, &buffer, 64) != nil else { return nil }
        return buffer.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } }
    }

    @Test(.needs(analyzer))
    func `the unit is confined and bounded`() throws {
        let folder = try TemporaryFolder()
        let unit = try String(contentsOf: Self.data.appendingPathComponent("parley-relay.service.in"), encoding: .utf8)
        for bound in ["MemoryMax=", "TasksMax=", "LimitNOFILE="] { #expect(unit.contains("\n" + bound)) }
        let file = folder.file("parley-relay.service")
        try unit.replacingOccurrences(of: "@bindir@/parley-relay", with: "/usr/bin/env").write(
            toFile: file, atomically: true, encoding: .utf8)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/systemd-analyze")
        // An exposure of 2.0 is still "OK".
        process.arguments = ["security", "--offline=true", "--threshold=20", "--no-pager", file]
        process.standardError = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    @Test func `the service manager hears that the relay is ready`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("notify")
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(bound == 0)
        setenv("NOTIFY_SOCKET", path, 1)
        defer { unsetenv("NOTIFY_SOCKET") }
        ServiceManager.notify("READY=1")
        var buffer = [UInt8](repeating: 0, count: 64)
        let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        #expect(String(decoding: buffer.prefix(max(0, count)), as: UTF8.self) == "READY=1")
    }
}
