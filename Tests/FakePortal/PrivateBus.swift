import Foundation
import Portal
import TestSupport

/// A session bus of a test's own. It ends with the object.
public final class PrivateBus: Sendable {
    /// For ``Portal/Bus/connect(address:)`` and `DBUS_SESSION_BUS_ADDRESS`.
    public let address: String
    private let folder: TemporaryFolder
    private let daemon: ChildProcess

    /// Starts it. `startsServices` says whether it starts this machine's services when somebody asks for them; else it starts
    /// `services`, by their names the commands.
    public init(startsServices: Bool = true, services: [String: String] = [:]) async throws {
        folder = try TemporaryFolder()
        var kind = "--session"
        if !startsServices {
            let file = folder.path + "/bus.conf"
            for (name, command) in services {
                let text = "[D-BUS Service]\nName=\(name)\nExec=\(command)\n"
                try Data(text.utf8).write(to: URL(filePath: "\(folder.path)/\(name).service"))
            }
            try Data(Self.settings(services: folder.path).utf8).write(to: URL(filePath: file))
            kind = "--config-file=" + file
        }
        daemon = try ChildProcess(
            "/usr/bin/dbus-daemon",
            [kind, "--nofork", "--nopidfile", "--print-address=1", "--address=unix:dir=\(folder.path)"],
            folder: folder.path)
        address = try await daemon.line { $0.hasPrefix("unix:") }
    }

    /// Ends it under whoever is connected, as the end of a session does.
    public func end() { daemon.signal(SIGKILL) }

    /// Those of a session bus, without the machine's folders of services.
    public static func settings(services folder: String) -> String {
        """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
          "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig>
          <type>session</type>
          <listen>unix:tmpdir=/tmp</listen>
          <servicedir>\(folder)</servicedir>
          <policy context="default">
            <allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
          </policy>
        </busconfig>
        """
    }
}
