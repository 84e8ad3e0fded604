import BaseKit
import FakePortal
import GLibKit
import Glibc
import Portal
import TestSupport
import Testing

@testable import Media
@testable import MediaRules

extension RealMedia {
    /// Sharing through the ScreenCast portal, with a desktop of the test's own.
    @Suite(.needs(ScreenDesktop.obstacle))
    struct PortalScreenTests {
        /// A connected call whose offerer asks this desktop.
        private func call(on desktop: ScreenDesktop) async throws -> Loopback {
            let address = desktop.bus.address
            let call = try await Loopback { offerer, _ in
                offerer.screens = PortalScreens { () async throws(PortalError) in
                    try await DesktopPortal(on: try await Bus.connect(address: address))
                }
            }
            try await call.connect()
            try await call.waitForPictures()
            return call
        }

        @Test func `what the person chose is shown beside the camera until the desktop ends it`() async throws {
            let desktop = try await ScreenDesktop()
            let screen = try await desktop.addScreen("monitor", colour: 0x20C040)
            desktop.choose(try await desktop.node("monitor"))
            let call = try await call(on: desktop)
            await call.offerer.startScreen(.portal)
            try await eventually { call.answerer.remoteScreen.latest()?.isClose(0x20, 0xC0, 0x40) == true }
            let picture = try #require(call.answerer.remoteScreen.latest())
            #expect((picture.width, picture.height) == (1_600, 900))
            try await eventually { call.answerer.remoteVideo.latest()?.isTestPicture == true }
            let options = desktop.portal.calls.first { $0.name == "SelectSources" }?.arguments.last?.entries
            #expect(options?["types"] == .uint32(3) && options?["cursor_mode"] == .uint32(2))
            let session = try #require(desktop.portal.sessions.first)
            try desktop.portal.endSession(session)
            await call.offererLog.wait { $0.last(where: \.isSharing) == .screenSharing(.off) }
            try await eventually { call.answerer.remoteScreen.latest() == nil }
            #expect(call.offererLog.events.allSatisfy { !$0.isNotice })
            await call.close()
            withExtendedLifetime(screen) {}
        }

        @Test func `stopping gives the right back to the desktop, and another screen may follow`() async throws {
            let desktop = try await ScreenDesktop()
            let screens = [
                try await desktop.addScreen("first", colour: 0x20C040),
                try await desktop.addScreen("second", colour: 0xC04020, width: 800, height: 1_280),
            ]
            let call = try await call(on: desktop)
            desktop.choose(try await desktop.node("first"))
            await call.offerer.startScreen(.portal)
            try await eventually { call.answerer.remoteScreen.latest()?.isClose(0x20, 0xC0, 0x40) == true }
            await call.offerer.stopScreen()
            try await eventually { desktop.portal.sessions.isEmpty }
            desktop.choose(try await desktop.node("second"))
            await call.offerer.startScreen(.portal)
            try await eventually { call.answerer.remoteScreen.latest()?.isClose(0xC0, 0x40, 0x20) == true }
            let picture = try #require(call.answerer.remoteScreen.latest())
            #expect((picture.width, picture.height) == (750, 1_200))
            await call.close()
            try await eventually { desktop.portal.sessions.isEmpty }
            withExtendedLifetime(screens) {}
        }

        @Test func `a screen that goes away ends sharing with a sentence`() async throws {
            let desktop = try await ScreenDesktop()
            let screen = try await desktop.addScreen("window", colour: 0x20C040)
            desktop.choose(try await desktop.node("window"))
            let call = try await call(on: desktop)
            await call.offerer.startScreen(.portal)
            try await eventually { call.answerer.remoteScreen.latest() != nil }
            try await screen.end()
            await call.offererLog.wait { $0.last(where: \.isSharing) == .screenSharing(.off) }
            #expect(call.offererLog.events.contains { $0.isNotice })
            try await eventually { call.answerer.remoteScreen.latest() == nil }
            await call.close()
        }

        @Test func `a screen on which nothing moves for long has not gone`() async throws {
            let desktop = try await ScreenDesktop()
            let screen = try await desktop.addScreen("text", colour: 0x20C040)
            desktop.choose(try await desktop.node("text"))
            let call = try await call(on: desktop)
            await call.offerer.startScreen(.portal)
            try await eventually { call.answerer.remoteScreen.latest() != nil }
            // No picture comes any more, but the source is there.
            screen.freeze()
            let seen = await call.answerer.statistics().received.screenFrames
            try await waitUntil("pictures for longer than a source is waited for", within: .seconds(60)) {
                await call.answerer.statistics().received.screenFrames >= seen + 2 * Int(StillScreen.patience.inSeconds)
                    + 5
            }
            #expect(call.offererLog.events.last { $0.isSharing } == .screenSharing(.on(withSound: false)))
            await call.close()
        }

        @Test(arguments: [UInt32(1), 2])
        func `a person who refuses is told nothing`(code: UInt32) async throws {
            let desktop = try await ScreenDesktop()
            desktop.portal.on(ScreenDesktop.screenCast, "Start") { _ in .response(code) }
            let call = try await call(on: desktop)
            await call.offerer.startScreen(.portal)
            await call.offererLog.wait { $0.last(where: \.isSharing) == .screenSharing(.off) }
            #expect(call.offererLog.events.allSatisfy { !$0.isNotice })
            #expect(await call.offerer.statistics().sent.screenFrames == 0)
            try await eventually { desktop.portal.sessions.isEmpty }
            await call.close()
        }

        @Test func `a question that is open is taken back`() async throws {
            let desktop = try await ScreenDesktop()
            desktop.portal.on(ScreenDesktop.screenCast, "Start") { _ in .silence }
            let call = try await call(on: desktop)
            let asking = Task { await call.offerer.startScreen(.portal) }
            try await eventually { desktop.portal.calls.contains { $0.name == "Start" } }
            await call.offerer.stopScreen()
            await asking.value
            try await eventually {
                desktop.portal.calls.contains { $0.interface == "org.freedesktop.portal.Request" && $0.name == "Close" }
            }
            #expect(await call.offerer.sharing == .off)
            await call.close()
        }

        @Test func `without a portal a sentence says so`() async throws {
            let bus = try await PrivateBus()
            let address = bus.address
            let call = try await Loopback { offerer, _ in
                offerer.screens = PortalScreens { () async throws(PortalError) in
                    try await DesktopPortal(on: try await Bus.connect(address: address))
                }
            }
            try await call.connect()
            try await call.waitForPictures()
            await call.offerer.startScreen(.portal)
            await call.offererLog.wait { events in
                events.contains { $0.fault == .screenNotGiven(Cause(PortalError.noPortal)) }
            }
            await call.offererLog.wait { $0.last(where: \.isSharing) == .screenSharing(.off) }
            await call.close()
        }

        /// Answers that no portal gives.
        static let nonsense: [(String, [String: BusValue])] = [
            ("nothing", [:]), ("no streams", ["streams": .array([], of: "(ua{sv})")]),
            ("a text", ["streams": .string("42")]),
            ("texts", ["streams": .array([.string("42")], of: "s")]),
            ("a negative node", ["streams": .array([.tuple([.int32(-1), .dictionary([:])])], of: "(ia{sv})")]),
        ]

        @Test(arguments: nonsense.indices)
        func `an answer that can't be understood is an error, not a screen`(index: Int) async throws {
            let desktop = try await ScreenDesktop()
            desktop.allow(Self.nonsense[index].1)
            let address = desktop.bus.address
            let screens = PortalScreens { () async throws(PortalError) in
                try await DesktopPortal(on: try await Bus.connect(address: address))
            }
            await #expect(throws: MediaError.self) { try await screens.choose() }
            try await eventually { desktop.portal.sessions.isEmpty }
        }

        @Test func `wrong properties and descriptors are errors with a sentence`() async throws {
            let desktop = try await ScreenDesktop()
            let address = desktop.bus.address
            let screens = PortalScreens { () async throws(PortalError) in
                try await DesktopPortal(on: try await Bus.connect(address: address))
            }
            desktop.choose(4_000_000)
            desktop.portal.set("AvailableSourceTypes", of: ScreenDesktop.screenCast, to: .string("all"))
            await #expect(throws: MediaError.self) { try await screens.choose() }
            desktop.choose(4_000_000)
            desktop.portal.on(ScreenDesktop.screenCast, "OpenPipeWireRemote") { _ in .values([.handle(7)]) }
            await #expect(throws: MediaError.self) { try await screens.choose() }
        }
    }
}

extension PeerSessionEvent {
    var isNotice: Bool { if case .notice = self { true } else { false } }
}

extension VideoFrame {
    /// Whether the mean colour is about this one.
    func isClose(_ red: Int, _ green: Int, _ blue: Int) -> Bool {
        let colour = meanColour
        return abs(colour.red - red) < 28 && abs(colour.green - green) < 28 && abs(colour.blue - blue) < 28
    }
}
