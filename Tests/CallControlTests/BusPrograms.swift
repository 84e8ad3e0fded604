import FakePortal
import Foundation
import TestSupport

/// Programs of other makers that call over a bus.
enum BusProgram: String {
    case gdbus, busctl, gapplication
    case dbusSend = "dbus-send"

    /// Why a test that needs it can't be run; nil when it is there.
    var obstacle: String? {
        FileManager.default.isExecutableFile(atPath: path) ? nil : "\(path) is missing"
    }

    private var path: String { "/usr/bin/" + rawValue }

    /// Runs it against a bus: its status, and what it printed.
    func run(_ arguments: [String], at bus: PrivateBus) async throws -> (status: Int32, output: String) {
        let folder = try TemporaryFolder()
        let child = try ChildProcess(
            "/usr/bin/env", ["DBUS_SESSION_BUS_ADDRESS=\(bus.address)", path] + arguments, folder: folder.path)
        let status = try await child.exitStatus()
        return (status, child.lines.joined(separator: "\n") + child.errors)
    }
}
