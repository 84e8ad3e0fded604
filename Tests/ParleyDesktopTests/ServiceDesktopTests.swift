import BaseKit
import CallControl
import DesktopSession
import FakeNotifications
import FakePortal
import Foundation
import Portal
import TestSupport
import Testing

/// The program without its window: reached over the bus, ringing, and coming back.
@Suite(.windows, .serialized, .timeLimit(.minutes(5))) final class ServiceDesktopTests: DesktopSuite {
    private var manager: WindowManager?
    private var folder: TemporaryFolder!
    private var earlier = 0

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

    private var environment: [String: String] = [:]

    private var autostart: Autostart {
        Autostart(
            .init(name: "im.parley.Parley", title: "Parley", command: ["/usr/bin/true", "--background"]),
            folder: folder.path + "/autostart")
    }

    private func client() throws -> ApplicationClient {
        ApplicationClient(bus: try blocking { try await Bus.session() })
    }

    /// Starts the program by its name on the bus.
    private func start(_ words: [String] = []) throws -> RunningProgram {
        let parley = try RunningProgram(
            ["--pause", "150", "--named", "--calls-wait"] + words, environment: environment,
            program: RunningProgram.fakeCalls())
        atEnd { parley.kill() }
        return parley
    }

    /// Waits until the program has its name.
    private func waitForName(_ parley: RunningProgram) throws {
        let client = try client()
        try wait("the name") {
            try blocking { try await client.status() } == .running(processID: parley.processIdentifier)
        }
    }

    /// Closes the window that has the focus.
    private func closeWindow() throws {
        try wait("the window") { try !Keyboard.activeWindow().isEmpty }
        try Keyboard.press("ctrl+w")
    }

    private func notification(after count: Int = 0) throws -> FakeNotificationServer.Shown {
        try wait("a notification") { self.notifications.shown.count > self.earlier + count }
        usleep(1_300_000)  // a person looks first
        return try #require(notifications.shown.last)
    }

    /// A program whose window was closed, and whose contact calls when it gets SIGUSR1.
    private func programWithoutWindow(_ contact: String = "Cem Calls-Back") throws -> RunningProgram {
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

    @Test func `a call without a window is accepted in its notification`() throws {
        let parley = try programWithoutWindow()
        parley.signal(SIGUSR1)
        let shown = try notification()
        #expect(shown.summary == "Cem Calls-Back")
        #expect(try Keyboard.windows(titled: "Parley") == [])
        try notifications.press("accept-audio", of: shown.id)
        try parley.see("0:")
        try parley.see("Turn camera on")
        try parley.press("End the call")
        try parley.see("You ended the call.")
    }

    @Test func `a call rings on when the window it rings in is closed`() throws {
        for isReachable in [true, false] {
            try autostart.set(isReachable)
            earlier = notifications.shown.count
            let parley = try start()
            try parley.press("Call Cem Calls-Back")
            try parley.see("declined the call.")
            parley.signal(SIGUSR1)
            try parley.see("Incoming video call")
            try closeWindow()
            let shown = try notification()
            #expect(try Keyboard.windows(titled: "Parley") == [])
            try notifications.press("accept-audio", of: shown.id)
            try parley.see("0:")
            try parley.press("End the call")
            try parley.see("You ended the call.")
            parley.kill()
        }
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

    @Test func `what is asked over the bus of no call is of no consequence`() throws {
        let parley = try start()
        try parley.see("Call Sia Silent")
        let client = try client()
        for action in ["accept", "decline", "ignore", "nonsense"] {
            try blocking { try await client.activate(action: action) }
        }
        try parley.press("Call Sia Silent")
        try parley.see("0:")
    }

    @Test func `a call that rings is answered over the bus`() throws {
        let parley = try programWithoutWindow()
        let client = try client()
        parley.signal(SIGUSR1)
        _ = try notification()
        try blocking { try await client.activate(action: "accept", parameter: .string("nonsense")) }
        try blocking { try await client.activate(action: "nonsense") }
        try blocking { try await client.activate(action: "show-call") }
        try parley.see("Incoming video call")
        try blocking { try await client.activate(action: "decline") }
        try parley.see("You declined the call.")
    }

    // MARK: What outlives the program

    /// Whoever keeps notifications on the session bus until the test ends.
    private func keeper() throws -> FakeNotificationKeeper {
        let keeper = try blocking {
            let keeper = FakeNotificationKeeper(try await Bus.session())
            try await keeper.open()
            return keeper
        }
        atEnd { try blocking { await keeper.close() } }
        return keeper
    }

    @Test func `a missed call outlives the program and calls back from there`() throws {
        let keeper = try keeper()
        let parley = try programWithoutWindow("Gus Gives-Up")
        parley.signal(SIGUSR1)
        _ = try notification()
        parley.signal(SIGUSR1)
        try wait("the missed call") { !keeper.added.isEmpty }
        let missed = try #require(keeper.added.first)
        #expect([missed.application, missed.id] == ["im.parley.Parley", "missed-givesUp"])
        #expect(missed.content["title"] == .string("Gus Gives-Up"))
        #expect(missed.content["body"] == .string("Missed call"))
        #expect(missed.content["default-action"]?.string == "app.show-call")
        let button = try #require(missed.content["buttons"]?.members?.first?.entries)
        #expect(
            button == [
                "label": .string("Call back"), "action": .string("app.call-back"), "target": .string("video givesUp"),
            ])
        let client = try client()
        try blocking { try await client.stop() }
        #expect(parley.exitStatus() == 0)
        #expect(keeper.removed == [])
        #expect(notifications.shown.count == earlier + 1, "it was told twice")
        let next = try start(["--service"])
        try waitForName(next)
        let target = try #require(button["target"])
        try blocking { try await client.activate(action: "call-back", parameter: target) }
        try next.see("Call Gus Gives-Up with video?")
        try next.press("Call")
        try next.see("Gus Gives-Up declined the call.")
        #expect(try Keyboard.windows(titled: "Parley").count == 1)
    }

    @Test func `a missed call is taken from where it is kept once the window is open`() throws {
        let keeper = try keeper()
        let parley = try programWithoutWindow("Gus Gives-Up")
        parley.signal(SIGUSR1)
        _ = try notification()
        parley.signal(SIGUSR1)
        try wait("the missed call") { keeper.standing == ["missed-givesUp"] }
        let client = try client()
        try blocking { try await client.activate(action: "show-call") }
        try parley.see("Call Gus Gives-Up")
        try wait("it to be taken away") { keeper.standing.isEmpty }
    }

    @Test func `a program without a name has nothing kept`() throws {
        let keeper = try keeper()
        let parley = try fake(callsWait: true)
        try parley.press("Call Gus Gives-Up")
        try parley.see("declined the call.")
        try parley.press("Back to the contacts")
        try parley.see("Call Gus Gives-Up")
        try Keyboard.minimise(try #require(try Keyboard.windows(titled: "Parley").last))
        parley.signal(SIGUSR1)
        _ = try notification()
        parley.signal(SIGUSR1)
        #expect(try notification(after: 1).body == "Missed call")
        #expect(keeper.added == [])
    }

    // MARK: How a call makes itself felt

    @Test func `a server without buttons has a window in its place that takes no keys`() throws {
        notifications.answer("GetCapabilities", [.array([.string("body")], of: "s")])
        defer { restoreServer() }
        let parley = try programWithoutWindow()
        parley.signal(SIGUSR1)
        try wait("the window") { try Keyboard.windows(titled: "Cem Calls-Back.*").count == 1 }
        try parley.seeUsable("Accept with sound only")
        parley.screenshot("ring-window")
        try Keyboard.activate(try #require(try Keyboard.windows(titled: "Cem Calls-Back.*").first))
        try Keyboard.press("Return", "space", "ctrl+Return", "ctrl+BackSpace", "Escape")
        try parley.see("Incoming video call")
        #expect(!parley.shows("0:"))
        try parley.press("Accept with sound only")
        try parley.see("0:")
        try wait("the window to go") { try Keyboard.windows(titled: "Cem Calls-Back.*").isEmpty }
        try wait("the main window") { try Keyboard.windows(titled: "Parley").count == 1 }
        try parley.press("End the call")
    }

    @Test func `closing the window of a call that rings ignores it`() throws {
        notifications.answer("GetCapabilities", [.array([.string("body")], of: "s")])
        defer { restoreServer() }
        let parley = try programWithoutWindow("Gus Gives-Up")
        parley.signal(SIGUSR1)
        try wait("the window") { try Keyboard.windows(titled: "Gus Gives-Up.*").count == 1 }
        try Keyboard.activate(try #require(try Keyboard.windows(titled: "Gus Gives-Up.*").first))
        try Keyboard.press("alt+F4")
        try wait("the window to go") { try Keyboard.windows(titled: "Gus Gives-Up.*").isEmpty }
        #expect(parley.isRunning)
        parley.signal(SIGUSR1)
        try wait("the missed call") { self.notifications.shown.last?.body == "Missed call" }
    }

    @Test func `a call rings unheard where the desktop is not to be disturbed`() throws {
        notifications.answer("Get", [.variant(.bool(true))])
        defer { restoreServer() }
        let parley = try programWithoutWindow()
        let address = ProcessInfo.processInfo.environment["DBUS_SESSION_BUS_ADDRESS"] ?? ""
        let music = try blocking { try await FakePlayer("music", "Playing", at: address) }
        parley.signal(SIGUSR1)
        let shown = try notification()
        #expect(shown.hints["urgency"] == .byte(1))
        #expect(music.heard == [])
        #expect(try Keyboard.windows(titled: "Cem Calls-Back.*") == [])
        try notifications.press("accept-audio", of: shown.id)
        try parley.see("0:")
        try wait("the pause") { music.status == "Paused" }
    }

    @Test func `a call rings all the same by choice`() throws {
        try choose(["ring-all-the-same": true, "ring-window-always": true])
        notifications.answer("Get", [.variant(.bool(true))])
        defer { restoreServer() }
        let parley = try programWithoutWindow()
        parley.signal(SIGUSR1)
        #expect(try notification().hints["urgency"] == .byte(2))
        #expect(try Keyboard.windows(titled: "Cem Calls-Back.*").count == 1)
    }

    @Test func `a media key takes a call with sound only and mutes it`() throws {
        try choose(["media-keys": true])
        let parley = try programWithoutWindow()
        parley.signal(SIGUSR1)
        _ = try notification()
        let bus = try blocking { try await Bus.session() }
        func press() throws {
            try blocking {
                _ = try await bus.call(
                    BusMethod(
                        destination: "org.mpris.MediaPlayer2.parley", path: "/org/mpris/MediaPlayer2",
                        interface: "org.mpris.MediaPlayer2.Player", name: "PlayPause"))
            }
        }
        try press()
        try parley.see("0:")
        try parley.see("Turn camera on")
        try press()
        try parley.see("Unmute microphone")
        try parley.press("End the call")
        try wait("the player to go") {
            try blocking { try await bus.owner(of: "org.mpris.MediaPlayer2.parley") } == nil
        }
    }

    @Test func `media keys reach a call once a slow player stands still`() throws {
        try choose(["media-keys": true])
        let parley = try programWithoutWindow()
        let music = try player(.slow)
        let onlooker = try blocking { try await Bus.session() }
        let name = "org.mpris.MediaPlayer2.parley"
        let news = try blocking {
            try await onlooker.signals(ofAny: [
                BusSignalFilter(
                    path: "/org/mpris/MediaPlayer2", interface: "org.freedesktop.DBus.Properties",
                    name: "PropertiesChanged"),
                BusSignalFilter(
                    sender: "org.freedesktop.DBus", interface: "org.freedesktop.DBus", name: "NameOwnerChanged",
                    firstText: name),
            ])
        }
        parley.signal(SIGUSR1)
        try wait("the call") { try blocking { try await onlooker.owner(of: name) } != nil }
        let first = try blocking {
            for await signal in news { return signal.name }
            return ""
        }
        #expect(first == "PropertiesChanged", "the call came before the music was paused")
        #expect(music.status == "Paused")
    }

    @Test func `a player that hangs keeps no media keys from a call`() throws {
        try choose(["media-keys": true])
        let parley = try programWithoutWindow()
        let music = try player(.hanging)
        parley.signal(SIGUSR1)
        let bus = try blocking { try await Bus.session() }
        try wait("the call") { try blocking { try await bus.owner(of: "org.mpris.MediaPlayer2.parley") } != nil }
        #expect(music.heard == [])
    }

    private func player(_ manner: FakePlayer.Manner) throws -> FakePlayer {
        let address = ProcessInfo.processInfo.environment["DBUS_SESSION_BUS_ADDRESS"] ?? ""
        let player = try blocking { try await FakePlayer("music", "Playing", manner, at: address) }
        atEnd { try blocking { await player.close() } }
        return player
    }

    /// Chooses settings before the program starts.
    private func choose(_ flags: [String: Bool]) throws {
        let schemas = folder.path + "/schemas"
        try FileManager.default.createDirectory(atPath: schemas, withIntermediateDirectories: true)
        let data = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../data").path
        try Tool.run("glib-compile-schemas", "--strict", "--targetdir=\(schemas)", data)
        let kept = folder.path + "/glib-2.0/settings"
        try FileManager.default.createDirectory(atPath: kept, withIntermediateDirectories: true)
        let lines = flags.map { "\($0)=\($1)" }.joined(separator: "\n")
        try "[im/parley/Parley]\n\(lines)\n".write(toFile: kept + "/keyfile", atomically: true, encoding: .utf8)
        environment["GSETTINGS_SCHEMA_DIR"] = schemas
        environment["GSETTINGS_BACKEND"] = "keyfile"
    }

    private func restoreServer() {
        notifications.answer(
            "GetCapabilities",
            [.array(["actions", "body", "body-markup", "persistence"].map(BusValue.string), of: "s")])
        notifications.forget("Get")
    }

    // MARK: Calls over the bus

    @Test func `a call is dialled over the bus once the person agrees`() throws {
        let parley = try programWithoutWindow()
        let calls = try blocking { try await CallsClient(bus: Bus.session()) }
        try wait("the relay") { try blocking { try await calls.reachability() } == .yes }
        let answer = Task.detached { try await calls.dial("Sia Silent", video: false) }
        try parley.see("Call Sia Silent?")
        parley.screenshot("dial")
        #expect(try blocking { try await calls.calls() } == [])
        try Keyboard.press("Escape")
        #expect(throws: ServiceError.refused(.cancelled)) { try blocking { try await answer.value } }
        let second = Task.detached { try await calls.dial("Sia Silent", video: false) }
        try parley.see("Call Sia Silent?")
        try parley.press("Call")
        let id = try blocking { try await second.value }
        try parley.see("0:")
        let facts = try #require(try blocking { try await calls.calls() }.first)
        #expect([facts.id, facts.name, facts.state.rawValue] == [id, "Sia Silent", "active"])
        try blocking { try await calls.setMicrophone(id, on: false) }
        try parley.see("Unmute microphone")
        try blocking { try await calls.hangUp(id) }
        try parley.see("You ended the call.")
    }

    @Test func `calling back over the bus is seen and agreed to`() throws {
        let parley = try start(["--service"])
        try waitForName(parley)
        let client = try client()
        try blocking { try await client.activate(action: "call-back", parameter: .string("audio isSilent")) }
        try parley.see("Call Sia Silent?")
        #expect(!parley.shows("0:"))
        try parley.press("Call")
        try parley.see("0:")
    }

    @Test func `a call nobody took does not end a service that had no window`() throws {
        notifications.answer("GetCapabilities", [.array([.string("body")], of: "s")])
        defer { restoreServer() }
        let parley = try start(["--service"])
        try waitForName(parley)
        let client = try client()
        // The one that gives up calls after it was called.
        try blocking { try await client.activate(action: "call-back", parameter: .string("video givesUp")) }
        try parley.see("Call Gus Gives-Up with video?")
        try parley.press("Call")
        try parley.see("declined the call.")
        try parley.press("Back to the contacts")
        try autostart.set(true)
        try closeWindow()
        try wait("the window to close") { try Keyboard.windows(titled: "Parley").isEmpty }
        parley.signal(SIGUSR1)
        try wait("the ring window") { try Keyboard.windows(titled: "Gus Gives-Up.*").count == 1 }
        parley.signal(SIGUSR1)
        try wait("the missed call") { self.notifications.shown.last?.body == "Missed call" }
        #expect(parley.isRunning)
        #expect(!notifications.closed.contains(try #require(notifications.shown.last?.id)))
    }

    @Test func `the ring window names nobody when notifications shall not`() throws {
        try choose(["notifications-show-caller": false, "ring-window-always": true])
        let parley = try programWithoutWindow()
        parley.signal(SIGUSR1)
        try wait("the window") { try Keyboard.windows(titled: "Incoming video call").count == 1 }
        #expect(!parley.shows("Cem Calls-Back"))
    }

    @Test func `a start with other settings is refused while one runs`() throws {
        let parley = try start(["--service"])
        try waitForName(parley)
        let second = try start(["--camera", "none"])
        #expect(second.exitStatus() == 2)
        #expect(second.output.contains("Quit it first"))
    }

    @Test func `a call that rings is accepted over the bus in sight`() throws {
        let parley = try programWithoutWindow()
        let calls = try blocking { try await CallsClient(bus: Bus.session()) }
        parley.signal(SIGUSR1)
        _ = try notification()
        let ringing = try #require(try blocking { try await calls.calls() }.first)
        #expect(ringing.state == .ringing)
        try blocking { try await calls.accept(ringing.id, camera: false) }
        try wait("the window") { try Keyboard.windows(titled: "Parley").count == 1 }
        try parley.see("0:")
    }

    @Test func `two calls are seen and controlled over the bus`() throws {
        let parley = try start()
        try parley.press("Video call with Paula Popular")
        try parley.see("0:")
        let calls = try blocking { try await CallsClient(bus: Bus.session()) }
        func present() throws -> [CallFacts] { try blocking { try await calls.calls() } }
        let first = try #require(try present().first)
        parley.signal(SIGUSR1)
        try wait("the second call") { try present().contains { $0.state == .ringing && $0.isWaiting } }
        let second = try #require(try present().first { $0.id != first.id })
        try blocking { try await calls.accept(second.id, camera: false) }
        try wait("the first on hold") {
            try present().contains { $0.id == first.id && $0.isHeld }
                && present().contains { $0.id == second.id && $0.state == .active && !$0.isHeld }
        }
        #expect(throws: ServiceError.refused(.wrongState)) { try blocking { try await calls.hold(first.id) } }
        try blocking { try await calls.resume(first.id) }
        try wait("the other way round") {
            try present().contains { $0.id == first.id && !$0.isHeld }
                && present().contains { $0.id == second.id && $0.isHeld }
        }
        try blocking { try await calls.hangUp(first.id) }
        try wait("one to be left") { try present().map(\.id) == [second.id] }
        #expect(try present().map(\.isHeld) == [true])
        try parley.see("You have put the call on hold")
        try blocking { try await calls.hangUp(second.id) }
        try parley.see("You ended the call.")
    }

    @Test func `who is busy hears nothing and is told`() throws {
        try choose(["busy": true])
        let parley = try programWithoutWindow()
        parley.signal(SIGUSR1)
        try wait("the missed call") { self.notifications.shown.last?.body == "Missed call" }
        #expect(!notifications.shown.dropFirst(earlier).contains { $0.body.hasSuffix("Incoming video call") })
        #expect(parley.isRunning)
    }

    @Test func `whoever calls is blocked over the bus, and the person is told`() throws {
        let parley = try programWithoutWindow()
        let calls = try blocking { try await CallsClient(bus: Bus.session()) }
        parley.signal(SIGUSR1)
        _ = try notification()
        let ringing = try #require(try blocking { try await calls.calls() }.first)
        try blocking { try await calls.block(ringing.id) }
        try wait("the word of it") {
            self.notifications.shown.last?.body == "Another program had Cem Calls-Back blocked."
        }
        #expect(try blocking { try await calls.calls() } == [])
        #expect(throws: ServiceError.refused(.blocked)) {
            try blocking { try await calls.dial("Cem Calls-Back", video: false) }
        }
        #expect(!parley.shows("Call Cem Calls-Back"))
    }

    @Test func `the switch keeps other programs from calls`() throws {
        try choose(["calls-over-bus": false])
        let parley = try programWithoutWindow()
        let calls = try blocking { try await CallsClient(bus: Bus.session()) }
        let client = try client()
        parley.signal(SIGUSR1)
        _ = try notification()
        #expect(try blocking { try await calls.calls() } == [])
        #expect(throws: ServiceError.refused(.disabled)) {
            try blocking { try await calls.dial("Sia Silent", video: false) }
        }
        try blocking { try await client.activate(action: "decline") }
        try blocking { try await client.activate(action: "show-call") }
        try parley.see("Incoming video call")
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
