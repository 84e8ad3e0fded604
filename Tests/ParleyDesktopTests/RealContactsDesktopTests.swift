import BaseKit
import Foundation
import TestSupport
import Testing

/// Contacts, relays and the key of real accounts, through the buttons of their windows.
@Suite(.windows, .serialized, .timeLimit(.minutes(5))) final class RealContactsDesktopTests: DesktopSuite {
    @Test func `two people meet by an address and compare their code`() throws {
        let relay = try ReachableRelay(of: self)
        let ada = try program(named: "Ada", relay: relay.address)
        let ben = try program(named: "Ben", relay: relay.address)
        try ada.see("Contacts")
        try ada.choose("Your address", from: "Main menu")
        try ada.press("Create address")
        let address = try ada.see("simplex:/")
        try ben.see("Contacts")
        try ben.press("Add a contact")
        try ben.type(address, into: "Link")
        try ben.see("This is an address: its owner will be asked.")
        try ben.press("Connect")
        try ada.press("Accept Ben")
        try ada.see("Video call with Ben")
        try ben.see("Video call with Ada")

        var codes: [String] = []
        for (person, other) in [(ada, "Ben"), (ben, "Ada")] {
            try person.choose("Compare security code", from: "Menu for \(other)")
            codes.append(try person.seeDigits())
        }
        #expect(codes.first == codes.last)

        try ben.press("Done")
        try ben.choose("Remove", from: "Menu for Ada")
        try ben.see("Ada was removed.")
        try ben.seeNoMore("Call Ada")
    }

    @Test func `a link that only this machine could open is not offered`() throws {
        let ada = try program(named: "Ada")
        try ada.see("Contacts")
        try ada.press("Add a contact")
        try ada.see("Nobody else could open it")
        #expect(!ada.shows("Create link"))
        ada.screenshot("unreachable-link")
        try ada.press("How People Reach You…")
        try ada.see("At present nobody else can open your links")
        ada.screenshot("reach")
        #expect(ada.accessible.namelessButtons == [])
    }

    @Test func `a profile under a passphrase opens only with it`() throws {
        let folder = try RunningProgram.emptyFolder().path
        let first = try RunningProgram(["--profile", folder])
        try first.see("Video call with Test call")
        try first.choose("Preferences", from: "Main menu")
        try first.turn(to: "Key")
        try first.press("Use a passphrase")
        try first.type("correct horse", into: "Passphrase")
        try first.type("correct horse", into: "The same again")
        try first.press("Set passphrase")
        try first.see("Under a passphrase")
        first.kill()
        _ = first.exitStatus()

        let manager = try WindowManager()
        let second = try RunningProgram(["--profile", folder])
        try second.see("Type your passphrase")
        try answer(second, "wrong horse")
        try second.see("The passphrase was wrong.")
        #expect(second.content(of: "Passphrase").count == 1, "one question lies over another")
        #expect(!second.shows("Contacts"))
        try answer(second, "correct horse")
        try second.see("Contacts")
        try second.seeNoMore("Passphrase")
        withExtendedLifetime(manager) {}
        second.kill()
        _ = second.exitStatus()

        let file = folder + ".passphrase"
        try Data("correct horse\n".utf8).write(to: URL(fileURLWithPath: file))
        let third = try RunningProgram(["--profile", folder, "--passphrase-file", file])
        try third.see("Contacts")
    }

    @Test func `a relay that is not there is named and removed`() throws {
        let fingerprint = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
        let folder = try RunningProgram.emptyFolder().path
        let parley = try RunningProgram(["--profile", folder])
        try parley.see("Contacts")
        try parley.choose("Preferences", from: "Main menu")
        try parley.turn(to: "Network")
        try parley.see("Inside this program")
        try parley.type("smp://\(fingerprint)@127.0.0.1:1", into: "Address of another relay")
        try parley.press("Add the relay")
        try parley.see("The relay 127.0.0.1:1 can’t be reached")
        parley.kill()
        _ = parley.exitStatus()

        let again = try RunningProgram(["--profile", folder])
        try again.see("The relay 127.0.0.1:1 can’t be reached")
        try again.choose("Preferences", from: "Main menu")
        try again.turn(to: "Network")
        try again.press("Remove the relay 127.0.0.1:1")
        try again.see("Inside this program")
        try again.seeNoMore("can’t be reached")
    }

    @Test func `a lost relay is said among the contacts, and no more once it is back`() throws {
        let relay = try ReachableRelay(of: self)
        let parley = try program(named: "Ada", relay: relay.address)
        try parley.see("Video call with Test call")
        try parley.seeNoMore("can’t be reached")
        relay.stop()
        try parley.see("The relay \(relay.place) can’t be reached")
        try relay.startAgain()
        try parley.seeNoMore("can’t be reached")
    }

    @Test func `a server for calls is there after the next start`() throws {
        let folder = try RunningProgram.emptyFolder().path
        let parley = try RunningProgram(["--profile", folder])
        try parley.see("Contacts")
        try parley.choose("Preferences", from: "Main menu")
        try parley.turn(to: "Network")
        try parley.type("stun:stun.invalid", into: "Address of a server, such as turns:example.org")
        try parley.press("Add the server")
        try parley.see("Tells your public address")
        parley.kill()
        _ = parley.exitStatus()

        let again = try RunningProgram(["--profile", folder])
        try again.see("Contacts")
        try again.choose("Preferences", from: "Main menu")
        try again.turn(to: "Network")
        try again.see("stun:stun.invalid")
        try again.press("Remove the server stun:stun.invalid")
        try again.seeNoMore("stun:stun.invalid")
    }

    @Test func `a server for calls is tested from the preferences`() throws {
        let folder = try TemporaryFolder()
        let relay = try ChildProcess(
            ChildProcess.built("parley-relay"),
            ["--listen", "127.0.0.1:0", "--state", folder.file("relay")], folder: folder.path)
        defer { withExtendedLifetime(relay) {} }
        // It answers STUN at the same port.
        let port =
            try blocking { try await relay.line { $0.hasPrefix("relay smp://") } }.split(separator: ":").last ?? ""
        let parley = try RunningProgram(["--profile", try RunningProgram.emptyFolder().path])
        try parley.see("Contacts")
        try parley.choose("Preferences", from: "Main menu")
        try parley.turn(to: "Network")
        for server in ["stun:127.0.0.1:\(port)", "stun:127.0.0.1:9"] {
            try parley.type(server, into: "Address of a server, such as turns:example.org")
            try parley.press("Add the server")
            try parley.press("Test the server \(server)")
        }
        try parley.see("can't be reached: Connection refused")
        try parley.press("Test the server stun:127.0.0.1:\(port)")
        try parley.see("It sees this machine at 127.0.0.1:")
        parley.screenshot("call-servers-tested")
    }

    @Test func `a relay and a server that were removed come back`() throws {
        let fingerprint = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
        let parley = try RunningProgram(["--profile", try RunningProgram.emptyFolder().path])
        try parley.see("Contacts")
        try parley.choose("Preferences", from: "Main menu")
        try parley.turn(to: "Network")
        try parley.type("smp://\(fingerprint)@127.0.0.1:1", into: "Address of another relay")
        try parley.press("Add the relay")
        try parley.press("Remove the relay 127.0.0.1:1")
        try parley.see("127.0.0.1:1 was removed.")
        try parley.seeNoMore("Remove the relay 127.0.0.1:1")
        parley.screenshot("removed-relay")
        try parley.press("Undo")
        try parley.see("Remove the relay 127.0.0.1:1")
        try parley.seeNoMore("was removed.")
        try parley.type("turn:turn.invalid", into: "Address of a server, such as turns:example.org")
        try parley.type("ada", into: "User")
        try parley.type("secret", into: "Password")
        try parley.press("Add the server")
        try parley.see("Relays calls for the user ada")
        try parley.press("Remove the server turn:turn.invalid")
        try parley.seeNoMore("Relays calls for the user ada")
        try parley.press("Undo")
        try parley.see("Relays calls for the user ada")
    }

    /// Types a passphrase into the question that has the keys, and presses Return.
    private func answer(_ parley: RunningProgram, _ text: String) throws {
        let main = [""] + (try Keyboard.windows(titled: "Parley"))
        let limit = Instant.now + .seconds(60)
        while main.contains(try Keyboard.activeWindow()), Instant.now < limit { usleep(50_000) }
        try parley.see("Type your passphrase")
        try Keyboard.type(text)
        try Keyboard.press("Return")
    }

    private func program(named name: String, relay: String? = nil) throws -> RunningProgram {
        try RunningProgram(
            [
                "--profile", try RunningProgram.emptyFolder().path, "--key-file", "--name", name, "--camera", "test",
                "--microphone", "test",
            ] + (relay.map { ["--relay", $0] } ?? []))
    }
}
