import FakePortal
import Portal
import TestSupport
import Testing

@testable import DesktopSession

@Suite(.timeLimit(.minutes(5))) struct GlobalShortcutsTests {
    private static let interface = GlobalShortcuts.interface
    private static let wanted = [
        GlobalShortcuts.Shortcut("hang-up", description: "Hang up", wishedKeys: "CTRL+ALT+h"),
        GlobalShortcuts.Shortcut("mute", description: "Turn the microphone off or on"),
    ]

    /// What a portal gives for these shortcuts.
    private static func given(_ keys: [String: String]) -> [String: BusValue] {
        let shortcuts = keys.sorted { $0.key < $1.key }.map { identifier, keys in
            BusValue.tuple([.string(identifier), .dictionary(["trigger_description": .string(keys)])])
        }
        return ["shortcuts": .array(shortcuts, of: "(sa{sv})")]
    }

    /// Runs a test beside a portal that has shortcuts.
    private static func withDesktop(
        _ bound: FakePortal.Answer = .response(0, given(["hang-up": "Ctrl+Alt+H"])),
        _ body: (FakePortal, DesktopPortal) async throws -> Void
    ) async throws {
        let fake = try await FakePortal(on: try await PrivateBus(startsServices: false))
        fake.set("version", of: interface, to: .uint32(1))
        fake.on(interface, "CreateSession") { _ in .session }
        fake.on(interface, "BindShortcuts") { _ in bound }
        try await body(fake, try await DesktopPortal(on: try await Bus.connect(address: fake.home.address)))
        await fake.close()
    }

    private static func bind(_ portal: DesktopPortal) async throws -> GlobalShortcuts {
        try await GlobalShortcuts.bind(wanted, for: "im.parley.Parley", on: portal)
    }

    private static func activate(
        _ identifier: BusValue, _ session: String, _ fake: FakePortal,
        _ values: [BusValue] = [.uint64(7), .dictionary([:])]
    ) throws {
        try fake.emit(interface, "Activated", [.objectPath(session), identifier] + values)
    }

    @Test func `the desktop is told who wants which shortcuts`() async throws {
        try await Self.withDesktop { fake, portal in
            fake.on("org.freedesktop.host.portal.Registry", "Register") { _ in .values([]) }
            let shortcuts = try await Self.bind(portal)
            #expect(shortcuts.keys == ["hang-up": "Ctrl+Alt+H"])
            try #require(fake.calls.map(\.name) == ["Register", "CreateSession", "BindShortcuts"])
            #expect(fake.calls[0].arguments == [.string("im.parley.Parley"), .dictionary([:])])
            let arguments = fake.calls[2].arguments
            #expect(arguments[0] == .objectPath(try #require(fake.sessions.first)))
            #expect(
                arguments[1].members == [
                    .tuple([
                        .string("hang-up"),
                        .dictionary(["description": .string("Hang up"), "preferred_trigger": .string("CTRL+ALT+h")]),
                    ]),
                    .tuple([.string("mute"), .dictionary(["description": .string("Turn the microphone off or on")])]),
                ])
            #expect(arguments[2] == .string(""))
            await shortcuts.close()
            #expect(fake.sessions.isEmpty)
        }
    }

    @Test func `what is pressed is told in order`() async throws {
        try await Self.withDesktop { fake, portal in
            let shortcuts = try await Self.bind(portal)
            let session = try #require(fake.sessions.first)
            for identifier in ["mute", "hang-up", "mute"] { try Self.activate(.string(identifier), session, fake) }
            var pressed = shortcuts.activations.makeAsyncIterator()
            for identifier in ["mute", "hang-up", "mute"] { #expect(await pressed.next() == identifier) }
            await shortcuts.close()
        }
    }

    @Test func `what is pressed elsewhere, unheard of, or makes no sense does nothing`() async throws {
        try await Self.withDesktop { fake, portal in
            let shortcuts = try await Self.bind(portal)
            let session = try #require(fake.sessions.first)
            try Self.activate(.string("hang-up"), session + "1", fake)
            try Self.activate(.string("quit"), session, fake)
            try Self.activate(.uint32(1), session, fake)
            try Self.activate(.string("hang-up"), session, fake, [])
            try fake.emit(Self.interface, "Activated", [])
            try fake.emit(Self.interface, "Deactivated", [.objectPath(session), .string("hang-up")])
            let stranger = try await Bus.connect(address: fake.home.address)
            try stranger.emit(
                path: DesktopPortal.path, interface: Self.interface, name: "Activated",
                [.objectPath(session), .string("hang-up"), .uint64(7), .dictionary([:])])
            // The bus keeps the order: what the stranger said is there before what the portal says.
            _ = try await stranger.owner(of: "any.name")
            try Self.activate(.string("mute"), session, fake)
            var pressed = shortcuts.activations.makeAsyncIterator()
            #expect(await pressed.next() == "mute")
            await shortcuts.close()
        }
    }

    @Test(arguments: [(UInt32(1), PortalError.denied), (2, .ended)])
    func `shortcuts that are not given are an error, and the session is closed`(code: UInt32, error: PortalError)
        async throws
    {
        try await Self.withDesktop(.response(code)) { fake, portal in
            await #expect(throws: error) { _ = try await Self.bind(portal) }
            #expect(fake.sessions.isEmpty)
        }
    }

    @Test(arguments: [
        [:], ["shortcuts": BusValue.uint32(1)], ["shortcuts": .array([.string("hang-up")], of: "s")],
        ["shortcuts": .array([.tuple([.string("hang-up")])], of: "(s)")],
    ])
    func `an answer that makes no sense is an error`(results: [String: BusValue]) async throws {
        try await Self.withDesktop(.response(0, results)) { fake, portal in
            await #expect {
                _ = try await Self.bind(portal)
            } throws: { error in
                if case .unexpectedAnswer = error as? PortalError { true } else { false }
            }
            #expect(fake.sessions.isEmpty)
        }
    }

    @Test func `keys for what nobody asked for are left out`() async throws {
        try await Self.withDesktop(.response(0, Self.given(["quit": "Ctrl+Q", "mute": "Ctrl+M"]))) { _, portal in
            let shortcuts = try await Self.bind(portal)
            #expect(shortcuts.keys == ["mute": "Ctrl+M"])
            await shortcuts.close()
        }
    }

    @Test func `a desktop without shortcuts is an error of its own`() async throws {
        let fake = try await FakePortal(on: try await PrivateBus(startsServices: false))
        let portal = try await DesktopPortal(on: try await Bus.connect(address: fake.home.address))
        await #expect(throws: PortalError.unsupported(Self.interface)) { _ = try await Self.bind(portal) }
        #expect(fake.sessions.isEmpty)
        await fake.close()
    }

    @Test func `a session that the desktop ends is the end of what is pressed`() async throws {
        try await Self.withDesktop { fake, portal in
            let shortcuts = try await Self.bind(portal)
            let session = try #require(fake.sessions.first)
            try Self.activate(.string("mute"), session, fake)
            try fake.endSession(session)
            var count = 0
            for await _ in shortcuts.activations { count += 1 }
            #expect(count <= 1)
        }
    }

    @Test func `a portal that crashes is the end of what is pressed`() async throws {
        try await Self.withDesktop { fake, portal in
            let shortcuts = try await Self.bind(portal)
            await fake.close()
            for await _ in shortcuts.activations {}
        }
    }
}
