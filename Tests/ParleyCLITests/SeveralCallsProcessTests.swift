import Foundation
import TestSupport
import Testing

/// One who listens and two who call: three processes and a relay.
@Suite(.serialized, .timeLimit(.minutes(5))) struct SeveralCallsProcessTests {
    private static let sources = ["--camera", "none", "--microphone", "test"]

    /// A listens with these words, and takes commands.
    private func listen(_ town: Town, _ words: [String]) async throws -> (process: ChildProcess, commands: Commands) {
        let commands = try Commands(town.folder.file("commands"))
        let process = try ChildProcess(
            "/bin/bash",
            ["-c", "exec \"$0\" \"$@\" <\"\(commands.path)\"", ChildProcess.built("parley-cli")]
                + town.profile("A") + ["listen", "--accept", "--commands", "--json"] + words + Self.sources,
            folder: town.folder.path)
        try await process.event("listening")
        return (process, commands)
    }

    private func call(_ town: Town, _ name: String, _ words: [String] = []) throws -> ChildProcess {
        try town.start(town.profile(name) + ["call", "A", "--audio", "--json"] + words + Self.sources)
    }

    private func town() async throws -> Town {
        let town = try await Town()
        for name in ["B", "C"] { try await town.introduce("A", name) }
        return town
    }

    private func sees(_ process: ChildProcess, _ event: String, _ state: String, times: Int = 1) async throws {
        try await waitUntil("“\(event)” is \(state)") {
            try process.events().count { $0.name == event && $0["state"] as? String == state } >= times
        }
    }

    @Test func `the first call is put on hold for the second, and commands reach the one that is meant`() async throws {
        let town = try await town()
        let (listener, commands) = try await listen(town, ["--once", "--on-second-call", "hold"])
        let ben = try call(town, "B")
        try await ben.event("firstFrame")
        let cyd = try call(town, "C")
        try await sees(ben, "peerHold", "on")
        try await cyd.event("firstFrame")
        try commands.say("tones 4,2")
        #expect(try await cyd.line { $0.contains(#""event":"tone""#) && $0.contains(#""key":"2""#) }.isEmpty == false)
        try await listener.event("tonesSent")
        #expect(try ben.events().count { $0.name == "tone" } == 0)
        #expect(try cyd.events().filter { $0.name == "tone" }.map { $0["key"] as? String } == ["4", "2"])
        try commands.say("resume nobody")
        #expect(try await listener.event("unknownCommand")["message"] as? String == "No such call is on hold.")
        try commands.say("resume B")
        try await sees(cyd, "peerHold", "on")
        try await sees(ben, "peerHold", "off")
        try commands.say("hangup")
        #expect(try await ben.exitStatus() == 0, "\(ben.errors)")
        #expect(try cyd.events().contains { $0.name == "ended" } == false)
        try commands.say("resume")
        try await sees(cyd, "peerHold", "off")
        try commands.say("hangup")
        #expect(try await cyd.exitStatus() == 0, "\(cyd.errors)")
        #expect(try await listener.exitStatus() == 0, "\(listener.errors)")
        #expect(try listener.events().count { $0.name == "summary" } == 2)
    }

    @Test(arguments: [
        ("end", "hungUp", "peerHungUp"), ("decline", "declinedByPeer", nil), ("ignore", "cancelled", nil),
        ("busy", "peerBusy", nil), (nil, "peerBusy", nil),
    ])
    func `a second call meets what was chosen`(choice: String?, second: String, first: String?) async throws {
        let town = try await town()
        let (listener, _) = try await listen(town, choice.map { ["--on-second-call", $0] } ?? [])
        let ben = try call(town, "B")
        try await ben.event("firstFrame")
        let cyd = try call(town, "C", second == "hungUp" ? ["--for", "1"] : ["--ring-for", "6"])
        #expect(try await cyd.exitStatus() == (second == "hungUp" ? 0 : 1), "\(cyd.errors)")
        #expect(try await cyd.event("ended")["reason"] as? String == second)
        if let first {
            #expect(try await ben.exitStatus() == 0, "\(ben.errors)")
            #expect(try await ben.event("ended")["reason"] as? String == first)
        } else {
            #expect(try ben.events().contains { $0.name == "ended" } == false)
            // In no case was the first one put on hold.
            #expect(try ben.events().contains { $0.name == "peerHold" } == false)
        }
        // Ctrl-C ends what there is, and tells its end.
        listener.signal(SIGINT)
        _ = try await listener.exitStatus()
        #expect(try await ben.exitStatus() == 0, "\(ben.errors)")
        #expect(try listener.events().contains { $0.name == "summary" && $0["contact"] as? String == "B" })
    }

    @Test func `who calls is called meanwhile, and both calls end well`() async throws {
        let town = try await town()
        let listener = try town.start(
            town.profile("B") + ["listen", "--accept", "--once", "--json"] + Self.sources)
        try await listener.event("listening")
        let caller = try town.start(
            town.profile("A") + ["call", "B", "--audio", "--json", "--for", "8", "--on-second-call", "hold"]
                + Self.sources)
        try await caller.event("firstFrame")
        let cyd = try call(town, "C", ["--for", "2"])
        #expect(try await cyd.exitStatus() == 0, "\(cyd.errors)")
        try await sees(listener, "peerHold", "on")
        #expect(try await caller.exitStatus() == 0, "\(caller.errors)")
        let summaries = try caller.events().filter { $0.name == "summary" }
        #expect(Set(summaries.map { $0["contact"] as? String }) == ["B", "C"])
        #expect(try await listener.exitStatus() == 0, "\(listener.errors)")
    }

    @Test func `tones of the command line arrive once the call is on`() async throws {
        let town = try await Town()
        try await town.introduce("A", "B")
        let (listener, _) = try await listen(town, ["--once"])
        let ben = try call(town, "B", ["--tones", "12#", "--for", "6"])
        try await ben.event("tonesSent")
        try await waitUntil("all tones") { try listener.events().count { $0.name == "tone" } == 3 }
        #expect(try listener.events().filter { $0.name == "tone" }.map { $0["key"] as? String } == ["1", "2", "#"])
        #expect(try await ben.exitStatus() == 0, "\(ben.errors)")
        #expect(try await listener.exitStatus() == 0, "\(listener.errors)")
        // What was sent is repeated nowhere: it may be a secret.
        #expect(try ben.events().first { $0.name == "tonesSent" }?.keys == ["event", "t", "call"])
    }

    @Test(arguments: [
        (["call", "B", "--tones", "12x"], "is no key of a telephone"),
        (["call", "B", "--tones", ""], "There are no tones to send."),
        (["listen", "--on-second-call", "hold"], "A second call is only taken with --accept."),
        (["listen", "--accept", "--on-second-call", "swap"], "swap"),
    ])
    func `what makes no sense is said with the usage`(words: [String], sentence: String) async throws {
        let folder = try TemporaryFolder()
        let process = try ChildProcess(
            ChildProcess.built("parley-cli"), words + ["--profile", folder.file("A")], folder: folder.path)
        #expect(try await process.exitStatus() == 64)
        #expect(process.errors.contains(sentence) && process.errors.contains("Usage:"), "\(process.errors)")
    }

    @Test func `busy is remembered and told to who calls`() async throws {
        let town = try await Town()
        try await town.introduce("A", "B")
        func busy(_ words: String...) async throws -> [String] {
            let process = try town.start(town.profile("A") + ["busy"] + words)
            #expect(try await process.exitStatus() == 0, "\(process.errors)")
            return process.lines
        }
        #expect(try await busy() == ["You take calls."])
        #expect(try await busy("on") == ["Who calls is told that you are busy."])
        #expect(try await busy() == ["Who calls is told that you are busy."])
        let listener = try town.start(town.profile("A") + ["listen", "--accept", "--json"] + Self.sources)
        #expect(try await listener.event("busy")["state"] as? String == "on")
        let ben = try call(town, "B", ["--ring-for", "10"])
        #expect(try await ben.exitStatus() == 1)
        #expect(try await ben.event("ended")["reason"] as? String == "peerBusy")
        listener.signal(SIGINT)
        _ = try await listener.exitStatus()
        #expect(try await busy("off") == ["You take calls."])
    }
}
