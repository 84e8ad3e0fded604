import CallControl
import DesktopSession
import FakeNotifications
import Foundation
import Portal
import TestSupport
import Testing

/// Parley as a unit of systemd's manager of the session, which its name on the bus starts: with real calls and crashes.
@Suite(
    .windows, .needs(UserManager.obstacle), .onlyWhere(UserManager.isAllowed, UserManager.refusal), .serialized,
    .timeLimit(.minutes(5)))
final class UserManagerStoryTests: DesktopSuite {
    private var screen: WindowManager?
    private var manager: UserManager!
    private var server: FakeNotificationServer!
    private var town: ServiceTown!

    override init() throws {
        try super.init()
        screen = try WindowManager()
        let manager = try UserManager()
        self.manager = manager
        server = try blocking { [address = manager.address] in
            let server = FakeNotificationServer(try await Bus.connect(address: address))
            try await server.open()
            return server
        }
        town = try ServiceTown(home: manager.address)
        let (words, environment) = town.command
        try manager.install([try RunningProgram.program().path] + words, environment: environment)
    }

    /// Asks for the program's name, and waits until calls come in.
    private func start() throws {
        try blocking { [bus = manager.bus] in try await bus.start(ParleyService.name) }
        try town.waitUntilReachable()
    }

    deinit {
        (town, server) = (nil, nil)
        (manager, screen) = (nil, nil)
    }

    private var owner: String? {
        get throws { try blocking { [bus = manager.bus] in try await bus.owner(of: ParleyService.name) } }
    }

    @Test func `a call that rings when the program crashes rings again in the one that systemd starts`() throws {
        try start()
        #expect(try manager.state == "active/running")
        let first = try owner
        let ben = try town.benCalls("--audio")
        try town.wait("the call") { self.server.shown.last?.body == "Incoming call" }
        try manager.crash()
        try town.wait("the call in another program") {
            try ![first, nil].contains(self.owner) && self.server.shown.count { $0.body == "Incoming call" } == 2
        }
        usleep(1_300_000)  // a person looks first
        try server.press("accept", of: try #require(server.shown.last).id)
        try town.wait(for: "firstFrame", of: ben)
        ben.signal(SIGINT)
        #expect(try town.end(of: ben) == 0, "\(ben.errors)")
    }

    @Test func `a call that a crash has cut off is told by the program that systemd starts`() throws {
        try start()
        let ben = try town.benCalls("--audio")
        try town.accept(try town.call(.ringing))
        try town.wait(for: "firstFrame", of: ben)
        let count = server.shown.count
        try manager.crash()
        try town.wait("the notification") { self.server.shown.dropFirst(count).last?.summary == "A call was cut off" }
        #expect(
            server.shown.last?.body == "The call with Ben was cut off because Parley ended unexpectedly.")
        #expect(try town.wait(for: "ended", of: ben)["reason"] as? String == "peerHungUp")
    }

    @Test func `the entry for the login has the unit started, without a window`() throws {
        #expect(try manager.state == "inactive/dead")
        try manager.logIn()
        try town.wait("the unit") { try self.manager.state == "active/running" }
        try town.waitUntilReachable()
        #expect(try Keyboard.windows(titled: "Parley") == [])
    }

    @Test func `a program that is told to end is not started again`() throws {
        try start()
        let client = ApplicationClient(bus: manager.bus)
        try blocking { try await client.stop() }
        try town.wait("the end") { try self.owner == nil }
        try town.wait("systemd to know") { try self.manager.state == "inactive/dead" }
    }
}
