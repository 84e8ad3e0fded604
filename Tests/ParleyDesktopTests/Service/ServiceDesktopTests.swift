import CallControl
import FakePortal
import Foundation
import Portal
import Testing

/// The program without its window: closed, reached over the bus, and coming back.
@Suite(.windows, .serialized, .timeLimit(.minutes(5))) final class ServiceDesktopTests: ServiceSuite {
    @Test func `the first close asks, and the answer holds`() throws {
        let parley = try start()
        try parley.see("Call Sia Silent")
        try closeWindow()
        try parley.see("Receive calls when the window is closed?")
        parley.screenshot("stay")
        try parley.press("Receive calls")
        try wait("the window to close") { try Keyboard.windows(titled: "Parley").isEmpty }
        #expect(autostart.choice == .on)
        #expect(parley.isRunning)
        #expect(try start().exitStatus() == 0, "a second start goes on")
        try parley.see("Call Sia Silent")
        try closeWindow()
        try wait("the window to close") { try Keyboard.windows(titled: "Parley").isEmpty }
        #expect(parley.isRunning)
    }

    @Test func `the question of the first close can be left`() throws {
        let parley = try start()
        try parley.see("Call Sia Silent")
        try closeWindow()
        try parley.see("Receive calls when the window is closed?")
        try Keyboard.press("Escape")
        try parley.seeNoMore("Receive calls when the window is closed?")
        try parley.see("Call Sia Silent")
        #expect(autostart.choice == .undecided)
        try closeWindow()
        try parley.press("Quit")
        #expect(parley.exitStatus() == 0)
        #expect(autostart.choice == .off)
    }

    @Test func `a program that is ended during a call does not come back`() throws {
        let parley = try programWithoutWindow()
        parley.signal(SIGUSR1)
        try notifications.press("accept-audio", of: try notification().id)
        try parley.see("Turn camera on")
        try blocking { try await ApplicationClient(bus: Bus.session()).stop() }
        #expect(parley.exitStatus() == 0)
    }

    @Test func `a call goes on without the main window, and the bar leads back`() throws {
        try autostart.set(true)
        let parley = try start()
        try parley.press("Call Sia Silent")
        try parley.see("0:")
        try closeWindow()
        try wait("the small window") { try Keyboard.windows(titled: "Parley call").count == 1 }
        #expect(try Keyboard.windows(titled: "Parley") == [])
        parley.screenshot("small-window")
        let client = try client()
        try blocking { try await client.activate() }
        try parley.see("Return to Call")
        try parley.see("Sia Silent · 0:")
        parley.screenshot("return")
        try parley.press("Return to Call")
        try wait("the small window to go") { try Keyboard.windows(titled: "Parley call").isEmpty }
        try parley.press("End the call")
        try parley.see("You ended the call.")
    }

    @Test func `the main window opens once the small one is large`() throws {
        try autostart.set(true)
        let parley = try start()
        try parley.press("Call Sia Silent")
        try parley.see("0:")
        try closeWindow()
        try parley.press("Make the call large")
        try wait("the window") { try Keyboard.windows(titled: "Parley").count == 1 }
        try parley.press("End the call")
        try parley.see("You ended the call.")
    }

    @Test func `a program that need not be reached ends with its call`() throws {
        try autostart.set(false)
        let parley = try start()
        try parley.press("Call Sia Silent")
        try parley.see("0:")
        try closeWindow()
        try wait("the small window") { try Keyboard.windows(titled: "Parley call").count == 1 }
        #expect(parley.isRunning)
        try parley.press("End the call")
        #expect(parley.exitStatus() == 0)
    }

    @Test func `quitting asks when nobody can call then`() throws {
        try autostart.set(true)
        let parley = try start()
        try parley.see("Call Sia Silent")
        try wait("the window") { try !Keyboard.activeWindow().isEmpty }
        try Keyboard.press("ctrl+q")
        try parley.see("Quit Parley?")
        parley.screenshot("quit")
        try parley.press("Cancel")
        try parley.seeNoMore("Quit Parley?")
        try Keyboard.press("ctrl+q")
        try parley.press("Quit")
        #expect(parley.exitStatus() == 0)
    }

    @Test func `a program that was started without a window shows one when it is asked`() throws {
        let parley = try start(["--service"])
        try waitForName(parley)
        #expect(try Keyboard.windows(titled: "Parley") == [])
        let client = try client()
        try blocking { try await client.activate() }
        try parley.see("Call Sia Silent")
        try blocking { try await client.stop() }
        #expect(parley.exitStatus() == 0)
    }

    @Test func `a locked profile is said and opens once there is a window`() throws {
        let parley = try start(["--service", "--locked"])
        let shown = try notification()
        #expect(shown.summary == "Parley can’t receive calls yet")
        try notifications.press("default", of: shown.id)
        try parley.see("Passphrase")
        try parley.type("any", into: "Passphrase")
        try parley.press("Open")
        try parley.see("Call Sia Silent")
    }

    @Test func `a locked keyring is said in the window and opens from there`() throws {
        let parley = try start(["--keyring-locked"])
        try parley.see("Parley is locked")
        parley.screenshot("keyring-locked")
        try parley.press("Unlock")
        try parley.see("Call Sia Silent")
    }

    @Test func `who opens the window of a locked service is asked at once`() throws {
        let parley = try start(["--service", "--keyring-locked"])
        let shown = try notification()
        #expect(shown.summary == "Parley can’t receive calls yet")
        try notifications.press("default", of: shown.id)
        try parley.see("Call Sia Silent")
    }

    @Test func `without a display, it is a service all the same`() throws {
        let parley = try RunningProgram(
            ["--named", "--service"], environment: environment.merging(["DISPLAY": "", "WAYLAND_DISPLAY": ""]) { $1 },
            program: RunningProgram.fakeCalls())
        atEnd { parley.kill() }
        try waitForName(parley)
        let client = try client()
        try blocking { try await client.activate() }
        #expect(parley.isRunning)
        try blocking { try await client.stop() }
        #expect(parley.exitStatus() == 0)
    }

    @Test func `a start with other settings is refused while one runs`() throws {
        let parley = try start(["--service"])
        try waitForName(parley)
        let second = try start(["--camera", "none"])
        #expect(second.exitStatus() == 2)
        #expect(second.output.contains("Quit it first"))
    }

    @Test func `the desktop starts the service by its name`() throws {
        let data = folder.path + "/data"
        let command =
            "/usr/bin/env XDG_DATA_HOME=\(data) XDG_CONFIG_HOME=\(folder.path) "
            + "\(try RunningProgram.program().path) --service --no-welcome --key-file --name Ada"
        let home = try blocking {
            try await PrivateBus(startsServices: false, services: ["im.parley.Parley": command])
        }
        let bus = try blocking { try await Bus.connect(address: home.address) }
        let client = ApplicationClient(bus: bus)
        #expect(try blocking { try await client.status() } == .notRunning)
        try blocking { try await client.start() }
        let calls = try blocking { try await CallsClient(bus: bus) }
        try wait("the relay") { try blocking { try await calls.reachability() } == .yes }
        try blocking { try await client.stop() }
        #expect(try blocking { try await client.status() } == .notRunning)
    }
}
