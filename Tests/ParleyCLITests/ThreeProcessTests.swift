import Foundation
import TestSupport
import Testing

/// Calls between processes: a relay, a caller, a callee. One after the other: each encodes and decodes two pictures.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ThreeProcessTests {
    @Test func `relay caller and callee make a whole call`() async throws {
        let town = try await Town()
        try await town.introduce("A", "B")
        let callee = try town.start(
            town.profile("B") + ["listen", "--accept", "--json", "--camera", "test", "--microphone", "test"])
        try await callee.event("listening")
        let caller = try town.start(
            town.profile("A") + [
                "--camera", "test", "--microphone", "test", "call", "B", "--for", "3", "--json", "--statistics",
            ])
        #expect(try await caller.exitStatus() == 0, "\(caller.errors)")
        let counts = try #require(try caller.events().last { $0.name == "statistics" })
        for name in ["sentPictures", "receivedPictures", "sentSound", "receivedSound"] {
            #expect(try #require(counts[name] as? Int) > 0, "\(counts.line)")
        }
        #expect(counts["transport"] is Int)
        let summaries = [try await caller.event("summary"), try await callee.event("summary")]
        for summary in summaries {
            #expect(
                summary.keys.isSuperset(of: ["result", "smpVersion", "relay", "setup", "sent", "received"]),
                "\(summary.line)")
            #expect(summary["result"] as? String == "completed")
            #expect(summary["smpVersion"] as? Int == 17)
            #expect(summary["relay"] as? String == town.relay)
            #expect(Set(summary.setup.keys) == Set(steps), "\(summary.line)")
            let times = steps.compactMap { summary.setup[$0] }
            #expect(times == times.sorted(), "\(summary.line)")
            for direction in ["sent", "received"] {
                let counts = summary.counts(direction)
                #expect(try #require(counts["videoFrames"] as? Int) > 0, "\(summary.line)")
                #expect(try #require(counts["audioFrames"] as? Int) > 0, "\(summary.line)")
                #expect(counts["framesRejected"] as? Int == 0)
                #expect(counts["frameEncryption"] as? String == "aes-256-gcm")
                #expect(counts["fingerprintVerified"] as? Bool == true)
            }
        }
        #expect(try callee.events().contains { $0.name == "incoming" && $0["contact"] as? String == "A" })
        for process in [caller, callee] {
            #expect(try await process.event("peerCamera")["state"] as? String == "on")
            #expect(try await process.event("peerMicrophone")["state"] as? String == "on")
        }
        for process in [caller, callee] {
            let events = try process.events()
            #expect(events.last?.name == "summary")
            let times = events.compactMap { $0["t"] as? Int }
            #expect(times == times.sorted())
            for step in steps { #expect(events.contains { $0.name == step }, "\(step)") }
        }

        // The callee still listens; SIGINT ends it, and its last call was complete.
        callee.signal(SIGINT)
        #expect(try await callee.exitStatus() == 0)
    }

    @Test func `interrupting the caller hangs up`() async throws {
        let town = try await Town()
        try await town.introduce("A", "B")
        let callee = try town.start(
            town.profile("B") + ["listen", "--accept", "--once", "--json", "--camera", "none", "--microphone", "test"])
        try await callee.event("listening")
        let caller = try town.start(
            town.profile("A") + ["call", "B", "--audio", "--json", "--microphone", "test"])
        try await caller.event("firstFrame")
        try await callee.event("firstFrame")
        caller.signal(SIGINT)
        #expect(try await caller.exitStatus() == 0, "\(caller.errors)")
        #expect(try await caller.event("summary")["result"] as? String == "completed")
        #expect(try await callee.exitStatus() == 0, "\(callee.errors)")
        #expect(try await callee.event("ended")["reason"] as? String == "peerHungUp")
        let summary = try await callee.event("summary")
        #expect(summary["result"] as? String == "completed")
        #expect(summary.counts("received")["videoFrames"] as? Int == 0)
        #expect(try #require(summary.counts("received")["audioFrames"] as? Int) > 0)
    }

    @Test func `a call is commanded while it lasts`() async throws {
        let town = try await Town()
        try await town.introduce("A", "B")
        let callee = try town.start(
            town.profile("B") + [
                "listen", "--accept", "--once", "--json", "--statistics", "--camera", "none", "--microphone", "test",
            ])
        try await callee.event("listening")
        let commands = try Commands(town.folder.file("commands"))
        let caller = try ChildProcess(
            "/bin/bash",
            ["-c", "exec \"$0\" \"$@\" <\"\(commands.path)\"", ChildProcess.built("parley-cli")]
                + town.profile("A") + [
                    "call", "B", "--audio", "--commands", "--json", "--camera", "test", "--microphone", "test",
                ], folder: town.folder.path)
        try await callee.event("firstFrame")
        try commands.say("dance")
        #expect(try await caller.event("unknownCommand")["message"] as? String != nil)
        try commands.say("camera on")
        try commands.say("share test sound")
        _ = try await caller.line { $0.contains("\"state\":\"onWithSound\"") }
        #expect(try await callee.event("peerScreen")["state"] as? String == "on")
        // That is said before the first picture is there.
        _ = try await callee.line {
            $0.contains(/"receivedScreen":[1-9]/) && $0.contains(/"receivedScreenSound":[1-9]/)
        }
        try commands.say("unshare")
        _ = try await callee.line { $0.contains("\"event\":\"peerScreen\"") && $0.contains("\"off\"") }
        try commands.say("microphone off")
        _ = try await callee.line { $0.contains("\"event\":\"peerMicrophone\"") && $0.contains("\"off\"") }
        try commands.say("hangup")
        #expect(try await caller.exitStatus() == 0, "\(caller.errors)")
        #expect(try await callee.exitStatus() == 0, "\(callee.errors)")
        let summaries = (
            sent: try await caller.event("summary").counts("sent"),
            received: try await callee.event("summary").counts("received")
        )
        #expect(try #require(summaries.received["videoFrames"] as? Int) > 0)
        for counts in [summaries.sent, summaries.received] {
            #expect(try #require(counts["screenFrames"] as? Int) > 0)
            #expect(try #require(counts["screenSoundFrames"] as? Int) > 0)
        }
        _ = try await callee.line { $0.contains("\"event\":\"peerCamera\"") && $0.contains("\"on\"") }
    }

    @Test func `a file is a camera`() async throws {
        let town = try await Town()
        let file = town.folder.file("picture.webm")
        let making = try ChildProcess(
            "/usr/bin/env",
            [
                "gst-launch-1.0", "-q", "videotestsrc", "num-buffers=20", "pattern=ball", "!",
                "video/x-raw,width=320,height=240,framerate=10/1", "!", "vp8enc", "deadline=1", "!", "webmmux", "!",
                "filesink", "location=\(file)",
            ], folder: town.folder.path)
        #expect(try await making.exitStatus() == 0, "\(making.errors)")
        try await town.introduce("A", "B")
        let callee = try town.start(
            town.profile("B") + ["listen", "--accept", "--once", "--json", "--camera", "none", "--microphone", "none"])
        try await callee.event("listening")
        let caller = try town.start(
            town.profile("A") + [
                "call", "B", "--for", "3", "--json", "--camera", "file:\(file)", "--microphone", "none",
            ])
        #expect(try await caller.exitStatus() == 0, "\(caller.errors)")
        #expect(try await callee.exitStatus() == 0, "\(callee.errors)")
        let received = try await callee.event("summary").counts("received")
        #expect(try #require(received["videoFrames"] as? Int) > 0, "\(caller.lines) \(callee.lines)")
        #expect(received["framesRejected"] as? Int == 0)
    }

    @Test func `the test call goes through the relay that is named`() async throws {
        let town = try await Town()
        let process = try ChildProcess(
            ChildProcess.built("parley-cli"), ["--json", "test-call", "--for", "1", "--audio", "--relay", town.relay],
            folder: town.folder.path)
        #expect(try await process.exitStatus() == 0, "\(process.errors)")
        let summary = try #require(try process.events().last)
        #expect(summary["result"] as? String == "completed")
        #expect(summary["relay"] as? String == town.relay)
    }

    @Test func `the test call is complete`() async throws {
        let folder = try TemporaryFolder()
        let process = try ChildProcess(
            ChildProcess.built("parley-cli"), ["--json", "test-call", "--for", "2"], folder: folder.path)
        #expect(try await process.exitStatus() == 0, "\(process.errors)")
        let summary = try #require(try process.events().last)
        #expect(summary.name == "summary")
        #expect(summary["result"] as? String == "completed")
        for direction in ["sent", "received"] {
            #expect(try #require(summary.counts(direction)["videoFrames"] as? Int) > 0, "\(summary.line)")
            #expect(try #require(summary.counts(direction)["audioFrames"] as? Int) > 0, "\(summary.line)")
            #expect(summary.counts(direction)["frameEncryption"] as? String == "aes-256-gcm")
        }
    }
}
