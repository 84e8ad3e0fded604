import Foundation
import TestSupport
import Testing

@testable import ParleyRelay

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
        let usual = try Settings(queues: .folder("/var/lib/parley-relay")).configuration(password: nil)
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
        let unit = try String(contentsOf: Self.data.appendingPathComponent("parley-relay.service.in"), encoding: .utf8)
        let file = folder.file("parley-relay.service")
        try unit.replacingOccurrences(of: "@bindir@/parley-relay", with: "/usr/bin/env").write(
            toFile: file, atomically: true, encoding: .utf8)
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
        #expect(!String(decoding: complaints, as: UTF8.self).contains("parley-relay.service"))
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
