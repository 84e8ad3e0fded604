import Foundation
import TestSupport
import Testing

/// `parley-cli servers`: what helps calls on their way is set once and shown without its secrets.
@Suite(.timeLimit(.minutes(5))) struct ServersProcessTests {
    @Test func `servers are shown by address and kind of login, also in the next run`() async throws {
        let town = try await Town()
        let file = town.folder.file("servers")
        let lines = [
            "stun:stun.example.org", "turn:turn.example.org user ann hush", "turns:turn.example.org secret shared",
        ]
        try lines.joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
        let setting = try town.start(town.profile("Ann") + ["servers", "--call-servers", file])
        #expect(try await setting.exitStatus() == 0, "\(setting.errors)")
        let showing = try town.start(town.profile("Ann") + ["servers", "--json"])
        #expect(try await showing.exitStatus() == 0, "\(showing.errors)")
        let events = try showing.events()
        let servers = events.filter { $0.name == "server" }
        #expect(
            servers.compactMap { $0["server"] as? String } == lines.map { $0.split(separator: " ")[0] }.map(String.init)
        )
        #expect(servers.compactMap { $0["login"] as? String } == ["none", "user", "secret"])
        #expect(events.last?.name == "routing")
        #expect(events.last?["relayOnly"] as? Bool == false)
        #expect(!showing.lines.contains { $0.contains("hush") || $0.contains("shared") })
    }

    @Test func `the call server is kept until it is taken away, and its keys are not shown`() async throws {
        let town = try await Town()
        let keys = town.folder.file("keys")
        try "room-key hush\ntoken-secret shared".write(toFile: keys, atomically: true, encoding: .utf8)
        func run(_ arguments: [String]) async throws -> [Event] {
            let process = try town.start(town.profile("Ann") + ["servers", "--json"] + arguments)
            #expect(try await process.exitStatus() == 0, "\(process.errors)")
            #expect(!process.lines.contains { $0.contains("hush") || $0.contains("shared") })
            return try process.events().filter { $0.name == "callServer" }
        }
        _ = try await run(["--janus", "wss://sfu.example.org/", "--janus-keys", keys, "--janus-always"])
        let kept = try await run([])
        #expect(kept.map { $0["server"] as? String } == ["wss://sfu.example.org/"])
        #expect(kept.first?["always"] as? Bool == true && kept.first?["roomKey"] as? Bool == true)
        #expect(kept.first?["token"] as? String == "made")
        #expect(try await run(["--no-janus"]).isEmpty)
        #expect(try await run([]).isEmpty)
    }
}
