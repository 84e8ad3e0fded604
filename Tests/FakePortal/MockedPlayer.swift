import Portal
import TestSupport

/// A player that python-dbusmock pretends (MPRIS D-Bus Interface Specification 2.2): an object with properties, methods that change
/// them, and a list of what was called.
public final class MockedPlayer: Sendable {
    /// Why it can't be started here.
    public static var obstacle: String? { Dbusmock.obstacle }

    private static let path = "/org/mpris/MediaPlayer2"
    private static let interface = "org.mpris.MediaPlayer2.Player"
    private static let mock = "org.freedesktop.DBus.Mock"

    private let name: String
    private let bus: Bus
    private let process: ChildProcess
    private let folder: TemporaryFolder

    /// Starts one that plays, under `org.mpris.MediaPlayer2.NAME` on the bus at this address.
    public init(_ name: String, at address: String) async throws {
        self.name = "org.mpris.MediaPlayer2." + name
        folder = try TemporaryFolder()
        process = try ChildProcess(
            "/usr/bin/env",
            [
                "DBUS_SESSION_BUS_ADDRESS=\(address)", Dbusmock.python, "-m", "dbusmock", "--session", self.name,
                Self.path, Self.interface,
            ], folder: folder.path)
        bus = try await Bus.connect(address: address)
        try await waitUntil("the player") { try await bus.owner(of: self.name) != nil }
        try await call(
            Self.mock, "AddProperties",
            [
                .string(Self.interface),
                .dictionary(["PlaybackStatus": .string("Playing"), "CanPause": .bool(true), "CanPlay": .bool(true)]),
            ])
        for (method, status) in [("Pause", "Paused"), ("Play", "Playing")] {
            let code = "self.UpdateProperties('\(Self.interface)', {'PlaybackStatus': '\(status)'})"
            try await call(
                Self.mock, "AddMethod",
                [Self.interface, method, "", "", code].map(BusValue.string))
        }
    }

    /// What it does now, such as `Playing`.
    public var status: String {
        get async throws {
            try await call(
                "org.freedesktop.DBus.Properties", "Get", [.string(Self.interface), .string("PlaybackStatus")]
            ).first?.string ?? ""
        }
    }

    /// The methods that were called, in order.
    public var heard: [String] {
        get async throws {
            try await call(Self.mock, "GetCalls").first?.members?.compactMap { $0.members?.dropFirst().first?.string }
                ?? []
        }
    }

    @discardableResult
    private func call(_ interface: String, _ method: String, _ arguments: [BusValue] = []) async throws -> [BusValue] {
        try await bus.call(
            BusMethod(destination: name, path: Self.path, interface: interface, name: method), arguments
        ).values
    }
}
