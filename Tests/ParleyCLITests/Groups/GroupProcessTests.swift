import Foundation
import TestSupport
import Testing

/// Calls of several between processes, over a relay that is another one.
@Suite(.serialized, .timeLimit(.minutes(5))) struct GroupProcessTests {
    private static let sources = ["--camera", "test", "--microphone", "test", "--low-data", "--json"]

    private static func listen(_ town: Town, _ name: String) async throws -> ChildProcess {
        let process = try town.start(town.profile(name) + ["listen", "--accept", "--statistics"] + sources)
        try await process.event("listening")
        return process
    }

    /// A town in which A knows all others, and they only A. `deafened`: those for whom the relay can be cut off.
    private static func town(_ others: String..., deafened: Set<String> = []) async throws -> Town {
        let town = try await Town(deafened: deafened)
        for other in others { try await town.introduce("A", other) }
        return town
    }

    @Test func `three processes see and hear each other`() async throws {
        let town = try await Self.town("B", "C")
        let listening = [try await Self.listen(town, "B"), try await Self.listen(town, "C")]
        let caller = try town.start(
            town.profile("A") + ["group", "B", "C", "--video", "--commands", "--statistics"] + Self.sources)
        for process in listening { try await process.event("incomingGroup") }
        for process in listening { try await process.hears(2) }
        try await caller.hears(2)
        for process in listening + [caller] { try await process.counts(2) }
        for process in listening + [caller] {
            // Between two pictures and two pieces of sound there is always some time.
            try await waitUntil("how long both pause is told") {
                try process.events().contains {
                    $0["pictureGap"] as? Int ?? 0 > 10 && $0["soundGap"] as? Int ?? 0 > 10
                }
            }
        }
        for process in listening { process.signal(SIGINT) }
        for process in listening { #expect(try await process.exitStatus() == 0, "\(process.lines)") }
        caller.signal(SIGINT)
        #expect(try await caller.exitStatus() == 0, "\(caller.lines)")
        for process in listening + [caller] {
            let summary = try await process.event("groupSummary")
            #expect(summary["complete"] as? Bool == true, "\(summary.line)")
            let members = try #require(summary["members"] as? [[String: Any]])
            #expect(members.count == 2)
            for member in members {
                #expect(try #require(member["pictures"] as? Int) > 0, "\(summary.line)")
                #expect(try #require(member["sound"] as? Int) > 0, "\(summary.line)")
            }
            #expect(try process.events().contains { $0.name == "memberPath" && $0["way"] as? String == "direct" })
        }
        // B and C know each other by A alone.
        #expect(
            try listening[0].events().contains {
                $0.name == "member" && $0["name"] as? String == "C" && $0["introduced"] as? Bool == true
            })
    }

    @Test func `a screen that is shared by a command is told, here and there, until it is over`() async throws {
        let town = try await Self.town("B")
        let listening = try await Self.listen(town, "B")
        let commands = try Commands(town.folder.file("commands"))
        let caller = try ChildProcess(
            "/bin/bash",
            ["-c", "exec \"$0\" \"$@\" <\"\(commands.path)\"", ChildProcess.built("parley-cli")]
                + town.profile("A") + ["group", "B", "--video", "--commands", "--statistics"] + Self.sources,
            folder: town.folder.path)
        for process in [listening, caller] { try await process.hears(1) }
        for process in [listening, caller] { try await process.counts(1) }
        for (command, state, own) in [("share test sound", "on", "onWithSound"), ("unshare", "off", "off")] {
            try commands.say(command)
            for (process, event, state) in [(listening, "memberScreen", state), (caller, "screen", own)] {
                try await waitUntil("\(event) to be \(state)") {
                    try process.events().last { $0.name == event }?["state"] as? String == state
                }
            }
            guard state == "on" else { continue }
            try await waitUntil("its sound to be heard") {
                try listening.events().last { $0.name == "memberStatistics" }?["screenSound"] as? Int ?? 0 > 20
            }
        }
        #expect(try listening.events().last { $0.name == "memberScreen" }?["name"] as? String == "A")
        try commands.say("hangup")
        #expect(try await caller.exitStatus() == 0, "\(caller.lines)")
        listening.signal(SIGINT)
        #expect(try await listening.exitStatus() == 0, "\(listening.lines)")
    }

    @Test func `of four one is killed and comes back, and one is put out`() async throws {
        let town = try await Self.town("B", "C", "D")
        var others: [String: ChildProcess] = [:]
        for name in ["B", "C", "D"] { others[name] = try await Self.listen(town, name) }
        let commands = try Commands(town.folder.file("commands"))
        let caller = try ChildProcess(
            "/bin/bash",
            ["-c", "exec \"$0\" \"$@\" <\"\(commands.path)\"", ChildProcess.built("parley-cli")]
                + town.profile("A") + ["group", "B", "C", "D", "--video", "--commands", "--statistics"] + Self.sources,
            folder: town.folder.path)
        let (b, c, d) = try (#require(others["B"]), #require(others["C"]), #require(others["D"]))
        for process in [b, c, d, caller] { try await process.hears(3) }
        for process in [b, c, d, caller] { try await process.counts(3) }

        d.signal(SIGKILL)
        _ = try await d.exitStatus()
        try await caller.member("D", is: "reconnecting")
        let back = try town.start(town.profile("D") + ["group", "--rejoin", "--statistics"] + Self.sources)
        try await back.hears(3)
        try await back.counts(3)
        try await waitUntil("D is heard by all again") {
            try [caller, b, c].allSatisfy { try $0.stages(of: "D").last == "connected" }
        }

        let before = try caller.ownEpoch()
        try commands.say("remove C")
        #expect(try await c.event("ended")["reason"] as? String == "removed")
        // Another key, by which C opens nothing.
        try await waitUntil("A has another key") { try caller.ownEpoch() != before }
        try await waitUntil("B and D are still heard") {
            try ["B", "D"].allSatisfy { try caller.stages(of: $0).last == "connected" }
        }
        for process in [b, back] { process.signal(SIGINT) }
        for process in [b, back] { #expect(try await process.exitStatus() == 0, "\(process.lines)") }
        try commands.say("hangup")
        #expect(try await caller.exitStatus() == 0, "\(caller.lines)")
        c.signal(SIGINT)
        #expect(try await c.exitStatus() == 0, "\(c.lines)")
    }

    @Test(.needs(JanusServer.obstacle))
    func `a fifth has a call of four go over to a server, one is killed and comes back, and one is put out`()
        async throws
    {
        let town = try await Self.town("B", "C", "D", "E")
        let folder = try TemporaryFolder()
        let janus = try await JanusServer(folder)
        defer { janus.stop() }
        let keys = town.folder.file("keys")
        try Data("room-key \(janus.keys.room ?? "")\n".utf8).write(to: URL(fileURLWithPath: keys))
        var others: [String: ChildProcess] = [:]
        for name in ["B", "C", "D", "E"] { others[name] = try await Self.listen(town, name) }
        let commands = try Commands(town.folder.file("commands"))
        let caller = try ChildProcess(
            "/bin/bash",
            ["-c", "exec \"$0\" \"$@\" <\"\(commands.path)\"", ChildProcess.built("parley-cli")]
                + town.profile("A") + ["group", "B", "C", "D", "--video", "--commands", "--statistics"]
                + ["--janus", janus.address, "--janus-keys", keys] + Self.sources,
            folder: town.folder.path)
        let (b, c, d, e) = try (
            #require(others["B"]), #require(others["C"]), #require(others["D"]), #require(others["E"])
        )
        for process in [b, c, d, caller] { try await process.hears(3) }
        for process in [b, c, d, caller] { try await process.counts(3) }
        #expect(try !caller.events().contains { $0.name == "groupRoom" })

        try commands.say("invite E")
        let all = [caller, b, c, d, e]
        for process in all { try await process.hears(4) }
        for process in all { try await process.isInRoom(with: 4) }
        for process in all { try await process.counts(4) }

        d.signal(SIGKILL)
        _ = try await d.exitStatus()
        try await caller.member("D", is: "reconnecting")
        let back = try town.start(town.profile("D") + ["group", "--rejoin", "--statistics"] + Self.sources)
        try await back.hears(4)
        try await back.isInRoom(with: 4)
        try await back.counts(4)

        let before = try caller.ownEpoch()
        try commands.say("remove C")
        #expect(try await c.event("ended")["reason"] as? String == "removed")
        try await c.event("groupSummary")
        let seen = try c.total()
        try await waitUntil("A has another key") { try caller.ownEpoch() != before }
        for process in [caller, b, back, e] { try await process.countsMore(3) }
        #expect(try c.total() == seen)
        for process in [b, back, e] { process.signal(SIGINT) }
        for process in [b, back, e] { #expect(try await process.exitStatus() == 0, "\(process.lines)") }
        try commands.say("hangup")
        #expect(try await caller.exitStatus() == 0, "\(caller.lines)")
        c.signal(SIGINT)
        #expect(try await c.exitStatus() == 0, "\(c.lines)")
    }

    @Test func `who is put out and does not hear of it sees and hears nothing any more, and the others go on`()
        async throws
    {
        try await Self.putOutUnheard()
    }

    @Test(.needs(JanusServer.obstacle))
    func `who is put out of a call over a server and does not hear of it sees and hears nothing any more`()
        async throws
    {
        let folder = try TemporaryFolder()
        let janus = try await JanusServer(folder)
        defer { janus.stop() }
        try await Self.putOutUnheard(over: janus)
    }

    /// Three are in a call, of whom one hears nothing by its relay any more and is put out: it goes on with all that it has.
    private static func putOutUnheard(over janus: JanusServer? = nil) async throws {
        let town = try await town("B", "C", deafened: ["C"])
        var server: [String] = []
        if let janus {
            let keys = town.folder.file("keys")
            try Data("room-key \(janus.keys.room ?? "")\n".utf8).write(to: URL(fileURLWithPath: keys))
            server = ["--janus", janus.address, "--janus-keys", keys, "--janus-always"]
        }
        let (b, c) = (try await listen(town, "B"), try await listen(town, "C"))
        let commands = try Commands(town.folder.file("commands"))
        let caller = try ChildProcess(
            "/bin/bash",
            ["-c", "exec \"$0\" \"$@\" <\"\(commands.path)\"", ChildProcess.built("parley-cli")]
                + town.profile("A") + ["group", "B", "C", "--video", "--commands", "--statistics"] + server + sources,
            folder: town.folder.path)
        for process in [b, c, caller] { try await process.hears(2) }
        if janus != nil { for process in [b, c, caller] { try await process.isInRoom(with: 2) } }
        for process in [b, c, caller] { try await process.counts(2) }
        await town.deafen()
        // Media go another way.
        try await c.countsMore(2)
        let before = try caller.ownEpoch()
        try commands.say("remove C")
        for process in [caller, b] { try await process.member("C", is: "removed") }
        try await waitUntil("A has another key") { try caller.ownEpoch() != before }
        // What was on its way has come, and was counted.
        try await waitUntil("C has no more of anybody") { try c.allStands(for: 2, of: 2) }
        let seen = try c.total()
        for process in [caller, b] { try await process.countsMore(1, pictures: 30, sounds: 150) }
        #expect(try c.total() == seen)
        #expect(try !c.events().contains { $0.name == "ended" }, "it has not heard of it")
        b.signal(SIGINT)
        #expect(try await b.exitStatus() == 0, "\(b.lines)")
        try commands.say("hangup")
        #expect(try await caller.exitStatus() == 0, "\(caller.lines)")
        c.signal(SIGKILL)
        _ = try await c.exitStatus()
    }

    @Test(.needs(JanusServer.obstacle))
    func `a call whose server is killed goes on without it, and over the one that takes its place`() async throws {
        let town = try await Self.town("B", "C")
        let (folder, another) = (try TemporaryFolder(), try TemporaryFolder())
        let janus = try await JanusServer(folder)
        defer { janus.stop() }
        let keys = town.folder.file("keys")
        try Data("room-key \(janus.keys.room ?? "")\n".utf8).write(to: URL(fileURLWithPath: keys))
        let listening = [try await Self.listen(town, "B"), try await Self.listen(town, "C")]
        let caller = try town.start(
            town.profile("A") + ["group", "B", "C", "--video", "--commands", "--statistics"]
                + ["--janus", janus.address, "--janus-keys", keys, "--janus-always"] + Self.sources)
        let all = listening + [caller]
        for process in all { try await process.isInRoom(with: 2) }
        for process in all { try await process.counts(2) }

        try await janus.kill()
        for process in all { try await process.isInRoom(with: 0) }
        for process in all { try await process.hears(2) }
        for process in all { try await process.countsMore(2) }

        let successor = try await JanusServer(another, port: janus.port)
        defer { successor.stop() }
        for process in all { try await process.isInRoom(with: 2) }
        for process in all { try await process.countsMore(2) }
        for process in all {
            #expect(
                try process.events().contains {
                    $0.name == "memberStatistics" && $0["layer"] as? String == "high"
                })
        }
        for process in listening { process.signal(SIGINT) }
        for process in listening { #expect(try await process.exitStatus() == 0, "\(process.lines)") }
        caller.signal(SIGINT)
        #expect(try await caller.exitStatus() == 0, "\(caller.lines)")
    }

    @Test(.needs(JanusServer.obstacle))
    func `a server that refuses what the host has for it is told, and the call goes on directly`() async throws {
        let town = try await Self.town("B", "C")
        let folder = try TemporaryFolder()
        let janus = try await JanusServer(folder, keys: JanusServer.Keys(room: "create", token: "hush"))
        defer { janus.stop() }
        let cases = [
            ("room-key create\ntoken-secret guess\n", "The call server refuses the token: check the token secret."),
            (
                "room-key guess\ntoken-secret hush\n",
                "The call server makes rooms only for who has its key: check the key for making rooms."
            ),
        ]
        for (number, (keys, sentence)) in cases.enumerated() {
            let listening = [try await Self.listen(town, "B"), try await Self.listen(town, "C")]
            let file = town.folder.file("keys-\(number)")
            try Data(keys.utf8).write(to: URL(fileURLWithPath: file))
            let caller = try town.start(
                town.profile("A") + ["group", "B", "C", "--video", "--statistics"]
                    + ["--janus", janus.address, "--janus-keys", file, "--janus-always"] + Self.sources)
            #expect(try await caller.event("groupRoomFailed")["message"] as? String == sentence)
            for process in listening + [caller] { try await process.counts(2) }
            caller.signal(SIGINT)
            #expect(try await caller.exitStatus() == 0, "\(caller.lines)")
            #expect(try caller.directMembers() == 2)
            #expect(try !caller.events().contains { $0.name == "memberRoom" })
            for process in listening {
                #expect(try !process.events().contains { $0.name == "groupRoomFailed" })
                process.signal(SIGINT)
                #expect(try await process.exitStatus() == 0, "\(process.lines)")
            }
        }
    }

    @Test func `who takes no calls of several is not called`() async throws {
        let town = try await Town()
        try await town.introduce("A", "B", ["--no-groups"])
        let calling = try town.start(town.profile("A") + ["group", "B", "--groups"] + Self.sources)
        #expect(try await calling.exitStatus() == 1)
        #expect(calling.errors.contains("B can’t join"), "\(calling.errors)")
    }
}
