import BaseKit
import Foundation
import TestSupport
import Testing

/// The first minute with the real program and an empty home.
@Suite(.windows, .serialized, .timeLimit(.minutes(5))) final class WelcomeDesktopTests: DesktopSuite {
    @Test func `a person is welcomed from the name to a test call`() throws {
        let relay = try ReachableRelay(of: self)
        let folder = try RunningProgram.emptyFolder().path + "/profile"
        let parley = try program(folder)
        try parley.see("Welcome to Parley")
        try parley.see("Step 1 of 4")
        #expect(parley.content(of: "Your name") == [""], "the name of the login is nobody's to tell")
        #expect(!parley.canPress("Continue"))
        #expect(!parley.canPress("Back"))
        parley.screenshot("welcome-1-name")
        #expect(parley.accessible.namelessButtons == [])
        try parley.type("Ada Lovelace", into: "Your name")
        try parley.press("Continue")

        try parley.see("Step 2 of 4")
        try parley.see("There is no account and no number")
        parley.screenshot("welcome-2-calls")
        try parley.press("Continue")

        try parley.see("Step 3 of 4")
        #expect(!parley.shows("There is no account"), "what is not seen is read out")
        #expect(!parley.shows("Your picture"), "the camera opens by itself")
        try parley.turnSwitch("Look at your picture")
        try parley.see("Your picture")
        parley.screenshot("welcome-3-devices")
        #expect(parley.accessible.namelessButtons == [])
        try parley.press("Continue")

        try parley.see("Step 4 of 4")
        try parley.seeNoMore("Your picture")
        try parley.see("At present nobody else can open your links")
        parley.screenshot("welcome-4-reach")
        try parley.type(relay.address, into: "Address of the relay")
        try parley.press("Test and Use")
        try parley.seeNoMore("At present nobody else can open your links")
        parley.screenshot("welcome-4-tested")
        try parley.press("Done")
        try parley.see("Video call with Test call")
        try parley.see("Ready to call")
        parley.screenshot("welcome-done")
        #expect(!parley.shows("lies in a file"), "the key is told of first")
        try parley.press("Test Call")
        try parley.see("0:")
        try parley.press("End the call")
        try parley.press("Back to the contacts")
        try parley.choose("Preferences", from: "Main menu")
        try parley.turn(to: "Key")
        try parley.see("In a file")
        try parley.see("Whoever can read the profile’s folder")
        parley.kill()
        _ = parley.exitStatus()

        let again = try program(folder)
        try again.see("Video call with Test call")
        #expect(!again.shows("Step 1 of 4"))
        try again.choose("Your profile", from: "Main menu")
        try again.see("Ada Lovelace", in: "Name")
    }

    @Test func `every step can be left out`() throws {
        let folder = try RunningProgram.emptyFolder().path + "/profile"
        let parley = try program(folder)
        try parley.press("Skip")
        try parley.see("Step 2 of 4")
        try parley.press("Continue")
        try parley.see("Step 3 of 4")
        try parley.press("Skip")
        try parley.see("Step 4 of 4")
        try parley.press("Skip")
        try parley.see("Video call with Test call")
        try parley.choose("Your profile", from: "Main menu")
        try parley.see("Someone", in: "Name")
        let login = NSFullUserName().isEmpty ? NSUserName() : NSFullUserName()
        #expect(!parley.content(of: "Name").contains(login))
    }

    @Test func `who closes it at the first step leaves nothing behind`() throws {
        let manager = try WindowManager()
        let folder = try RunningProgram.emptyFolder().path + "/profile"
        let parley = try program(folder)
        try parley.type("Ada", into: "Your name")
        let window = try Keyboard.window(titled: "Parley")
        try Keyboard.activate(window)
        try Keyboard.press("Escape")
        #expect(parley.shows("Step 1 of 4"), "Escape is no answer")
        try Keyboard.press("ctrl+w")
        #expect(parley.exitStatus() == 0)
        #expect(!FileManager.default.fileExists(atPath: folder))
        let again = try program(folder)
        try again.see("Step 1 of 4")
        #expect(again.content(of: "Your name") == [""])
        withExtendedLifetime(manager) {}
    }

    @Test func `it is walked through by keys alone`() throws {
        let manager = try WindowManager()
        let parley = try program(try RunningProgram.emptyFolder().path + "/profile")
        try parley.see("Step 1 of 4")
        try Keyboard.activate(Keyboard.window(titled: "Parley"))
        try Keyboard.type("Ada")
        try parley.see("Ada", in: "Your name")
        try Keyboard.press("Return")
        try parley.see("Step 2 of 4")
        try parley.seeUsable("Continue")
        try Keyboard.press("Return")
        try parley.see("Step 3 of 4")
        try Keyboard.press("Escape")
        try parley.see("Step 2 of 4")
        try Keyboard.press("Return", "Return")
        try parley.see("Step 4 of 4")
        try Keyboard.press("alt+Left")
        try parley.see("Step 3 of 4")
        try Keyboard.press("Return", "Return")
        try parley.see("Video call with Test call")
        withExtendedLifetime(manager) {}
    }

    @Test func `nobody is contacted before the person says so`() throws {
        let (named, typed) = (try SilentServer(), try SilentServer())
        defer { for server in [named, typed] { server.stop() } }
        let parley = try program(
            try RunningProgram.emptyFolder().path + "/profile", "--relay", address(of: named))
        try parley.type("Ada", into: "Your name")
        try parley.seeUsable("Continue")
        #expect(connections(to: named) == 0, "a relay is contacted before the first answer")
        try parley.press("Continue")
        try wait("the relay of the command line") { self.connections(to: named) > 0 }
        try parley.press("Continue")
        try parley.see("Step 3 of 4")
        try parley.press("Skip")
        try parley.type(address(of: typed), into: "Address of the relay")
        try parley.seeUsable("Test and Use")
        #expect(connections(to: typed) == 0, "a relay is contacted while it is typed")
        try parley.press("Test and Use")
        try wait("the relay that was typed") { self.connections(to: typed) > 0 }
    }

    @Test func `a service without a profile makes none`() throws {
        let folder = try RunningProgram.emptyFolder().path + "/profile"
        let parley = try program(folder, "--service")
        try wait("the notification") { self.notifications.shown.contains { $0.body.contains("no profile yet") } }
        #expect(!FileManager.default.fileExists(atPath: folder))
        parley.kill()
    }

    private func connections(to server: SilentServer) -> Int { server.received.count + server.ended.count }

    private func address(of server: SilentServer) -> String {
        "smp://AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=@127.0.0.1:\(server.port)"
    }

    private func program(_ folder: String, _ words: String...) throws -> RunningProgram {
        try RunningProgram(
            ["--profile", folder, "--camera", "test", "--microphone", "test"] + words, welcomes: true)
    }
}
