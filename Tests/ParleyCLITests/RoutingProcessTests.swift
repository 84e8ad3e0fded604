import Foundation
import TestSupport
import Testing

/// Processes of two people whose relays forward for each other.
@Suite(.serialized, .timeLimit(.minutes(5))) struct RoutingProcessTests {
    /// A running `parley-relay --proxy`, and its address.
    private func relay(_ name: String, in folder: TemporaryFolder) async throws -> (ChildProcess, String) {
        let process = try ChildProcess(
            ChildProcess.built("parley-relay"),
            ["--listen", "127.0.0.1:0", "--state", folder.file(name), "--proxy", "--proxy-local"], folder: folder.path)
        let line = try await process.line { _ in true }
        return (process, String(line.dropFirst("relay ".count)))
    }

    @Test func `two people on different relays call each other`() async throws {
        let town = try await Town()
        let (first, near) = try await relay("near", in: town.folder)
        let (second, far) = try await relay("far", in: town.folder)
        let routing = ["--private-routing", "unknown"]
        let anna = ["--profile", town.folder.file("Anna"), "--relay", near] + routing
        let ben = ["--profile", town.folder.file("Ben"), "--relay", far] + routing
        let inviting = try town.start(anna + ["invite", "--json"])
        let link = try #require(try await inviting.event("link")["link"] as? String)
        let connecting = try town.start(ben + ["connect", link, "--json"])
        #expect(try await connecting.exitStatus() == 0, "\(connecting.errors)")
        #expect(try await inviting.exitStatus() == 0, "\(inviting.errors)")

        let sound = ["--audio", "--json", "--microphone", "test"]
        let callee = try town.start(
            ben + ["listen", "--accept", "--once", "--json", "--camera", "none", "--microphone", "test"])
        try await callee.event("listening")
        let caller = try town.start(anna + ["call", "Ben", "--for", "1"] + sound)
        #expect(try await caller.exitStatus() == 0, "\(caller.errors)")
        #expect(try await caller.event("summary")["result"] as? String == "completed")
        #expect(try await callee.exitStatus() == 0, "\(callee.errors)")
        first.signal(SIGTERM)
        second.signal(SIGTERM)
    }

    @Test func `a mode that does not exist is a mistake`() async throws {
        let town = try await Town()
        let process = try town.start(town.profile("A") + ["contacts", "--private-routing", "sometimes"])
        #expect(try await process.exitStatus() != 0)
        #expect(process.errors.contains("--private-routing"))
    }
}
