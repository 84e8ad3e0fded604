import Foundation
import TestSupport
import Testing

/// `parley-cli doctor` on a machine as it is, and on one that lacks something.
@Suite(.serialized, .timeLimit(.minutes(5))) struct DoctorProcessTests {
    private let checks = [
        "elements", "devices", "portal", "keyring", "settings", "relay", "server", "callServer", "clock",
    ]

    @Test(.needs(TURNServer.obstacle))
    func `everything that calls need is a line`() async throws {
        let town = try await Town()
        let turn = try await TURNServer(town.folder, login: .user("ada", password: "right"))
        let file = town.folder.file("servers")
        let lines = [
            "stun:127.0.0.1:\(turn.port)", "turn:127.0.0.1:\(turn.port)?transport=tcp user ada right",
            "turn:127.0.0.1:\(turn.port) user ada wrong",
        ]
        try lines.joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
        let process = try town.start("doctor", "--json", "--relay", town.relay, "--call-servers", file)
        #expect(try await process.exitStatus() == 1, "\(process.errors)")
        let events = try process.events()
        let found = events.filter { $0.name == "check" }
        var order: [String] = []
        for event in found {
            let check = try #require(event["check"] as? String)
            if order.last != check { order.append(check) }
            #expect(try #require(event["message"] as? String).hasSuffix("."))
        }
        #expect(order == checks)
        func states(_ check: String) -> [String?] {
            found.filter { $0["check"] as? String == check }.map { $0["state"] as? String }
        }
        #expect(states("elements").first == "ok")
        #expect(states("devices").count == 3)
        #expect(states("portal").count == 2)
        #expect(states("relay") == ["ok"])
        #expect(states("server") == ["ok", "ok", "problem"])
        let servers = found.filter { $0["check"] as? String == "server" }.compactMap { $0["message"] as? String }
        #expect(servers[0].hasPrefix("It sees this machine at 127.0.0.1:"))
        #expect(servers[1].contains(" and relays at 127.0.0.1:"))
        #expect(servers[2].contains("refuses the user name or password"))
        #expect(events.last?.name == "doctor")
        #expect(events.last?["problems"] as? Int == 1)
        #expect(!process.lines.joined().contains("right"))
    }

    @Test func `a profile's relay is tried and a line says so`() async throws {
        let town = try await Town()
        try await town.introduce("A", "B")
        let process = try town.start("doctor", "--profile", town.folder.file("A"))
        _ = try await process.exitStatus()
        #expect(process.lines.contains { $0.hasPrefix("[ok] relay \(town.relay): The relay speaks SMP 17") })
        #expect(process.lines.contains { $0.hasPrefix("[skipped] server: ") })
        for check in checks {
            #expect(process.lines.contains { $0.contains("] \(check):") || $0.contains("] \(check) ") }, "\(check)")
        }
    }

    @Test func `a call server that is named is tried, and so is the one that the profile remembers`() async throws {
        let town = try await Town()
        try await town.introduce("A", "B")
        let keys = town.folder.file("keys")
        try "room-key hush\n".write(toFile: keys, atomically: true, encoding: .utf8)
        let named = try town.start("doctor", "--json", "--janus", "ws://127.0.0.1:1/", "--janus-keys", keys)
        #expect(try await named.exitStatus() == 1)
        let setting = try town.start(town.profile("A") + ["servers", "--janus", "ws://127.0.0.1:2/"])
        #expect(try await setting.exitStatus() == 0, "\(setting.errors)")
        let kept = try town.start("doctor", "--json", "--profile", town.folder.file("A"))
        #expect(try await kept.exitStatus() == 1)
        for (process, port) in [(named, 1), (kept, 2)] {
            let found = try process.events().filter { $0["check"] as? String == "callServer" }
            #expect(found.map { $0["state"] as? String } == ["problem"])
            #expect(found.map { $0["subject"] as? String } == ["ws://127.0.0.1:\(port)/"])
            #expect(!process.lines.joined().contains("hush"))
        }
    }

    @Test(.needs(JanusServer.obstacle))
    func `media are sent through a call server and come back`() async throws {
        let town = try await Town()
        let folder = try TemporaryFolder()
        let janus = try await JanusServer(folder)
        defer { janus.stop() }
        let keys = town.folder.file("keys")
        try "room-key \(janus.keys.room ?? "")\n".write(toFile: keys, atomically: true, encoding: .utf8)
        let process = try town.start("doctor", "--json", "--janus", janus.address, "--janus-keys", keys)
        _ = try await process.exitStatus()
        let found = try #require(try process.events().first { $0["check"] as? String == "callServer" })
        #expect(found["state"] as? String == "ok", "\(found.line)")
        let message = try #require(found["message"] as? String)
        #expect(message.contains("directly"))
    }

    @Test func `what is missing is a problem with its package`() async throws {
        let folder = try TemporaryFolder()
        let plugins = try HiddenPlugins("gstwebrtc", "gstpipewire")
        defer { withExtendedLifetime(plugins) {} }
        let process = try ChildProcess(
            "/usr/bin/env", plugins.settings + [ChildProcess.built("parley-cli"), "doctor"], folder: folder.path)
        #expect(try await process.exitStatus() == 1)
        #expect(
            process.lines.contains {
                $0.hasPrefix("[problem] elements: ") && $0.contains("“webrtcbin” is missing; install")
            })
        let less = try HiddenPlugins("gstpipewire")
        defer { withExtendedLifetime(less) {} }
        let second = try ChildProcess(
            "/usr/bin/env", less.settings + [ChildProcess.built("parley-cli"), "doctor"], folder: folder.path)
        #expect(try await second.exitStatus() == 0, "\(second.lines)")
        #expect(second.lines.contains { $0.hasPrefix("[warning] elements portal: ") && $0.contains("nstall ") })
        #expect(try #require(second.lines.last).hasPrefix("No problems, "))
    }

    @Test func `a profile that is not there is an error and is not made`() async throws {
        let folder = try TemporaryFolder()
        let process = try ChildProcess(
            ChildProcess.built("parley-cli"), ["doctor", "--profile", folder.file("X")], folder: folder.path)
        #expect(try await process.exitStatus() == 1)
        #expect(process.errors.contains(folder.file("X")))
        #expect(!FileManager.default.fileExists(atPath: folder.file("X")))
    }

    @Test func `damaged settings are told and not touched`() async throws {
        let town = try await Town()
        try await town.introduce("A", "B")
        let file = town.folder.file("A") + "/settings.json"
        try "{".write(toFile: file, atomically: false, encoding: .utf8)
        let process = try town.start("doctor", "--profile", town.folder.file("A"))
        #expect(try await process.exitStatus() == 1)
        #expect(process.lines.contains { $0.hasPrefix("[problem] settings \(file): ") && $0.contains("backup") })
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "{")
        #expect(!FileManager.default.fileExists(atPath: file + ".damaged"))
    }
}
