import FakePortal
import Portal
import TestSupport
import Testing

@testable import DesktopSession

@Suite(.timeLimit(.minutes(5))) struct SessionEnvironmentTests {
    private let home: PrivateBus
    private let bus: Bus

    init() async throws {
        home = try await PrivateBus()
        bus = try await Bus.connect(address: home.address)
    }

    /// A manager that answers with these lines.
    private func manager(_ lines: BusValue) async throws -> Bus {
        let manager = try await Bus.connect(address: home.address)
        manager.serve { call in
            guard call.arguments == [.string("org.freedesktop.systemd1.Manager"), .string("Environment")] else {
                return call.refuse("org.freedesktop.DBus.Error.InvalidArgs", "not that")
            }
            call.answer([.variant(lines)])
        }
        try await manager.own("org.freedesktop.systemd1")
        return manager
    }

    @Test func `the session's variables are found`() async throws {
        let manager = try await manager(
            .array(["DISPLAY=:7", "PATH=/bin", "WAYLAND_DISPLAY=w=1", "broken"].map(BusValue.string), of: "s"))
        let found = await SessionEnvironment.variables(["DISPLAY", "WAYLAND_DISPLAY", "broken"], on: bus)
        #expect(found == ["DISPLAY": ":7", "WAYLAND_DISPLAY": "w=1"])
        withExtendedLifetime(manager) {}
    }

    @Test func `without a manager there are none`() async {
        #expect(await SessionEnvironment.variables(["DISPLAY"], on: bus) == [:])
    }

    @Test func `an answer of another kind is none`() async throws {
        let manager = try await manager(.string("DISPLAY=:7"))
        #expect(await SessionEnvironment.variables(["DISPLAY"], on: bus) == [:])
        withExtendedLifetime(manager) {}
    }
}
