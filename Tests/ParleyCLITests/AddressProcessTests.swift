import Foundation
import TestSupport
import Testing

/// Contact addresses, short links, moving and repair between processes.
@Suite(.serialized, .timeLimit(.minutes(5))) struct AddressProcessTests {
    private func succeed(_ process: ChildProcess) async throws -> ChildProcess {
        #expect(try await process.exitStatus() == 0, "\(process.errors)")
        return process
    }

    @Test func `one asks at an address and is accepted another is not`() async throws {
        let town = try await Town()
        let made = try await succeed(try town.start(town.profile("A") + ["address", "--short", "--json"]))
        let link = try #require(try await made.event("address")["link"] as? String)
        #expect(link.contains("/a#"))
        let shown = try await succeed(try town.start(town.profile("A") + ["address"]))
        #expect(shown.lines == [link])
        let (ben, cleo) = (
            try town.start(town.profile("Ben") + ["connect", link, "--json"]),
            try town.start(town.profile("Cleo") + ["connect", link, "--json"])
        )
        try await ben.event("asked")
        try await cleo.event("asked")
        try await waitUntil("both requests are listed") {
            let listing = try await succeed(try town.start(town.profile("A") + ["requests", "--json"]))
            return Set(try listing.events().compactMap { $0["contact"] as? String }) == ["Ben", "Cleo"]
        }
        let listing = try await succeed(try town.start(town.profile("A") + ["requests", "--json"]))
        #expect(try listing.events().allSatisfy { $0.name != "request" || $0["number"] is Int })
        _ = try await succeed(try town.start(town.profile("A") + ["reject", "Cleo"]))
        let accepting = try await succeed(try town.start(town.profile("A") + ["accept", "Ben", "--json"]))
        #expect(try accepting.events().last?["contact"] as? String == "Ben")
        _ = try await succeed(ben)
        #expect(try ben.events().last?.name == "connected")
        let nobody = try await succeed(try town.start(town.profile("A") + ["requests"]))
        #expect(nobody.lines == ["Nobody asks."])
        let deleted = try await succeed(try town.start(town.profile("A") + ["address", "--delete", "--json"]))
        #expect(try deleted.events().last?.name == "deleted")
        cleo.signal(SIGINT)
        #expect(try await cleo.exitStatus() == 130)
    }

    @Test func `a contact that listens is moved repaired and described`() async throws {
        let town = try await Town()
        try await town.introduce("A", "B")
        let listening = try town.start(town.profile("B") + ["listen", "--json"])
        try await listening.event("listening")
        let moving = try await succeed(try town.start(town.profile("A") + ["rotate", "B", "--json"]))
        #expect(try moving.events().last?.name == "moved")
        let before = try await succeed(try town.start(town.profile("A") + ["status", "B", "--json"]))
        let connection = try await before.event("connection")
        #expect(connection["waiting"] as? Int == 0)
        #expect(connection["moving"] is Bool)
        #expect((connection["receiving"] as? [String])?.contains(town.relay) == true)
        let code = connection["code"] as? String
        let repairing = try await succeed(try town.start(town.profile("A") + ["resync", "B", "--force", "--json"]))
        let renewed = try #require(try repairing.events().last?["code"] as? String)
        #expect(renewed != code)
        _ = try await listening.line { $0.contains("\"encryption\"") && $0.contains("intact") }
        let relays = try await succeed(try town.start(town.profile("A") + ["status", "--json"]))
        let relay = try await relays.event("relay")
        #expect(relay["relay"] as? String == town.relay)
        #expect(relay["state"] as? String == "up")
        #expect(relay["smpVersion"] as? Int == 17)
        #expect(relay["own"] as? Bool == true)
        #expect(try #require(relay["queues"] as? Int) > 0)
        listening.signal(SIGINT)
        _ = try await listening.exitStatus()
        let theirs = try await succeed(try town.start(town.profile("B") + ["status", "A", "--json"]))
        #expect(try await theirs.event("connection")["code"] as? String == renewed)
    }
}
