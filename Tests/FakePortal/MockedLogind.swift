import Foundation
import Portal
import TestSupport

/// python-dbusmock's logind on a bus of the test's own. It keeps the list of inhibitors as the real one does.
public final class MockedLogind: Sendable {
    /// Why it can't be started here.
    public static var obstacle: String? { Dbusmock.obstacle }

    private let bus: Bus
    private let process: ChildProcess
    private let folder: TemporaryFolder

    /// Starts it.
    public init(on home: PrivateBus) async throws {
        folder = try TemporaryFolder()
        process = try ChildProcess(
            "/usr/bin/env",
            [
                "DBUS_SYSTEM_BUS_ADDRESS=\(home.address)", Dbusmock.python, "-m", "dbusmock", "--system",
                "--template", "logind",
            ], folder: folder.path)
        let bus = try await Bus.connect(address: home.address)
        self.bus = bus
        try await waitUntil("logind") { (try? await bus.owner(of: "org.freedesktop.login1")) ?? nil != nil }
    }

    /// Ends it, as a crash does.
    public func end() async throws {
        process.signal(SIGKILL)
        _ = try await process.exitStatus()
    }

    /// What, who, why and mode of each lock.
    public func locks() async throws -> [[String]] {
        let reply = try await bus.call(Self.method("org.freedesktop.login1.Manager", "ListInhibitors"))
        return (reply.values.first?.members ?? []).map { ($0.members ?? []).prefix(4).compactMap(\.string) }
    }

    /// The machine is about to sleep, or has woken up.
    public func prepareForSleep(_ begins: Bool) async throws {
        try await bus.call(
            Self.method("org.freedesktop.DBus.Mock", "EmitSignal"),
            [
                .string("org.freedesktop.login1.Manager"), .string("PrepareForSleep"), .string("b"),
                .array([.variant(.bool(begins))], of: "v"),
            ])
    }

    private static func method(_ interface: String, _ name: String) -> BusMethod {
        BusMethod(
            destination: "org.freedesktop.login1", path: "/org/freedesktop/login1", interface: interface, name: name)
    }
}
