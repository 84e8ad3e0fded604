import FakePortal
import Foundation
import Portal
import Testing

/// Keys that the desktop gives for everywhere, and what they do to a call.
@Suite(.windows, .serialized, .timeLimit(.minutes(5))) final class KeysEverywhereDesktopTests: ServiceSuite {
    private static let interface = "org.freedesktop.portal.GlobalShortcuts"
    private var home: PrivateBus!
    private var portal: FakePortal!

    override init() throws {
        try super.init()
        let home = try blocking { try await PrivateBus(startsServices: false) }
        self.home = home
        portal = try blocking {
            let portal = try await FakePortal(on: home)
            portal.set("version", of: Self.interface, to: .uint32(1))
            portal.on(Self.interface, "CreateSession") { _ in .session }
            portal.on(Self.interface, "BindShortcuts") { _ in .response(0, ["shortcuts": .array([], of: "(sa{sv})")]) }
            // GTK asks by it in a call that the machine stays awake.
            portal.on("org.freedesktop.portal.Inhibit", "Inhibit") { _ in .response(0) }
            return portal
        }
        environment["DBUS_SESSION_BUS_ADDRESS"] = home.address
        environment["AT_SPI_BUS_ADDRESS"] = try ServiceTown.accessibilityBus()
    }

    deinit {
        portal = nil
        home = nil
    }

    /// Presses a key while another program has the keyboard.
    private func press(_ key: String) throws {
        let session = try #require(portal.sessions.first)
        try portal.emit(
            Self.interface, "Activated", [.objectPath(session), .string(key), .uint64(1), .dictionary([:])])
    }

    /// Those that were asked for.
    private var wanted: [String] {
        portal.calls.last { $0.name == "BindShortcuts" }?.arguments[1].members?.compactMap { $0.members?.first?.string }
            ?? []
    }

    @Test func `they mute the call and end it, by choice`() throws {
        try choose(["keys-everywhere": true])
        let parley = try start()
        try wait("the keys") { self.wanted == ["hang-up", "mute"] && !self.portal.sessions.isEmpty }
        try parley.press("Call Sia Silent")
        try parley.see("0:")
        try press("mute")
        try parley.see("Unmute microphone")
        try press("mute")
        try parley.see("Mute microphone")
        try press("hang-up")
        try parley.see("You ended the call.")
    }

    @Test func `they do nothing where no call is`() throws {
        try choose(["keys-everywhere": true])
        let parley = try start()
        try wait("the keys") { !self.portal.sessions.isEmpty }
        try parley.see("Call Sia Silent")
        try press("hang-up")
        try press("mute")
        try parley.press("Call Sia Silent")
        try parley.see("0:")
        try parley.see("Mute microphone")
    }

    @Test func `nobody asks for them without that choice`() throws {
        try choose(["keys-everywhere": false])
        let parley = try start()
        try parley.press("Call Sia Silent")
        try parley.see("0:")
        #expect(wanted.isEmpty && portal.sessions.isEmpty)
    }
}
