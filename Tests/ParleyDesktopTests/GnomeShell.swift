import BaseKit
import FakePortal
import Foundation
import Portal
import TestSupport

/// GNOME Shell without a screen, on a session bus of its own, with an empty person's settings. It ends with the object.
final class GnomeShell {
    /// Whether tests with it are wanted: they take long, and it is no package that the other tests need.
    static let isWanted = ProcessInfo.processInfo.environment["PARLEY_GNOME_SHELL"] == "1"
    private static let program = "/usr/bin/gnome-shell"

    /// What is missing for it; nil when nothing is.
    static var obstacle: String? {
        if let obstacle = MockedLogind.obstacle { return obstacle }
        return [program, "/usr/bin/gjs"].first { !FileManager.default.isExecutableFile(atPath: $0) }.map {
            "\($0) is not installed (packages gnome-shell and gjs)."
        }
    }

    /// A notification that it has.
    struct Shown: Decodable, Equatable {
        var title: String
        var body: String?
        /// 0 to 3: low, normal, high, critical.
        var urgency: Int
        /// The labels of its buttons.
        var actions: [String]
        /// The file of the picture that was sent along, as Base64; nil for none.
        var picture: String?
    }

    /// The session bus.
    let bus: Bus
    /// Its address.
    let address: String
    /// Where programs of this session keep their settings and data.
    let environment: [String: String]
    private let (home, system): (PrivateBus, PrivateBus)
    private let logind: MockedLogind
    private let folder: TemporaryFolder
    private let shell: ChildProcess

    /// Starts it; `settings` are what the person has chosen, as a key file of GSettings. `services` are started by their names.
    init(settings: String = "", services: [String: String] = [:]) throws {
        folder = try TemporaryFolder()
        let folder = folder
        for part in ["run", "config/glib-2.0/settings", "data/applications"] {
            try FileManager.default.createDirectory(
                atPath: folder.file(part), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
        try Data(settings.utf8).write(to: URL(filePath: folder.file("config/glib-2.0/settings/keyfile")))
        let entry = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../data/im.parley.Parley.desktop")
        // What is not installed keeps nothing there.
        let text = try String(contentsOf: entry, encoding: .utf8).replacing("Exec=parley", with: "Exec=/usr/bin/true")
        try text.write(
            toFile: folder.file("data/applications/im.parley.Parley.desktop"), atomically: true, encoding: .utf8)
        // The shell leaves the name of notification servers to a service of its own.
        let server = "/usr/bin/gjs /usr/share/gnome-shell/org.gnome.Shell.Notifications"
        let names = ["org.freedesktop.Notifications": server, "org.gnome.Shell.Notifications": server]
        let all = names.merging(services) { $1 }
        let (home, system) = try blocking {
            (
                try await PrivateBus(startsServices: false, services: all),
                try await PrivateBus(startsServices: false)
            )
        }
        (self.home, self.system) = (home, system)
        logind = try blocking { try await MockedLogind(on: system) }
        bus = try blocking { try await Bus.connect(address: home.address) }
        address = home.address
        environment = [
            "DBUS_SESSION_BUS_ADDRESS": home.address, "DBUS_SYSTEM_BUS_ADDRESS": system.address,
            "XDG_CONFIG_HOME": folder.file("config"), "XDG_DATA_HOME": folder.file("data"),
            "GSETTINGS_BACKEND": "keyfile",
        ]
        let own = [
            "XDG_RUNTIME_DIR": folder.file("run"), "LIBGL_ALWAYS_SOFTWARE": "1", "GTK_A11Y": "none",
            "NO_AT_BRIDGE": "1",
        ]
        shell = try ChildProcess(
            "/usr/bin/env",
            ["-u", "DISPLAY", "-u", "WAYLAND_DISPLAY"]
                + environment.merging(own) { $1 }.map { "\($0)=\($1)" }
                + [Self.program, "--headless", "--virtual-monitor", "1280x720", "--no-x11", "--unsafe-mode"],
            folder: folder.path)
        try wait("GNOME Shell: \(shell.errors.suffix(500))") {
            (try? self.evaluate("Main.layoutManager._startingUp")) == "false"
        }
        try blocking { [bus] in try await bus.start("org.freedesktop.Notifications") }
        // What it says of this session.
        try wait("its own notices") { try !self.shown.isEmpty }
        _ = try evaluate("Main.messageTray.getSources().forEach(source => source.destroy())")
    }

    /// What its notifications are.
    var shown: [Shown] {
        get throws {
            let json = try evaluate(
                """
                Main.messageTray.getSources().flatMap(source => source.notifications).map(one => ({
                    title: one.title, body: one.bannerBodyText ?? one.body, urgency: one.urgency,
                    actions: one.actions.map(action => action.label),
                    picture: one.gicon?.get_bytes ? imports.gi.GLib.base64_encode(one.gicon.get_bytes().get_data()) : null}))
                """)
            return try JSONDecoder().decode([Shown].self, from: Data(json.utf8))
        }
    }

    /// The labels of the buttons that are seen now.
    var buttons: [String] {
        get throws {
            let json = try evaluate("(\(Self.buttonBox)?.get_children() ?? []).map(button => button.label)")
            return try JSONDecoder().decode([String].self, from: Data(json.utf8))
        }
    }

    /// Presses a button that is seen, as the pointer does.
    func press(_ label: String) throws {
        _ = try evaluate("\(Self.buttonBox).get_children().find(one => one.label == '\(label)').emit('clicked', 1)")
    }

    /// Presses a button of a notification in the list.
    func press(_ label: String, of title: String) throws {
        _ = try evaluate(
            """
            Main.messageTray.getSources().flatMap(source => source.notifications).find(one => one.title == '\(title)')
                .actions.find(action => action.label == '\(label)').callback()
            """)
    }

    /// Presses the notification itself.
    func open(_ title: String) throws { try call("activate()", of: title) }

    /// Sends a notification away, as its cross does.
    func sendAway(_ title: String) throws {
        try call("destroy(imports.ui.messageTray.NotificationDestroyedReason.DISMISSED)", of: title)
    }

    private func call(_ method: String, of title: String) throws {
        _ = try evaluate(
            """
            Main.messageTray.getSources().flatMap(source => source.notifications).find(one => one.title == '\(title)')
                .\(method)
            """)
    }

    private static let buttonBox = "Main.messageTray._banner?._buttonBox"

    /// Runs a line inside the shell; gives its value as JSON.
    private func evaluate(_ script: String) throws -> String {
        let method = BusMethod(
            destination: "org.gnome.Shell", path: "/org/gnome/Shell", interface: "org.gnome.Shell", name: "Eval")
        // It makes JSON of the value.
        let reply = try blocking { [bus] in try await bus.call(method, [.string(script)]) }
        guard reply.values.first?.bool == true, let json = reply.values.last?.string else {
            throw RunningProgram.NotSeen(what: "\(script): \(reply.values)")
        }
        return json
    }

    /// Waits until something is so.
    func wait(_ what: @autoclosure () -> String, until isSo: () throws -> Bool) throws {
        let limit = Instant.now + .seconds(60)
        while (try? isSo()) != true {
            guard Instant.now < limit else { throw RunningProgram.NotSeen(what: what()) }
            usleep(100_000)
        }
    }
}
