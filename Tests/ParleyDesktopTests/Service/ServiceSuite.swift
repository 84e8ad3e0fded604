import CallControl
import DesktopSession
import FakeNotifications
import Foundation
import Portal
import TestSupport
import Testing

/// A suite of the program without its window: reached over the bus, ringing, and coming back.
class ServiceSuite: DesktopSuite {
    private var manager: WindowManager?
    var folder: TemporaryFolder!
    var earlier = 0
    var environment: [String: String] = [:]

    override init() throws {
        try super.init()
        manager = try WindowManager()
        folder = try TemporaryFolder()
        environment = ["XDG_CONFIG_HOME": folder.path]
        earlier = notifications.shown.count
        // That of the test before may not have left the bus yet.
        let client = try client()
        try wait("the name to be free") { try blocking { try await client.status() } == .notRunning }
    }

    var autostart: Autostart {
        Autostart(
            .init(name: "im.parley.Parley", title: "Parley", command: ["/usr/bin/true", "--background"]),
            folder: folder.path + "/autostart")
    }

    func client() throws -> ApplicationClient {
        ApplicationClient(bus: try blocking { try await Bus.session() })
    }

    /// Starts the program by its name on the bus.
    func start(_ words: [String] = [], with variables: [String: String] = [:]) throws -> RunningProgram {
        let parley = try RunningProgram(
            ["--pause", "150", "--named", "--calls-wait"] + words,
            environment: environment.merging(variables) { $1 },
            program: RunningProgram.fakeCalls())
        atEnd { parley.kill() }
        return parley
    }

    /// Waits until the program has its name.
    func waitForName(_ parley: RunningProgram) throws {
        let client = try client()
        try wait("the name") {
            try blocking { try await client.status() } == .running(processID: parley.processIdentifier)
        }
    }

    /// Closes the window that has the focus.
    func closeWindow() throws {
        try wait("the window") { try !Keyboard.activeWindow().isEmpty }
        try Keyboard.press("ctrl+w")
    }

    /// What the program last had shown since the test began, and `count` others before, once a person has looked at it.
    func notification(after count: Int = 0) throws -> FakeNotificationServer.Shown {
        try wait("a notification") { self.notifications.shown.count > self.earlier + count }
        usleep(1_300_000)  // a person looks first
        return try #require(notifications.shown.last)
    }

    /// A program whose window was closed, and whose contact calls when it gets SIGUSR1.
    func programWithoutWindow(_ contact: String = "Cem Calls-Back") throws -> RunningProgram {
        try autostart.set(true)
        let parley = try start()
        try parley.press("Call \(contact)")
        try parley.see("declined the call.")
        try parley.press("Back to the contacts")
        try parley.see("Call \(contact)")
        try closeWindow()
        try wait("the window to close") { try Keyboard.windows(titled: "Parley").isEmpty }
        return parley
    }

    /// Chooses settings before the program starts.
    func choose(_ flags: [String: Bool]) throws {
        let schemas = folder.path + "/schemas"
        try FileManager.default.createDirectory(atPath: schemas, withIntermediateDirectories: true)
        let data = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../data").path
        try Tool.run("glib-compile-schemas", "--strict", "--targetdir=\(schemas)", data)
        let kept = folder.path + "/glib-2.0/settings"
        try FileManager.default.createDirectory(atPath: kept, withIntermediateDirectories: true)
        let lines = flags.map { "\($0)=\($1)" }.joined(separator: "\n")
        try "[im/parley/Parley]\n\(lines)\n".write(toFile: kept + "/keyfile", atomically: true, encoding: .utf8)
        environment["GSETTINGS_SCHEMA_DIR"] = schemas
        environment["GSETTINGS_BACKEND"] = "keyfile"
    }

    /// Has the server of notifications answer as usual again.
    func restoreServer() {
        notifications.answer(
            "GetCapabilities",
            [.array(["actions", "body", "body-markup", "persistence"].map(BusValue.string), of: "s")])
        notifications.forget("Get")
    }
}
