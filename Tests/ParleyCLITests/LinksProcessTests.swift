import Foundation
import TestSupport
import Testing

/// Links that nobody has opened yet, on the command line.
@Suite(.serialized, .timeLimit(.minutes(5))) struct LinksProcessTests {
    @Test func `open links are listed given again and withdrawn`() async throws {
        let town = try await Town()
        let inviting = try town.start(town.profile("A") + ["invite", "--for", "Aunt Hilda", "--json"])
        let link = try #require(try await inviting.event("link")["link"] as? String)
        inviting.signal(SIGINT)
        #expect(try await inviting.exitStatus() == 130)

        let listing = try town.start(town.profile("A") + ["links", "--json"])
        #expect(try await listing.exitStatus() == 0, "\(listing.errors)")
        let open = try #require(try listing.events().first { $0.name == "open-link" })
        #expect(open["contact"] as? String == "Aunt Hilda")
        #expect(open["named"] as? Bool == true)
        #expect(open["link"] as? String == link)
        #expect(open["reach"] as? String == "machine")
        let made = try #require(open["made"] as? Int)
        #expect(abs(Date(timeIntervalSince1970: TimeInterval(made)).timeIntervalSinceNow) < 300)
        let words = try town.start(town.profile("A") + ["links"])
        #expect(try await words.exitStatus() == 0)
        #expect(words.lines.contains { $0.hasPrefix("Aunt Hilda: made ") && $0.hasSuffix("for this machine only") })
        #expect(words.lines.contains { $0.trimmingCharacters(in: .whitespaces) == link })

        let withdrawing = try town.start(town.profile("A") + ["links", "--withdraw", "Aunt Hilda", "--json"])
        #expect(try await withdrawing.exitStatus() == 0, "\(withdrawing.errors)")
        #expect(try withdrawing.events().last?.name == "withdrawn")
        let nothing = try town.start(town.profile("A") + ["links"])
        #expect(try await nothing.exitStatus() == 0)
        #expect(nothing.lines == ["There is no link that waits to be opened."])
    }

    @Test func `a contact's link that was opened is not withdrawn`() async throws {
        let town = try await Town()
        try await town.introduce("A", "B")
        let withdrawing = try town.start(town.profile("A") + ["links", "--withdraw", "B"])
        #expect(try await withdrawing.exitStatus() != 0)
        #expect(withdrawing.errors.contains("somebody has opened it"))
        let contacts = try town.start(town.profile("A") + ["contacts"])
        #expect(try await contacts.exitStatus() == 0)
        #expect(contacts.lines.contains { $0.contains("B") })
    }
}
