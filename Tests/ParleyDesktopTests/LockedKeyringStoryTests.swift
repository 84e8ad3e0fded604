import CallControl
import FakeNotifications
import FakePortal
import Portal
import TestSupport
import XCTest

/// A Parley that starts with the session, before its keyring is unlocked. On a bus of its own, on which there is no other keyring.
final class LockedKeyringStoryTests: DesktopTestCase {
    /// Who asks for the keyring's password, and what starts it.
    private static let prompterName = "org.gnome.keyring.SystemPrompter"
    private static let prompter = "/usr/libexec/gcr-prompter"
    private var manager: WindowManager?
    private var home: PrivateBus!
    private var server: FakeNotificationServer!
    private var keyring: GnomeKeyring!
    private var town: ServiceTown!

    override func setUpWithError() throws {
        try super.setUpWithError()
        if let obstacle = GnomeKeyring.obstacle { try skip(needing: obstacle) }
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

    override func tearDown() {
        (town, keyring, server) = (nil, nil, nil)
        (manager, home) = (nil, nil)
    }

    /// Starts Ada's Parley as the login does, while the keyring is locked.
    private func startLocked() throws -> RunningProgram {
        try keyring.lock()
        let ada = try town.startParley("--service")
        addTeardownBlock { ada.kill() }
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
        return try XCTUnwrap(server.shown.last)
    }

    func testALockedKeyringIsSaidAndCallsComeInOnceItIsUnlocked() throws {
        _ = try startLocked()
        let shown = try XCTUnwrap(server.shown.first)
        XCTAssertEqual(
            [shown.summary, shown.body],
            [
                "Parley can’t receive calls yet",
                "The keyring is locked. Parley goes on by itself once it is unlocked.",
            ])
        XCTAssertEqual(try town.reachability, .locked)
        XCTAssertEqual(try Keyboard.windows(titled: "Parley"), [])
        XCTAssertFalse(try isAsking)
        let ben = try town.benCalls("--audio")
        try town.wait(for: "dialing", of: ben)

        try keyring.unlock()
        try town.waitUntilReachable()
        try town.wait("the notification to go") { self.server.closed.contains(shown.id) }
        try server.press("accept", of: try waitForCall().id)
        try town.wait(for: "firstFrame", of: ben)
        XCTAssertEqual(server.shown.count, 2)
        ben.signal(SIGINT)
        XCTAssertEqual(try town.end(of: ben), 0, ben.errors)
    }

    func testAKeyringThatIsUnlockedWithoutAWordIsNoticed() throws {
        _ = try startLocked()
        try keyring.unlockAtLogin()
        XCTAssertFalse(try keyring.isLocked)
        try town.waitUntilReachable()
        XCTAssertEqual(server.shown.count, 1)
    }

    func testWhoOpensTheWindowIsAskedForTheKeyring() throws {
        guard FileManager.default.isExecutableFile(atPath: Self.prompter) else {
            try skip(needing: "\(Self.prompter) is not installed (package gcr).")
        }
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
