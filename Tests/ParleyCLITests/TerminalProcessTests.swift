import Foundation
import TestSupport
import Testing

/// What programs print when a contact's name is meant for the terminal.
@Suite(.timeLimit(.minutes(5))) struct TerminalProcessTests {
    @Test func `no name reaches the terminal as a command`() async throws {
        let town = try await Town()
        let name = "Eve\u{1B}[2J\u{9B}31m\u{202E}gpj\u{7}\u{2066}"
        let inviting = try town.start(town.profile("E") + ["--name", name, "invite", "--json"])
        let link = try #require(try await inviting.event("link")["link"] as? String)
        let connecting = try town.start(town.profile("A") + ["connect", link])
        #expect(try await connecting.exitStatus() == 0, "\(connecting.errors)")
        #expect(try await inviting.exitStatus() == 0)
        #expect(try #require(connecting.lines.last).hasPrefix("Connected with Eve"))
        let plain = try town.start(town.profile("A") + ["contacts"])
        #expect(try await plain.exitStatus() == 0, "\(plain.errors)")
        let json = try town.start(town.profile("A") + ["contacts", "--json"])
        #expect(try await json.exitStatus() == 0, "\(json.errors)")
        let wrong = try town.start(town.profile("A") + ["call", name + "\u{1B}]0;x"])
        #expect(try await wrong.exitStatus() == 64)
        #expect(plain.lines.contains { $0.hasPrefix("Eve") })
        #expect(try json.events().contains { ($0["contact"] as? String)?.hasPrefix("Eve") == true })
        for text in [connecting, plain, json, wrong].flatMap({ $0.lines + [$0.errors] }) {
            for scalar in text.unicodeScalars where scalar != "\n" {
                let category = scalar.properties.generalCategory
                #expect(category != .control && category != .format, "\(text.debugDescription)")
            }
        }
    }
}
