import BaseKit
import CallControl
import DesktopSession
import FakePortal
import Foundation
import Portal
import TestSupport
import Testing

/// systemd's manager of a session, with a session bus that it starts, in namespaces of its own: it knows Parley's unit as it is installed,
/// Parley's entry among the programs for the login, and no other service. It ends with the object, and whatever it has started with it.
final class UserManager {
    private static let program = "/usr/lib/systemd/systemd"
    private static let unit = "im.parley.Parley.service"
    private static let login = "parley-login.target"

    /// What is missing for it; nil when nothing is.
    static let obstacle: String? =
        FileManager.default.isExecutableFile(atPath: program) ? nil : "systemd is not installed (package systemd)."

    /// Whether this machine lets whoever runs the tests have a manager: it needs namespaces, and control groups into which it puts processes.
    static let isAllowed: Bool = {
        let group = "parley-trial-\(getpid())"
        let trial = """
            \(entering(group)) && unshare \(namespaces.joined(separator: " ")) /bin/sh -c \
            '\(hierarchy) && mount -t tmpfs tmpfs /run && mkdir /sys/fs/cgroup/part && rmdir /sys/fs/cgroup/part'
            """
        defer { remove(group) }
        return run(trial)
    }()
    static let refusal = "Whoever runs the tests may not have control groups or namespaces here."

    private static let namespaces = ["--mount", "--pid", "--fork", "--kill-child", "--mount-proc", "--cgroup"]
    /// What is there already may be the same, which is not mounted on itself.
    private static let hierarchy = "mount -t tmpfs tmpfs /sys/fs/cgroup && mount -t cgroup2 none /sys/fs/cgroup"

    /// Shell words that put the shell into a control group of its own, below that of the tests.
    private static func entering(_ group: String) -> String {
        "\(hierarchy) && mkdir /sys/fs/cgroup/\(group) && echo $$ >/sys/fs/cgroup/\(group)/cgroup.procs"
    }

    /// Removes a control group with all in it, once its processes have gone.
    private static func remove(_ group: String) {
        _ = run(
            """
            \(hierarchy) && cd /sys/fs/cgroup && for attempt in $(seq 50); do
            [ ! -e \(group) ] || find \(group) -depth -type d -exec rmdir {} + && break; sleep 0.1; done
            """)
    }

    /// The words before a shell's script that let it see the control groups below that of the tests alone.
    private static let shell = ["--mount", "--cgroup", "/bin/sh", "-c"]

    /// Runs a script where control groups are seen; whether it succeeded.
    private static func run(_ script: String) -> Bool {
        let shell = Process()
        shell.executableURL = URL(filePath: "/usr/bin/unshare")
        shell.arguments = Self.shell + [script]
        (shell.standardOutput, shell.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        guard (try? shell.run()) != nil else { return false }
        shell.waitUntilExit()
        return shell.terminationStatus == 0
    }

    /// The session bus.
    let bus: Bus
    /// Its address.
    let address: String
    private let folder: TemporaryFolder
    private var manager: ChildProcess?
    private let group: String

    /// Starts it.
    init() throws {
        let folder = try TemporaryFolder()
        self.folder = folder
        for part in ["run", "units", "services", "bin", "config", "empty"] {
            try FileManager.default.createDirectory(
                atPath: folder.file(part), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
        for (name, place) in [
            ("im.parley.Parley.unit", "units/\(Self.unit)"),
            ("im.parley.Parley.service", "services/im.parley.Parley.service"),
        ] {
            try Self.installed(name, bin: folder.file("bin")).write(
                toFile: folder.file(place), atomically: true, encoding: .utf8)
        }
        try PrivateBus.settings(services: folder.file("services")).write(
            toFile: folder.file("bus.conf"), atomically: true, encoding: .utf8)
        try "[Socket]\nListenStream=%t/bus\n".write(
            toFile: folder.file("units/dbus.socket"), atomically: true, encoding: .utf8)
        try """
        [Unit]
        Requires=dbus.socket
        [Service]
        Type=notify
        ExecStart=/usr/bin/dbus-daemon --config-file=\(folder.file("bus.conf")) --address=systemd: --nofork --nopidfile --systemd-activation
        """.write(toFile: folder.file("units/dbus.service"), atomically: true, encoding: .utf8)
        try "[Unit]\nRequires=dbus.socket\nAfter=basic.target\n".write(
            toFile: folder.file("units/parley-test.target"), atomically: true, encoding: .utf8)
        // As desktops do once the person has logged in.
        try "[Unit]\nBindsTo=graphical-session.target\nWants=xdg-desktop-autostart.target\n".write(
            toFile: folder.file("units/\(Self.login)"), atomically: true, encoding: .utf8)
        // Nothing is started for an entry whose program is not there when the manager reads it.
        try Self.write(["/usr/bin/false"], to: folder.file("bin/parley"))
        let entry = Autostart.Entry(
            name: ParleyService.name, title: "Parley", command: [folder.file("bin/parley"), "--background"])
        try Autostart(entry, folder: folder.file("config/autostart")).set(true)
        address = "unix:path=\(folder.file("run"))/bus"
        let units = [folder.file("units"), folder.file("run/systemd/generator.late"), "/usr/lib/systemd/user"]
            .joined(separator: ":")
        // It only serves where systemd seems to have started the machine, and as the first process of all it would be the machine's.
        let script = """
            mount -t tmpfs tmpfs /run && mkdir -p /run/systemd/system && \(Self.hierarchy) && env \
            XDG_RUNTIME_DIR='\(folder.file("run"))' DBUS_SESSION_BUS_ADDRESS='\(address)' \
            XDG_CONFIG_HOME='\(folder.file("config"))' XDG_CONFIG_DIRS='\(folder.file("empty"))' \
            SYSTEMD_UNIT_PATH='\(units)' \
            \(Self.program) --user --unit=parley-test.target --log-target=console &
            wait
            """
        try script.write(toFile: folder.file("manager"), atomically: true, encoding: .utf8)
        let group = "parley-\(UUID().uuidString)"
        self.group = group
        let manager = try ChildProcess(
            "/usr/bin/unshare",
            Self.shell + [
                "\(Self.entering(group)) && exec unshare \(Self.namespaces.joined(separator: " ")) /bin/sh '\(folder.file("manager"))'"
            ], folder: folder.path)
        self.manager = manager
        let address = address
        do {
            bus = try blocking {
                var bus: Bus?
                try await waitUntil("systemd's manager") {
                    bus = try? await Bus.connect(address: address)
                    return try await bus?.owner(of: "org.freedesktop.systemd1") != nil
                }
                return try #require(bus)
            }
        } catch {
            throw RunningProgram.NotSeen(what: "systemd's manager (\(error)): \(manager.errors.suffix(2_000))")
        }
    }

    deinit {
        manager = nil
        Self.remove(group)
    }

    /// A file of `data` as it is installed.
    private static func installed(_ name: String, bin: String) throws -> String {
        let data = URL(filePath: #filePath).appending(path: "../../../../data").standardizedFileURL
        return try String(contentsOf: data.appending(path: name + ".in"), encoding: .utf8)
            .replacing("@bindir@", with: bin)
    }

    /// Makes the program that the unit starts.
    func install(_ command: [String], environment: [String: String]) throws {
        try Self.write(environment.map { "\($0)=\($1)" } + command, to: folder.file("bin/parley"))
    }

    private static func write(_ words: [String], to file: String) throws {
        let quoted = words.map { "'" + $0.replacing("'", with: #"'\''"#) + "'" }.joined(separator: " ")
        try "#!/bin/sh\nexec env -u GTK_A11Y LANGUAGE=C \(quoted) \"$@\"\n".write(
            toFile: file, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: file)
    }

    /// Starts what is to be there after a login.
    func logIn() throws {
        try blocking { [bus] in
            try await bus.call(Self.method("StartUnit"), [.string(Self.login), .string("replace")])
        }
    }

    /// Ends the unit's process without a word, as a crash does.
    func crash() throws {
        try blocking { [bus] in
            try await bus.call(
                Self.method("KillUnit"), [.string(Self.unit), .string("main"), .int32(SIGKILL)])
        }
    }

    /// What the manager says of the unit, such as `active/running`.
    var state: String {
        get throws {
            try blocking { [bus] in
                let unit = try await bus.call(Self.method("LoadUnit"), [.string(Self.unit)]).values.first?.string ?? ""
                var words: [String] = []
                for name in ["ActiveState", "SubState"] {
                    let reply = try await bus.call(
                        BusMethod(
                            destination: "org.freedesktop.systemd1", path: unit,
                            interface: "org.freedesktop.DBus.Properties", name: "Get"),
                        [.string("org.freedesktop.systemd1.Unit"), .string(name)])
                    words.append(reply.values.first?.string ?? "")
                }
                return words.joined(separator: "/")
            }
        }
    }

    private static func method(_ name: String) -> BusMethod {
        BusMethod(
            destination: "org.freedesktop.systemd1", path: "/org/freedesktop/systemd1",
            interface: "org.freedesktop.systemd1.Manager", name: name)
    }
}
