import CallControl
import DesktopSession
import FakePortal
import Foundation
import Portal
import Testing

@testable import FakeCalls

/// Calls in GNOME Shell's notifications. Only with PARLEY_GNOME_SHELL=1.
@Suite(
    .windows, .onlyWhere(GnomeShell.isWanted, "PARLEY_GNOME_SHELL is not 1"), .needs(GnomeShell.obstacle), .serialized,
    .timeLimit(.minutes(5)))
final class GnomeShellStoryTests: DesktopSuite {
    private var manager: WindowManager?
    private var shell: GnomeShell!

    override init() throws {
        try super.init()
        manager = try WindowManager()
    }

    /// The program in the shell's session, its window closed; the contact calls when it gets SIGUSR1.
    private func program(_ contact: String) throws -> RunningProgram {
        let environment = shell.environment.merging(
            ["AT_SPI_BUS_ADDRESS": try ServiceTown.accessibilityBus(), "GSETTINGS_SCHEMA_DIR": ""]) { $1 }
        let entry = Autostart.Entry(name: ParleyService.name, title: "Parley", command: ["/usr/bin/true"])
        try Autostart(entry, folder: (environment["XDG_CONFIG_HOME"] ?? "") + "/autostart").set(true)
        let parley = try RunningProgram(
            ["--pause", "150", "--named", "--calls-wait"], environment: environment,
            program: RunningProgram.fakeCalls())
        atEnd { parley.kill() }
        try parley.press("Call \(contact)")
        try parley.see("declined the call.")
        try parley.press("Back to the contacts")
        try parley.see("Call \(contact)")
        try shell.wait("the window") { try !Keyboard.activeWindow().isEmpty }
        try Keyboard.press("ctrl+w")
        try shell.wait("the window to close") { try Keyboard.windows(titled: "Parley").isEmpty }
        return parley
    }

    @Test func `a call is shown with its buttons and accepted`() throws {
        shell = try GnomeShell()
        let parley = try program("Cem Calls-Back")
        parley.signal(SIGUSR1)
        try shell.wait("the buttons") {
            try self.shell.buttons == ["Accept", "Accept with sound only", "Decline"]
        }
        let shown = try #require(try shell.shown.last)
        #expect([shown.title, shown.body] == ["Cem Calls-Back", "Work · Incoming video call"])
        #expect(shown.urgency == 3)
        usleep(1_300_000)  // a person looks first
        try shell.press("Accept with sound only")
        try parley.see("0:")
        try parley.see("Turn camera on")
        try shell.wait("it to go") { try self.shell.shown.isEmpty }
    }

    @Test func `a call stays in sight as long as it rings, and its body opens it and accepts nothing`() throws {
        shell = try GnomeShell()
        let parley = try program("Cem Calls-Back")
        parley.signal(SIGUSR1)
        let buttons = ["Accept", "Accept with sound only", "Decline"]
        try shell.wait("the buttons") { try self.shell.buttons == buttons }
        // Longer than the shell leaves anything that it may take away.
        for _ in 0..<25 {
            sleep(1)
            #expect(try shell.buttons == buttons)
        }
        try shell.open("Cem Calls-Back")
        try parley.see("Incoming video call")
        try parley.seeUsable("Accept with sound only")
        try shell.wait("it to go") { try self.shell.shown.isEmpty }
    }

    @Test func `a call that is sent away is ignored and rings on`() throws {
        shell = try GnomeShell()
        let parley = try program("Gus Gives-Up")
        parley.signal(SIGUSR1)
        try shell.wait("the call") { try self.shell.shown.last?.body == "Incoming video call" }
        usleep(1_300_000)  // a person looks first
        try shell.sendAway("Gus Gives-Up")
        try shell.wait("it to go") { try self.shell.shown.isEmpty }
        // They still hear it ring, and give up; what was declined would not be missed.
        parley.signal(SIGUSR1)
        try shell.wait("the missed call") { try self.shell.shown.last?.body == "Missed call" }
    }

    @Test func `the picture of who was missed is kept beyond the program's end, and the body opens the program`() throws
    {
        let command = "/usr/bin/env DISPLAY=\(ProcessInfo.processInfo.environment["DISPLAY"] ?? "") GTK_A11Y=none "
        let program = try RunningProgram.fakeCalls().path
        shell = try GnomeShell(services: ["im.parley.Parley": command + "\(program) --pause 150 --named --service"])
        let parley = try self.program("Cem Calls-Back")
        // Who calls a busy person has a missed call at once.
        try blocking { [bus = shell.bus] in try await CallsClient(bus: bus).setBusy(true) }
        parley.signal(SIGUSR1)
        try shell.wait("the missed call") { try self.shell.shown.last?.body == "Missed call" }
        let client = ApplicationClient(bus: shell.bus)
        try blocking { try await client.stop() }
        #expect(parley.exitStatus() == 0)
        let shown = try #require(try shell.shown.last)
        #expect(shown.title == "Cem Calls-Back")
        let picture = try Data(#require(FakeScript.callsBack.contact.picture).bytes)
        #expect(shown.picture == picture.base64EncodedString())

        try shell.open("Cem Calls-Back")
        try shell.wait("the window") { try Keyboard.windows(titled: "Parley").count == 1 }
        let started = try blocking { [bus = shell.bus] in try await bus.processID(of: ParleyService.name) }
        kill(try #require(started), SIGKILL)
    }

    @Test func `do-not-disturb is believed`() throws {
        shell = try GnomeShell(settings: "[org/gnome/desktop/notifications]\nshow-banners=false\n")
        let parley = try program("Cem Calls-Back")
        parley.signal(SIGUSR1)
        try shell.wait("the notification") { try self.shell.shown.last?.title == "Cem Calls-Back" }
        #expect(try shell.shown.last?.urgency == 1)
        #expect(try shell.buttons == [])
    }

    @Test func `a missed call outlives the program, and its button starts it again`() throws {
        let command = "/usr/bin/env DISPLAY=\(ProcessInfo.processInfo.environment["DISPLAY"] ?? "") GTK_A11Y=none "
        let program = try RunningProgram.fakeCalls().path
        shell = try GnomeShell(services: ["im.parley.Parley": command + "\(program) --pause 150 --named --service"])
        let parley = try self.program("Gus Gives-Up")
        parley.signal(SIGUSR1)
        try shell.wait("the call") { try self.shell.shown.last?.body == "Incoming video call" }
        parley.signal(SIGUSR1)
        try shell.wait("the missed call") { try self.shell.shown.last?.body == "Missed call" }
        let client = ApplicationClient(bus: shell.bus)
        try blocking { try await client.stop() }
        #expect(parley.exitStatus() == 0)
        #expect(try shell.shown.map(\.title) == ["Gus Gives-Up"])

        try shell.press("Call back", of: "Gus Gives-Up")
        try shell.wait("the window") { try Keyboard.windows(titled: "Parley").count == 1 }
        let started = try blocking { [bus = shell.bus] in try await bus.processID(of: ParleyService.name) }
        kill(try #require(started), SIGKILL)
    }
}
