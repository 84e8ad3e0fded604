import Foundation
import Portal
import TestSupport

/// A service of a desktop that can be told not to disturb, on the bus of a test: the program that people use.
public final class QuietService: Sendable {
    /// Which one.
    public enum Kind: String, CaseIterable, Sendable {
        case dunst, xfce, xfconf

        var program: String {
            switch self {
            case .dunst: "/usr/bin/dunst"
            case .xfce: "\(Self.libraries)/xfce4/notifyd/xfce4-notifyd"
            case .xfconf: "\(Self.libraries)/xfce4/xfconf/xfconfd"
            }
        }

        /// Its name on the bus.
        public var name: String { self == .xfconf ? "org.xfce.Xfconf" : "org.freedesktop.Notifications" }

        private static var libraries: String {
            #if arch(arm64)
                "/usr/lib/aarch64-linux-gnu"
            #else
                "/usr/lib/x86_64-linux-gnu"
            #endif
        }
    }

    /// What is missing for these tests; nil when nothing is.
    public static var obstacle: String? {
        guard ProcessInfo.processInfo.environment["DISPLAY"] != nil else {
            return "There is no display; run the tests under xvfb-run."
        }
        return Kind.allCases.map(\.program).first { !FileManager.default.isExecutableFile(atPath: $0) }
            .map { "\($0) is not installed." }
    }

    private let folder: TemporaryFolder
    private let process: ChildProcess
    private let bus: Bus

    /// Starts it on a bus, and waits until it is there.
    public init(_ kind: Kind, at address: String) async throws {
        folder = try TemporaryFolder()
        process = try ChildProcess(
            "/usr/bin/env",
            [
                "DBUS_SESSION_BUS_ADDRESS=" + address, "XDG_CONFIG_HOME=" + folder.path, "GTK_A11Y=none",
                "NO_AT_BRIDGE=1", kind.program,
            ], folder: folder.path)
        let bus = try await Bus.connect(address: address)
        self.bus = bus
        try await waitUntil(kind.name) { try await bus.owner(of: kind.name) != nil }
    }

    /// Pauses dunst, as `dunstctl set-paused` does.
    public func setPaused(_ isPaused: Bool) async throws {
        try await bus.call(
            BusMethod(
                destination: Kind.dunst.name, path: "/org/freedesktop/Notifications",
                interface: "org.freedesktop.DBus.Properties", name: "Set"),
            [.string("org.dunstproject.cmd0"), .string("paused"), .variant(.bool(isPaused))])
    }

    /// Sets what Xfce's settings window sets.
    public func setDoNotDisturb(_ value: BusValue) async throws {
        try await bus.call(
            BusMethod(
                destination: Kind.xfconf.name, path: "/org/xfce/Xfconf", interface: "org.xfce.Xfconf",
                name: "SetProperty"), [.string("xfce4-notifyd"), .string("/do-not-disturb"), .variant(value)])
    }
}
