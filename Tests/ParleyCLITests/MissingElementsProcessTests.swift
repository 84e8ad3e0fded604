import Foundation
import TestSupport
import Testing

/// Programs on a machine that lacks a piece of GStreamer.
@Suite(
    .timeLimit(.minutes(5)),
    .needs(HiddenPlugins.obstacle))
struct MissingElementsProcessTests {
    private func start(
        _ arguments: [String], with plugins: HiddenPlugins, in folder: TemporaryFolder
    ) throws -> ChildProcess {
        try ChildProcess(
            "/usr/bin/env", plugins.settings + [ChildProcess.built("parley-cli")] + arguments, folder: folder.path)
    }

    @Test func `nobody is called from a machine that cannot call`() async throws {
        let town = try await Town()
        try await town.introduce("A", "B")
        let callee = try town.start(town.profile("B") + ["listen", "--once", "--json"])
        try await callee.event("listening")
        let plugins = try HiddenPlugins("gstwebrtc")
        defer { withExtendedLifetime(plugins) {} }
        let lacking = try start(town.profile("A") + ["call", "B", "--json"], with: plugins, in: town.folder)
        #expect(try await lacking.exitStatus() == 1)
        #expect(try lacking.events().map(\.name) == ["error"])
        let sentence = "Calls are not possible: GStreamer’s “webrtcbin” is missing; install "
        #expect(try #require(try lacking.events().last?["message"] as? String).hasPrefix(sentence))
        #expect(lacking.errors.hasPrefix("Error: \(sentence)"))
        // gstreamer1.0-plugins-bad, gstreamer1-plugins-bad-free or gst-plugins-bad, as the system calls it.
        #expect(lacking.errors.contains("plugins-bad"), "\(lacking.errors)")
        #expect(lacking.errors.split(separator: "\n").count == 1, "\(lacking.errors)")
        // A call from another machine of theirs is the first that is heard of.
        let caller = try town.start(town.profile("A") + ["call", "B", "--audio", "--ring-for", "1", "--json"])
        _ = try await caller.exitStatus()
        #expect(try await callee.event("incoming")["media"] as? String == "audio")
        #expect(try await callee.exitStatus() == 1)
    }

    @Test(arguments: [["listen"], ["listen", "--decline"], ["test-call"]])
    func `what is missing is an error at the start`(_ command: [String]) async throws {
        let folder = try TemporaryFolder()
        let profile = command == ["test-call"] ? [] : ["--profile", folder.file("X"), "--key-file"]
        let plugins = try HiddenPlugins("gstnice", "gstdtls")
        defer { withExtendedLifetime(plugins) {} }
        let process = try start(profile + command, with: plugins, in: folder)
        #expect(try await process.exitStatus() == 1)
        #expect(process.lines == [])
        #expect(process.errors.contains("“dtlsdec”, “dtlsenc”, “dtlssrtpdec” and 4 more are missing; install "))
        #expect(!FileManager.default.fileExists(atPath: folder.file("X")))
    }

    @Test func `what only devices need is no obstacle`() async throws {
        let folder = try TemporaryFolder()
        let plugins = try HiddenPlugins("gstpulseaudio", "gstvideo4linux2")
        defer { withExtendedLifetime(plugins) {} }
        let process = try start(["test-call", "--json", "--for", "1"], with: plugins, in: folder)
        #expect(try await process.exitStatus() == 0, "\(process.errors)")
    }

    @Test func `whose media does not start is not taken for somebody who declines`() async throws {
        let town = try await Town()
        try await town.introduce("A", "B")
        // Without a TURN server a call that may go only through one has no media.
        let callee = try town.start(town.profile("B") + ["listen", "--accept", "--once", "--json", "--relay-only"])
        try await callee.event("listening")
        let caller = try town.start(town.profile("A") + ["call", "B", "--json", "--camera", "test"])
        #expect(try await caller.exitStatus() == 1)
        #expect(try await caller.event("ended")["message"] as? String == "Their device could not start the call.")
        #expect(try await caller.event("summary")["result"] as? String == "peerMediaFailed")
        #expect(try await callee.exitStatus() == 1)
        #expect(try await callee.event("summary")["result"] as? String == "mediaFailed")
    }
}
