import FakePortal
import Glibc
import TestSupport
import Testing

@testable import Portal

@Suite(.timeLimit(.minutes(5))) struct PortalRequestTests {
    private static let camera = "org.freedesktop.portal.Camera"
    private static let screen = "org.freedesktop.portal.ScreenCast"

    /// Runs a test beside a fake portal that lives as long as the test.
    private static func withDesktop(_ body: (FakePortal, DesktopPortal) async throws -> Void) async throws {
        let fake = try await FakePortal(on: try await PrivateBus())
        try await body(fake, try await DesktopPortal(on: try await Bus.connect(address: fake.home.address)))
        await fake.close()
    }

    @Test func `a granted request gives its results`() async throws {
        try await Self.withDesktop { fake, portal in
            fake.on(Self.camera, "AccessCamera") { _ in .response(0, ["answer": .uint32(42)]) }
            let results = try await portal.request(Self.camera, "AccessCamera")
            #expect(results == ["answer": .uint32(42)])
            #expect(fake.calls.map(\.name) == ["AccessCamera"])
        }
    }

    @Test(arguments: [(UInt32(1), PortalError.denied), (2, .ended)])
    func `a request that is not granted is an error`(_ code: UInt32, _ error: PortalError) async throws {
        try await Self.withDesktop { fake, portal in
            fake.on(Self.camera, "AccessCamera") { _ in .response(code) }
            await #expect(throws: error) { _ = try await portal.request(Self.camera, "AccessCamera") }
        }
    }

    @Test func `arguments go before the options`() async throws {
        try await Self.withDesktop { fake, portal in
            fake.on(Self.screen, "SelectSources") { _ in .response(0) }
            _ = try await portal.request(
                Self.screen, "SelectSources", [.objectPath("/session")], options: ["types": .uint32(3)])
            let arguments = try #require(fake.calls.first?.arguments)
            #expect(arguments.first == .objectPath("/session"))
            #expect(arguments.last?.entries?["types"] == .uint32(3))
            #expect(arguments.last?.entries?["handle_token"]?.string?.hasPrefix("parley") == true)
        }
    }

    @Test func `a request that nobody answers is taken back when its task is cancelled`() async throws {
        try await Self.withDesktop { fake, portal in
            fake.on(Self.camera, "AccessCamera") { _ in .silence }
            let asking = Task { try await portal.request(Self.camera, "AccessCamera") }
            try await waitUntil("the request") { fake.calls.map(\.name) == ["AccessCamera"] }
            asking.cancel()
            await #expect(throws: PortalError.cancelled) { _ = try await asking.value }
            try await waitUntil("taking it back") { fake.calls.map(\.name) == ["AccessCamera", "Close"] }
        }
    }

    @Test func `a portal that stops ends the request`() async throws {
        try await Self.withDesktop { fake, portal in
            fake.on(Self.camera, "AccessCamera") { _ in .silence }
            let asking = Task { try await portal.request(Self.camera, "AccessCamera") }
            try await waitUntil("the request") { !fake.calls.isEmpty }
            await fake.close()
            await #expect(throws: PortalError.ended) { _ = try await asking.value }
        }
    }

    @Test func `an answer of somebody else does not count`() async throws {
        try await Self.withDesktop { fake, portal in
            let stranger = try await Bus.connect(address: fake.home.address)
            fake.on(Self.camera, "AccessCamera") { call in
                let token = call.arguments.last?.entries?["handle_token"]?.string ?? ""
                try? stranger.emit(
                    path: DesktopPortal.objectPath("request", sender: call.sender, token: token),
                    interface: "org.freedesktop.portal.Request", name: "Response", [.uint32(0), .dictionary([:])],
                    to: call.sender)
                return .silence
            }
            let asking = Task { try await portal.request(Self.camera, "AccessCamera") }
            try await waitUntil("the request") { !fake.calls.isEmpty }
            // The bus keeps the order: what the stranger said is there before the portal leaves.
            _ = try await stranger.owner(of: "any.name")
            await fake.close()
            await #expect(throws: PortalError.ended) { _ = try await asking.value }
        }
    }

    @Test func `a bus without a portal is an error of its own`() async throws {
        let bus = try await PrivateBus()
        let connection = try await Bus.connect(address: bus.address)
        await #expect(throws: PortalError.noPortal) { _ = try await DesktopPortal(on: connection) }
    }

    @Test func `no bus is an error of its own`() async throws {
        await #expect {
            _ = try await Bus.connect(address: "unix:path=/nonexistent/bus")
        } throws: { error in
            if case .noBus = error as? PortalError { true } else { false }
        }
    }

    @Test func `an interface that the desktop lacks is told`() async throws {
        try await Self.withDesktop { fake, portal in
            fake.set("version", of: Self.camera, to: .uint32(1))
            let version = try await portal.property("version", of: Self.camera)
            #expect(version.integer == 1)
            await #expect(throws: PortalError.unsupported(Self.screen)) {
                _ = try await portal.property("version", of: Self.screen)
            }
            await #expect(throws: PortalError.unsupported("\(Self.screen).Start")) {
                _ = try await portal.request(Self.screen, "Start")
            }
        }
    }

    @Test func `a descriptor arrives open`() async throws {
        try await Self.withDesktop { fake, portal in
            var ends: [Int32] = [0, 0]
            try #require(pipe(&ends) == 0)
            defer { for end in ends { close(end) } }
            let reading = ends[0]
            fake.on(Self.camera, "OpenPipeWireRemote") { _ in .values([.handle(0)], descriptors: [reading]) }
            let descriptor = try await portal.openPipeWireRemote(Self.camera)
            #expect(descriptor.number != reading)
            var byte: UInt8 = 0
            #expect(write(ends[1], [7], 1) == 1)
            #expect(read(descriptor.number, &byte, 1) == 1)
            #expect(byte == 7)
        }
    }

    @Test func `a session ends when the desktop ends it`() async throws {
        try await Self.withDesktop { fake, portal in
            fake.on(Self.screen, "CreateSession") { _ in .session }
            let (ends, end) = AsyncStream<Void>.makeStream()
            let session = try await portal.makeSession(Self.screen) { end.finish() }
            #expect(fake.sessions == [session.path])
            try fake.endSession(session.path)
            for await _ in ends {}
        }
    }

    @Test func `a session that we close is closed at the desktop`() async throws {
        try await Self.withDesktop { fake, portal in
            fake.on(Self.screen, "CreateSession") { _ in .session }
            let session = try await portal.makeSession(Self.screen) {}
            await session.close()
            #expect(fake.sessions.isEmpty)
        }
    }
}
