import CallControl
import FakeNotifications
import FakePortal
import Foundation
import Portal
import TestSupport
import Testing

/// A Parley that starts with the session, before its keyring is unlocked. On a bus of its own, on which there is no other keyring.
@Suite(.windows, .needs(GnomeKeyring.obstacle), .serialized, .timeLimit(.minutes(5)))
final class LockedKeyringStoryTests: DesktopSuite {
    /// Who asks for the keyring's password, and what starts it.
    private static let prompterName = "org.gnome.keyring.SystemPrompter"
    private static let prompter = "/usr/libexec/gcr-prompter"
    private static var obstacleOfPrompter: String? {
        FileManager.default.isExecutableFile(atPath: prompter) ? nil : "\(prompter) is not installed (package gcr)."
    }
    private var manager: WindowManager?
    private var home: PrivateBus!
    private var server: FakeNotificationServer!
    private var keyring: GnomeKeyring!
    private var town: ServiceTown!

    override init() throws {
        try super.init()
        manager = try WindowManager()
        let display = ProcessInfo.processInfo.environment["DISPLAY"] ?? ""
        let home = try blocking {
            try await PrivateBus(
                startsServices: false,
                services: [Self.prompterName: "/usr/bin/env DISPLAY=\(display) \(Self.prompter)"])
        }
        self.home = home
        server = try blocking {
            let server = FakeNotificationServer(try await Bus.connect(address: home.address))
            try await server.open()
            return server
        }
        keyring = try GnomeKeyring(on: home.address)
        town = try ServiceTown(home: home.address, hasKeyring: true)
    }

    deinit {
        (town, keyring, server) = (nil, nil, nil)
        (manager, home) = (nil, nil)
    }

    /// Starts Ada's Parley as the login does, while the keyring is locked.
    private func startLocked() throws -> RunningProgram {
        try keyring.lock()
        let ada = try town.startParley("--service")
        atEnd { ada.kill() }
        try town.wait("the notification") { !self.server.shown.isEmpty }
        return ada
    }

    /// Whether somebody asks for the keyring's password.
    private var isAsking: Bool {
        get throws {
            try blocking { [bus = town.bus] in
                try await bus.owner(of: Self.prompterName) != nil
            }
        }
    }

    private func waitForCall() throws -> FakeNotificationServer.Shown {
        try town.wait("the call") { self.server.shown.last?.body == "Incoming call" }
        usleep(1_300_000)  // a person looks first
        return try #require(server.shown.last)
    }

    @Test func `a locked keyring is said, and calls come in once it is unlocked`() throws {
        _ = try startLocked()
        let shown = try #require(server.shown.first)
        #expect(
            [shown.summary, shown.body] == [
                "Parley can’t receive calls yet",
                "The keyring is locked. Parley goes on by itself once it is unlocked.",
            ])
        #expect(try town.reachability == .locked)
        #expect(try Keyboard.windows(titled: "Parley") == [])
        #expect(try !isAsking)
        let ben = try town.benCalls("--audio")
        try town.wait(for: "dialing", of: ben)

        try keyring.unlock()
        try town.waitUntilReachable()
        try town.wait("the notification to go") { self.server.closed.contains(shown.id) }
        try server.press("accept", of: try waitForCall().id)
        try town.wait(for: "firstFrame", of: ben)
        #expect(server.shown.count == 2)
        ben.signal(SIGINT)
        #expect(try town.end(of: ben) == 0, "\(ben.errors)")
    }

    @Test func `a keyring that is unlocked without a word is noticed`() throws {
        _ = try startLocked()
        try keyring.unlockAtLogin()
        #expect(try !keyring.isLocked)
        try town.waitUntilReachable()
        #expect(server.shown.count == 1)
    }

    @Test func `a keyring that locks or ends while Parley runs is said with the key, as long as it is so`() throws {
        let ada = try town.startParley()
        atEnd { ada.kill() }
        try ada.see("Call Ben")
        try ada.choose("Preferences", from: "Main menu")
        try ada.turn(to: "Key")
        try ada.see("In the keyring")
        #expect(!ada.shows("The keyring is locked"))
        try keyring.lock()
        try ada.see("The keyring is locked")
        try ada.seeUsable("Unlock the keyring")
        ada.screenshot("keyring-lost")
        try keyring.unlock()
        try ada.seeNoMore("The keyring is locked")
        try keyring.kill()
        try ada.see("The keyring is not within reach")
        #expect(!ada.canPress("Unlock the keyring"))
        // Calls come in as ever.
        #expect(try town.reachability == .yes)
        try ada.press("Use a passphrase")
        try ada.type("correct horse", into: "Passphrase")
        try ada.type("correct horse", into: "The same again")
        try ada.press("Set passphrase")
        try ada.see("Under a passphrase")
        try ada.see("The keyring may hold the key still")
        // Said of the keyring, and once more of what was tried, which would come to its end otherwise once the keyring is back.
        let reason = "There is no keyring (Secret Service) in this session."
        try ada.see(reason)
        let before = ada.count(of: reason)
        try ada.press("Use the keyring")
        try town.wait("what was tried to fail") { ada.count(of: reason) > before }
        try ada.see("The keyring is not within reach")
        try keyring.start()
        try ada.seeNoMore("The keyring is not within reach")
        #expect(try keyring.keyCount == 1)
        try ada.press("Remove the key from the keyring")
        try ada.seeNoMore("The keyring may hold the key still")
        #expect(try keyring.keyCount == 0)
        try ada.press("Use the keyring")
        try ada.see("In the keyring")
        #expect(try keyring.keyCount == 1)
        #expect(server.shown.isEmpty)
    }

    @Test(.needs(obstacleOfPrompter))
    func `a keyring that has locked is unlocked from the preferences`() throws {
        let ada = try town.startParley()
        atEnd { ada.kill() }
        try ada.see("Call Ben")
        try keyring.lock()
        try ada.choose("Preferences", from: "Main menu")
        try ada.turn(to: "Key")
        try ada.press("Unlock the keyring")
        try town.wait("the question") { try Keyboard.windows(titled: ".*[Uu]nlock.*").count > 0 }
        try Keyboard.type(keyring.password)
        try Keyboard.press("Return")
        try ada.seeNoMore("The keyring is locked")
        #expect(try !keyring.isLocked)
    }

    @Test(.needs(obstacleOfPrompter))
    func `who opens the window is asked for the keyring`() throws {
        let ada = try startLocked()
        let client = ApplicationClient(bus: town.bus)
        try blocking { try await client.activate() }
        try town.wait("the question") { try Keyboard.windows(titled: ".*[Uu]nlock.*").count > 0 }
        ada.screenshot("keyring-question")
        try Keyboard.type(keyring.password)
        try Keyboard.press("Return")
        try ada.see("Call Ben")
        try town.waitUntilReachable()
    }
}
