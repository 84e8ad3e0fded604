import BaseKit
import Foundation
import Portal
import TestSupport
import Testing

/// GNOME Keyring on a bus of a test, with folders of its own, its login keyring open at first. It ends with the object.
final class GnomeKeyring {
    private static let program = "/usr/bin/gnome-keyring-daemon"
    private static let name = "org.freedesktop.secrets"
    private static let collection = "/org/freedesktop/secrets/collection/login"

    /// What is missing for it; nil when nothing is.
    static let obstacle: String? =
        FileManager.default.isExecutableFile(atPath: program)
        ? nil : "GNOME Keyring is not installed (package gnome-keyring)."

    /// What opens it.
    let password = "secret"
    private let folder: TemporaryFolder
    private let bus: Bus
    private let home: String
    private var daemon: ChildProcess!

    /// Starts it where nobody has its name.
    init(on home: String) throws {
        self.home = home
        folder = try TemporaryFolder()
        for part in ["home", "run", "data"] {
            try FileManager.default.createDirectory(
                atPath: folder.file(part), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
        try Data(password.utf8).write(to: URL(filePath: folder.file("password")))
        let bus = try blocking { try await Bus.connect(address: home) }
        self.bus = bus
        try start()
    }

    /// Ends it, as a crash does; nobody keeps secrets then.
    func kill() throws {
        daemon.signal(SIGKILL)
        daemon = nil
        try waitForOwner("the keyring's end") { $0 == nil }
    }

    /// Starts it again with what it keeps, open.
    func start() throws {
        daemon = try ChildProcess(
            "/usr/bin/env",
            [
                "-u", "DISPLAY", "DBUS_SESSION_BUS_ADDRESS=\(home)", "HOME=\(folder.file("home"))",
                "XDG_RUNTIME_DIR=\(folder.file("run"))", "XDG_DATA_HOME=\(folder.file("data"))", "bash", "-c",
                "exec \(Self.program) --foreground --unlock --components=secrets <'\(folder.file("password"))'",
            ], folder: folder.path)
        try waitForOwner("the keyring") { $0 != nil }
    }

    private func waitForOwner(_ what: String, until isSo: (String?) -> Bool) throws {
        let limit = Instant.now + .seconds(60)
        while try !isSo(blocking { [bus] in try await bus.owner(of: Self.name) }) {
            guard Instant.now < limit else {
                throw RunningProgram.NotSeen(what: "\(what): \(daemon?.errors ?? "")")
            }
            usleep(50_000)
        }
    }

    /// How many keys of Parley's profiles it has.
    var keyCount: Int {
        get throws {
            let reply = try call(
                "org.freedesktop.Secret.Service", "SearchItems",
                [.array([.entry(.string("xdg:schema"), .string("im.parley.StoreKey"))], of: "{ss}")])
            return reply.values.reduce(0) { $0 + ($1.members?.count ?? 0) }
        }
    }

    /// Locks it, as the person or the desktop does.
    func lock() throws {
        _ = try call("org.freedesktop.Secret.Service", "Lock", [.array([.objectPath(Self.collection)], of: "o")])
    }

    /// Whether it is locked.
    var isLocked: Bool {
        get throws {
            let reply = try call(
                "org.freedesktop.DBus.Properties", "Get",
                [.string("org.freedesktop.Secret.Collection"), .string("Locked")], at: Self.collection)
            return reply.values.first?.bool ?? false
        }
    }

    /// Unlocks it as its own dialog does, which tells everybody.
    func unlock() throws {
        let session = try call(
            "org.freedesktop.Secret.Service", "OpenSession", [.string("plain"), .variant(.string(""))])
        let path = try #require(session.values.last?.string)
        let secret = BusValue.tuple([
            .objectPath(path), .bytes([]), .bytes(Array(password.utf8)), .string("text/plain"),
        ])
        _ = try call(
            "org.gnome.keyring.InternalUnsupportedGuiltRiddenInterface", "UnlockWithMasterPassword",
            [.objectPath(Self.collection), secret])
    }

    /// Unlocks it as what logs the person in does (the PAM module), which tells nobody.
    func unlockAtLogin() throws {
        let script = """
            import socket, struct, sys
            control = socket.socket(socket.AF_UNIX)
            control.connect(sys.argv[1])
            control.send(b"\\0")
            secret = sys.argv[2].encode()
            body = struct.pack(">II", 1, len(secret)) + secret
            control.send(struct.pack(">I", len(body) + 4) + body)
            assert control.recv(8) == b"\\0\\0\\0\\x08\\0\\0\\0\\0"
            """
        try Tool.run("python3", "-c", script, folder.file("run/keyring/control"), password)
    }

    private func call(
        _ interface: String, _ method: String, _ arguments: [BusValue], at path: String = "/org/freedesktop/secrets"
    ) throws -> BusReply {
        try blocking { [bus] in
            try await bus.call(
                BusMethod(destination: Self.name, path: path, interface: interface, name: method), arguments)
        }
    }
}
