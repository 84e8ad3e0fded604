import Foundation
import TestSupport
import Testing

/// What a person notes about contacts, and shows of themselves, by commands.
@Suite(.serialized, .timeLimit(.minutes(5))) struct PeopleProcessTests {
    /// Two who know each other.
    private static func town() async throws -> Town {
        let town = try await Town()
        try await town.introduce("A", "B")
        return town
    }

    @discardableResult
    private func run(_ town: Town, _ person: String, _ words: String..., status: Int32 = 0) async throws -> ChildProcess
    {
        let process = try town.start(town.profile(person) + words)
        #expect(try await process.exitStatus() == status, "\(process.errors)")
        return process
    }

    /// The line about a contact.
    private func contact(_ town: Town, of person: String) async throws -> Event {
        let process = try await run(town, person, "contacts", "--json")
        return try #require(try process.events().last { $0.name == "contact" })
    }

    @Test func `a contact is known by another name until that is taken back, and the other hears nothing`()
        async throws
    {
        let town = try await Self.town()
        let renamed = try await run(town, "A", "rename", "B", "Bea \u{202E}x")
        #expect(renamed.lines == ["B is now called Bea x here."])
        let line = try await contact(town, of: "A")
        #expect(line["contact"] as? String == "Bea x" && line["named"] as? Bool == true)
        #expect(try await contact(town, of: "B")["callsItself"] == nil)
        try await run(town, "A", "rename", "B", status: 64)
        try await run(town, "A", "rename", "Bea x")
        #expect(try await contact(town, of: "A")["contact"] as? String == "B")
    }

    @Test func `notes are kept, shown line by line, and deleted`() async throws {
        let town = try await Self.town()
        #expect(try await run(town, "A", "note", "B").lines == ["There are no notes about B."])
        try await run(town, "A", "note", "B", "met in Bonn\nhas a dog")
        #expect(try await run(town, "A", "note", "B").lines == ["met in Bonn", "has a dog"])
        try await run(town, "A", "note", "B", String(repeating: "n", count: 4_001), status: 64)
        #expect(try await run(town, "A", "note", "B").lines == ["met in Bonn", "has a dog"])
        try await run(town, "A", "note", "B", "")
        #expect(try await run(town, "A", "note", "B").lines == ["There are no notes about B."])
    }

    @Test func `labels are put on a contact in place of others, and taken off`() async throws {
        let town = try await Self.town()
        #expect(try await run(town, "A", "label", "B").lines == ["There are no labels on B."])
        #expect(try await run(town, "A", "label", "B", "work", "--spam").lines == ["B: Suspected spam, work"])
        #expect(try await run(town, "A", "label", "B", "choir").lines == ["B: choir"])
        #expect(
            (try await contact(town, of: "A")["labels"] as? [[String: String]]) == [["kind": "own", "text": "choir"]])
        try await run(town, "A", "label", "B", "--none", "choir", status: 64)
        try await run(town, "A", "label", "B", "--none")
        #expect(try await contact(town, of: "A")["labels"] == nil)
    }

    @Test func `a security code counts as compared until that is taken back`() async throws {
        let town = try await Self.town()
        try await run(town, "A", "compared", "B")
        #expect(try await contact(town, of: "A")["compared"] as? Bool == true)
        #expect(try await contact(town, of: "B")["compared"] == nil)
        try await run(town, "A", "compared", "B", "--undo")
        #expect(try await contact(town, of: "A")["compared"] == nil)
    }

    @Test func `a line about oneself reaches the contact, and goes again`() async throws {
        let town = try await Self.town()
        try await run(town, "A", "profile", "--description", "sings in a choir")
        let listening = try town.start(
            town.profile("B") + ["listen", "--json", "--camera", "none", "--microphone", "none"])
        try await listening.event("listening")
        try await run(town, "A", "profile", "--no-description", "--description", "x", status: 64)
        #expect(try await run(town, "A", "profile").lines == ["A", "sings in a choir"])
        listening.signal(SIGINT)
        _ = try await listening.exitStatus()
        #expect(try await contact(town, of: "B")["description"] as? String == "sings in a choir")
        let picture = try await run(town, "A", "profile", "--picture", "/dev/null", status: 64)
        #expect(!picture.errors.isEmpty)
    }

    @Test func `who is busy stays so at the next start, until it is over`() async throws {
        let town = try await Self.town()
        let before = try await run(town, "A", "busy").lines
        #expect(try await run(town, "A", "busy", "off").lines == before)
        let on = try await run(town, "A", "busy", "on").lines
        #expect(try await run(town, "A", "busy").lines == on)
        let listening = try town.start(
            town.profile("A") + ["listen", "--json", "--camera", "none", "--microphone", "none"])
        try await listening.event("listening")
        let calling = try await run(
            town, "B", "call", "A", "--json", "--camera", "none", "--microphone", "none", status: 1)
        #expect(try calling.events().contains { $0.name == "ended" && $0["reason"] as? String == "peerBusy" })
        listening.signal(SIGINT)
        _ = try await listening.exitStatus()
        let invitations = try await run(town, "A", "invitations", "--json")
        #expect(try !invitations.events().contains { $0.name == "invitation" })
    }
}
