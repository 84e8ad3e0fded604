import BaseKit
import FakeNotifications
import FakePortal
import Foundation
import GLibKit
import Portal
import TestSupport
import Testing

@testable import DesktopSession

@Suite(.serialized, .timeLimit(.minutes(5))) struct DoNotDisturbTests {
    private let home: PrivateBus
    private let quiet: DoNotDisturb

    init() async throws {
        home = try await PrivateBus(startsServices: false)
        quiet = DoNotDisturb(bus: try await Bus.connect(address: home.address))
    }

    /// A notification server of this name that says of every property that it is on.
    private func server(_ name: String, property: BusValue = .variant(.bool(true))) async throws
        -> FakeNotificationServer
    {
        let server = FakeNotificationServer(try await Bus.connect(address: home.address))
        server.answer("GetServerInformation", [name, "somebody", "1", "1.2"].map(BusValue.string))
        server.answer("Get", [property])
        try await server.open()
        return server
    }

    // MARK: Real services

    @Test(.needs(QuietService.obstacle)) func `dunst that is paused is not to be disturbed`() async throws {
        let dunst = try await QuietService(.dunst, at: home.address)
        #expect(await !quiet.isOn())
        try await dunst.setPaused(true)
        #expect(await quiet.isOn())
        try await dunst.setPaused(false)
        #expect(await !quiet.isOn())
    }

    @Test(.needs(QuietService.obstacle)) func `dunst tells when it is paused and when no more`() async throws {
        let dunst = try await QuietService(.dunst, at: home.address)
        var states = quiet.states().makeAsyncIterator()
        #expect(await states.next() == false)
        try await dunst.setPaused(true)
        #expect(await states.next() == true)
        try await dunst.setPaused(false)
        #expect(await states.next() == false)
    }

    @Test(.needs(QuietService.obstacle)) func `Xfce is not to be disturbed when its settings say so`() async throws {
        let settings = try await QuietService(.xfconf, at: home.address)
        let server = try await QuietService(.xfce, at: home.address)
        #expect(await !quiet.isOn())
        try await settings.setDoNotDisturb(.bool(true))
        #expect(await quiet.isOn())
        var states = quiet.states().makeAsyncIterator()
        #expect(await states.next() == true)
        try await settings.setDoNotDisturb(.bool(false))
        #expect(await states.next() == false)
        withExtendedLifetime(server) {}
    }

    @Test(.needs(QuietService.obstacle), arguments: [BusValue.string("true"), .int32(1), .array([], of: "v")])
    func `a setting of Xfce's that is no yes is a no`(value: BusValue) async throws {
        let settings = try await QuietService(.xfconf, at: home.address)
        let server = try await server("Xfce Notify Daemon")
        try await settings.setDoNotDisturb(value)
        #expect(await !quiet.isOn())
        await server.close()
    }

    @Test(.needs(GNOMESettings.obstacle)) func `GNOME without banners is not to be disturbed`() async throws {
        let server = try await server("gnome-shell")
        let settings = try GNOMESettings()
        #expect(await !quiet.isOn())
        settings.showsBanners = false
        #expect(await quiet.isOn())
        await server.close()
    }

    @Test(.needs(GNOMESettings.obstacle)) func `GNOME's setting means nothing under another server`() async throws {
        let server = try await server("Plasma", property: .variant(.bool(false)))
        let settings = try GNOMESettings()
        settings.showsBanners = false
        #expect(await !quiet.isOn())
        await server.close()
    }

    /// The setting of this test's process, which is in memory; as it was when the object goes.
    final class GNOMESettings {
        private static let schema = "org.gnome.desktop.notifications"
        private let settings: Settings

        static var obstacle: String? {
            guard ProcessInfo.processInfo.environment["GSETTINGS_BACKEND"] == "memory" else {
                return "The settings are not in memory."
            }
            return (try? Settings(schema: schema)) == nil ? "gsettings-desktop-schemas is not installed." : nil
        }

        init() throws { settings = try Settings(schema: Self.schema) }

        deinit { settings[flag: "show-banners"] = true }

        var showsBanners: Bool {
            get { settings[flag: "show-banners"] }
            set { settings[flag: "show-banners"] = newValue }
        }
    }

    // MARK: Others

    @Test func `a server that inhibits notifications is not to be disturbed`() async throws {
        let server = try await server("Plasma")
        #expect(await quiet.isOn())
        server.answer("Get", [.variant(.bool(false))])
        #expect(await !quiet.isOn())
        await server.close()
    }

    @Test func `a desktop that has nothing of all that may be disturbed`() async throws {
        #expect(await !quiet.isOn())
        var states = quiet.states().makeAsyncIterator()
        #expect(await states.next() == false)
    }

    @Test(arguments: [
        [], [BusValue.string("true")], [.variant(.uint32(1))], [.tuple([.bool(true)])], [.dictionary([:])],
    ])
    func `an answer that makes no sense is no reason to be quiet`(answer: [BusValue]) async throws {
        let server = try await server("dunst")
        server.answer("Get", answer)
        #expect(await !quiet.isOn())
        await server.close()
    }

    @Test func `a server that says nonsense of itself is asked all the same`() async throws {
        let server = try await server("")
        server.answer("GetServerInformation", [.uint32(7)])
        #expect(await quiet.isOn())
        await server.close()
    }

    @Test func `a server that hangs is given up after a second`() async throws {
        let server = try await server("dunst")
        server.fallSilent()
        let start = Instant.now
        #expect(await !quiet.isOn())
        // Generous: without a limit GDBus waits 25 s.
        #expect(Instant.now - start < .seconds(10))
        await server.close()
    }

    @Test func `settings that hang hold up nobody who is not believed for them`() async throws {
        let settings = try await FakeScreenSaver("org.xfce.Xfconf", .hanging, at: home.address)
        let server = try await server("dunst")
        let start = Instant.now
        #expect(await quiet.isOn())
        #expect(Instant.now - start < .milliseconds(900))
        await server.close()
        await settings.close()
    }

    @Test func `a server that comes and goes is noticed`() async throws {
        var states = quiet.states().makeAsyncIterator()
        #expect(await states.next() == false)
        let server = try await server("Plasma")
        #expect(await states.next() == true)
        await server.close()
        #expect(await states.next() == false)
    }

    @Test(.needs(QuietService.obstacle)) func `no service is started for it`() async throws {
        let home = try await PrivateBus()
        let bus = try await Bus.connect(address: home.address)
        let quiet = DoNotDisturb(bus: bus)
        #expect(await !quiet.isOn())
        for kind in QuietService.Kind.allCases { #expect(try await bus.owner(of: kind.name) == nil) }
    }
}
