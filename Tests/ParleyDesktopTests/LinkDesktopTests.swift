import BaseKit
import CallControl
import Foundation
import Portal
import TestSupport
import Testing

/// Links from outside, in the windows of the real program.
@Suite(.windows, .serialized, .timeLimit(.minutes(5))) final class LinkDesktopTests: DesktopSuite {
    private var folder: TemporaryFolder!
    private let invitation = "simplex:/invitation#/?v=2-7&smp=first"
    private let address = "simplex:/contact#/?v=2-7&smp=second"

    override init() throws {
        try super.init()
        folder = try TemporaryFolder()
        // That of the test before may not have left the bus yet.
        try waitForStatus { $0 == .notRunning }
    }

    private func client() throws -> ApplicationClient {
        ApplicationClient(bus: try blocking { try await Bus.session() })
    }

    private func waitForStatus(_ isRight: (ApplicationClient.Status) -> Bool) throws {
        let client = try client()
        for _ in 0..<600 {
            if isRight(try blocking { try await client.status() }) { return }
            usleep(50_000)
        }
        Issue.record("the name on the bus is not as it should be")
    }

    /// Starts the program under its name on the bus.
    private func start(_ words: [String] = []) throws -> RunningProgram {
        let parley = try RunningProgram(
            ["--pause", "150", "--named", "--calls-wait"] + words, environment: ["XDG_CONFIG_HOME": folder.path],
            program: RunningProgram.fakeCalls())
        atEnd { parley.kill() }
        return parley
    }

    /// Makes a link, which somebody opens at once, and copies it.
    private func copyLink(in program: RunningProgram) throws {
        try program.press("Add a contact")
        try program.press("Create link")
        try program.see("Waiting for the other person to open it.")
        try program.press("Copy link")
        try program.see("is now a contact.")
    }

    private func open(_ links: [String]) throws {
        let client = try client()
        try blocking { try await client.open(links) }
    }

    @Test func `a second start hands its link over, and the person is asked`() throws {
        let parley = try start()
        try parley.see("Call Sia Silent")
        #expect(try start([invitation]).exitStatus() == 0)
        try parley.see("Connect with who made this link?")
        try parley.see("contacts the relay relay.invalid")
        parley.screenshot("open-link")
        #expect(parley.accessible.namelessButtons == [])
        try parley.press("Cancel")
        try parley.seeNoMore("Connect with who made this link?")
        #expect(!parley.shows("Friend by link"))
        #expect(try start([invitation]).exitStatus() == 0)
        try parley.see("Connect with who made this link?")
        try parley.press("Connect")
        try parley.see("Video call with Friend by link")
        try parley.seeNoMore("Connect with who made this link?")
    }

    @Test func `a second start takes the place of a program that ends meanwhile`() throws {
        let first = try start()
        try first.see("Call Sia Silent")
        first.signal(SIGSTOP)
        let second = try start([invitation])
        // It has asked the first one, which does not answer.
        Thread.sleep(forTimeInterval: 1)
        #expect(second.isRunning)
        first.kill()
        try second.see("Connect with who made this link?")
    }

    @Test func `who shares the relay of the inviter asks it for the address, too`() throws {
        let parley = try start()
        try parley.see("Call Sia Silent")
        try open(["simplex:/invitation#/?v=2-7&smp=shared"])
        try parley.see("Connect with who made this link?")
        try parley.press("Connect")
        try parley.see("when both of you are online or in a call")
        try parley.press("Use Their Relay")
        try parley.see("Video call with Friend by link")
        try parley.choose("Preferences", from: "Main menu")
        try parley.turn(to: "Network")
        try parley.seeSwitch("Ask my relays for my address", isOn: true)
    }

    @Test func `links that come while the person is asked wait for their turn`() throws {
        let parley = try start()
        try parley.see("Call Sia Silent")
        try open([invitation, "nonsense"])
        try parley.see("Connect with who made this link?")
        try open([address])
        try open([invitation])
        #expect(!parley.shows("Ask the owner of this address?"))
        try parley.press("Cancel")
        try parley.see("This is not a link that Parley can open.")
        try parley.see("Ask the owner of this address?")
        #expect(!parley.shows("Connect with who made this link?"))
        try parley.press("Connect")
        try parley.see("Asked. They become a contact once they accept.")
        try parley.seeNoMore("Ask the owner of this address?")
    }

    @Test func `a link is asked about again after the window below the question was closed`() throws {
        let manager = try WindowManager()
        defer { withExtendedLifetime(manager) {} }
        let parley = try start()
        try parley.see("Call Sia Silent")
        // A call keeps the program when its window is closed.
        try parley.press("Call Sia Silent")
        try parley.see("End the call")
        try open([invitation])
        try parley.see("Connect with who made this link?")
        try Keyboard.activate(Keyboard.window(titled: "Parley"))
        try Keyboard.press("ctrl+w")
        try parley.seeNoMore("Connect with who made this link?")
        try open([address])
        try parley.see("Ask the owner of this address?")
    }

    @Test func `a link on the command line waits for the profile to be open`() throws {
        let parley = try start(["--locked", invitation])
        try parley.see("Passphrase")
        #expect(!parley.shows("Connect with who made this link?"))
        try parley.type("any", into: "Passphrase")
        try parley.press("Open")
        try parley.see("Connect with who made this link?")
    }

    @Test func `the own link is not opened`() throws {
        let parley = try start()
        try parley.press("Add a contact")
        try parley.press("Create link")
        let link = try parley.see("https://parley.invalid/invitation")
        try open([link])
        try parley.see("You have made this link yourself.")
        #expect(!parley.shows("Connect with who made this link?"))
    }

    @Test func `a link in the clipboard is offered once`() throws {
        let manager = try WindowManager()
        defer { withExtendedLifetime(manager) {} }
        let other = try fake()
        try copyLink(in: other)
        let parley = try start()
        try parley.see("You have copied a link to a contact.")
        parley.screenshot("clipboard")
        try parley.press("Open")
        try parley.see("Connect with who made this link?")
        try parley.press("Cancel")
        try parley.seeNoMore("Connect with who made this link?")
        try parley.seeNoMore("You have copied a link to a contact.")
        // It gets the focus once more; what would be offered comes before what is asked about here.
        for window in try Keyboard.windows(titled: "Parley") { try Keyboard.activate(window) }
        try open([address])
        try parley.see("Ask the owner of this address?")
        #expect(!parley.shows("You have copied a link to a contact."))
    }

    @Test func `the own link is not offered once somebody has opened it`() throws {
        let manager = try WindowManager()
        defer { withExtendedLifetime(manager) {} }
        let parley = try start()
        try copyLink(in: parley)
        // What would be offered comes after this.
        try parley.seeNoMore("is now a contact.")
        // What would be offered comes before what is asked about here.
        for window in try Keyboard.windows(titled: "Parley") { try Keyboard.activate(window) }
        try open([address])
        try parley.see("Ask the owner of this address?")
        #expect(!parley.shows("You have copied a link to a contact."))
    }

    @Test func `the own link is not offered when another program has it in the clipboard`() throws {
        let manager = try WindowManager()
        defer { withExtendedLifetime(manager) {} }
        let parley = try start()
        try parley.press("Add a contact")
        try parley.press("Create link")
        try parley.see("Waiting for the other person to open it.")
        try Keyboard.press("Escape")
        try parley.seeNoMore("Waiting for the other person to open it.")
        let window = try Keyboard.window(titled: "Parley")
        let other = try fake()
        // That of the pretended programs is the same.
        try copyLink(in: other)
        try Keyboard.activate(window)
        // What would be offered comes before what is asked about here.
        try open([address])
        try parley.see("Ask the owner of this address?")
        #expect(!parley.shows("You have copied a link to a contact."))
    }

    @Test func `a link of a real account makes a contact once the person agrees`() throws {
        let relay = try ReachableRelay(of: self)
        let ada = try program(named: "Ada", relay: relay.address)
        try ada.see("Contacts")
        try ada.press("Add a contact")
        try ada.press("Create link")
        let link = try ada.see("simplex:/")
        // As programs pass it on that take links for files.
        let passed = link.replacing("simplex:/", with: "simplex:///").replacing("#", with: "%23")
        let ben = try program(named: "Ben", relay: relay.address, words: [passed])
        try ben.see("Connect with who made this link?")
        try ben.see("contacts the relay \(TURNServer.machineAddress)")
        #expect(!ada.shows("Ben"))
        try ben.press("Connect")
        try ada.see("Video call with Ben")
        try ben.see("Video call with Ada")
    }

    private func program(named name: String, relay: String, words: [String] = []) throws -> RunningProgram {
        let parley = try RunningProgram(
            [
                "--profile", RunningProgram.emptyFolder().path, "--key-file", "--name", name, "--camera", "test",
                "--microphone", "test", "--relay", relay,
            ] + words)
        atEnd { parley.kill() }
        return parley
    }
}
