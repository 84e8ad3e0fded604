import Foundation
import TestSupport
import Testing

/// Real programs on two machines of one network, without any server but those inside them.
@Suite(.needs(AvahiTown.obstacle), .serialized, .timeLimit(.minutes(5))) struct NearbyTests {
    /// Starts `parley-cli` on a machine with a relay inside; `answer` is what the person types.
    private func start(
        _ town: AvahiTown, _ machine: AvahiTown.Machine, _ name: String, _ arguments: [String], answer: String = ""
    ) throws -> ChildProcess {
        let words =
            machine.prefix + [
                "sh", "-c", "echo \(answer) | \"$@\"", "sh", ChildProcess.built("parley-cli"), "--profile",
                town.folder.file(name), "--name", name, "--key-file", "--own-relay", "--json",
            ] + arguments
        return try ChildProcess(words[0], Array(words.dropFirst()), folder: town.folder.path)
    }

    @Test func `two people become contacts by comparing a code, and call each other`() async throws {
        let town = try await AvahiTown()
        let anna = try start(town, town.first, "Anna", ["nearby"], answer: "yes")
        try await anna.event("looking")
        let ben = try start(town, town.second, "Ben", ["nearby", "Anna"], answer: "yes")
        let (hers, his) = (try await anna.event("compare"), try await ben.event("compare"))
        #expect(hers["code"] as? String == his["code"] as? String)
        #expect(hers["name"] as? String == "Ben" && his["name"] as? String == "Anna")
        #expect(try await ben.exitStatus() == 0, "\(ben.lines) \(ben.errors)")
        #expect(try await anna.exitStatus() == 0, "\(anna.lines) \(anna.errors)")
        // Their relays are found by name again, although nothing but Avahi knows the names.
        let devices = ["--camera", "test", "--microphone", "test"]
        let callee = try start(town, town.first, "Anna", ["listen", "--accept", "--once"] + devices)
        try await callee.event("listening")
        let caller = try start(town, town.second, "Ben", ["call", "Anna", "--for", "1"] + devices)
        #expect(try await caller.exitStatus() == 0, "\(caller.lines) \(caller.errors)")
        #expect(try await callee.exitStatus() == 0, "\(callee.lines)")
    }

    @Test func `who says that the codes differ becomes nobody's contact`() async throws {
        let town = try await AvahiTown()
        let anna = try start(town, town.first, "Anna", ["nearby"], answer: "no")
        try await anna.event("looking")
        let ben = try start(town, town.second, "Ben", ["nearby", "Anna"], answer: "yes")
        #expect(try await ben.exitStatus() == 1)
        #expect(try await anna.exitStatus() == 1)
        for (name, machine) in [("Anna", town.first), ("Ben", town.second)] {
            let list = try start(town, machine, name, ["contacts"])
            #expect(try await list.exitStatus() == 0)
            #expect(!list.lines.contains { $0.contains("\"Ben\"") || $0.contains("\"Anna\"") }, "\(list.lines)")
        }
    }

    @Test func `a relay of this network is reached by its name and found by its fingerprint after that changed`()
        async throws
    {
        let town = try await AvahiTown()
        let anna = try start(town, town.first, "Anna", ["invite", "--full"])
        let event = try await anna.event("link")
        let link = try #require(event["link"] as? String)
        #expect(event["reach"] as? String == "network" && link.contains(town.first.hostName))
        // Nobody has this name; the fingerprint is announced.
        let other = link.replacingOccurrences(of: town.first.hostName, with: "gone.local")
        let ben = try start(town, town.second, "Ben", ["connect", other])
        #expect(try await ben.exitStatus() == 0, "\(ben.lines) \(ben.errors)")
        #expect(try await anna.exitStatus() == 0, "\(anna.lines) \(anna.errors)")
    }
}
