import CallControl
import FakeNotifications
import Foundation
import TestSupport
import Testing

/// The real program with two profiles: who calls one of them while the person is in a call of the other, and what is done with profiles.
@Suite(.windows, .serialized, .timeLimit(.minutes(5))) final class TwoProfilesStoryTests: DesktopSuite {
    private var manager: WindowManager?
    private var town: ServiceTown!

    override init() throws {
        try super.init()
        manager = try WindowManager()
    }

    @Test func `a call of one profile waits behind that of another and takes its place`() throws {
        town = try ServiceTown()
        try town.addProfile("Work", knowing: "Cleo")
        let ada = try town.startService()
        atEnd { ada.kill() }
        let ben = try town.benCalls("--audio", "--for", "60")
        let first = try town.call("that rings", with: "Ben") { $0.state == .ringing }
        #expect([first.profile, first.isWaiting.description] == ["Ada", "false"])
        try town.accept(first)
        try town.wait(for: "firstFrame", of: ben)

        let earlier = notifications.shown.count
        let cleo = try town.calls("Cleo", ["--audio", "--for", "60"], whom: "Work")
        let second = try town.call("that waits", with: "Cleo") { $0.state == .ringing && $0.isWaiting }
        #expect(second.profile == "Work")
        try town.accept(second)
        try town.wait(for: "firstFrame", of: cleo)
        try town.call("on hold", with: "Ben") { $0.isHeld && $0.state == .active }
        #expect(notifications.shown.count >= earlier)

        try blocking { [bus = town.bus] in try await CallsClient(bus: bus).resume(first.id) }
        try town.call("on hold", with: "Cleo") { $0.isHeld }
        try town.call("on", with: "Ben") { !$0.isHeld && $0.state == .active }
        for caller in [ben, cleo] {
            caller.signal(SIGINT)
            _ = try town.end(of: caller)
        }
    }

    @Test func `a notification says for which profile a call is`() throws {
        town = try ServiceTown()
        try town.addProfile("Work", knowing: "Cleo")
        let ada = try town.startService()
        atEnd { ada.kill() }
        let earlier = notifications.shown.count
        let cleo = try town.calls("Cleo", ["--audio"], whom: "Work")
        try town.wait("the notification") { self.notifications.shown.count > earlier }
        let shown = try #require(notifications.shown.last)
        #expect([shown.summary, shown.body] == ["Cleo", "Incoming call for Work"])
        cleo.signal(SIGINT)
        _ = try town.end(of: cleo)
    }

    @Test func `a profile is made, shown, closed, opened and removed`() throws {
        let data = try RunningProgram.emptyFolder().path
        let parley = try RunningProgram(
            ["--key-file", "--name", "Ada", "--camera", "test", "--microphone", "test"],
            environment: ["XDG_DATA_HOME": data])
        atEnd { parley.kill() }
        try parley.see("Video call with Test call")
        #expect(!FileManager.default.fileExists(atPath: data + "/parley-profiles.json"))
        try parley.choose("Profiles", from: "Main menu")
        try parley.see("Ada")
        parley.screenshot("profiles-one")
        try parley.press("New Profile")
        try parley.see("Welcome to Parley")
        parley.screenshot("profiles-draft")
        // Who thinks better of it turns back, and nothing is left.
        try parley.press("Profiles")
        try parley.press("Show the profile Ada")
        try parley.see("Video call with Test call")
        try parley.choose("Profiles", from: "Main menu")
        try parley.seeNoMore("Show the profile")
        try parley.press("New Profile")
        try parley.see("Welcome to Parley")
        try parley.type("Work", into: "Your name")
        try parley.press("Continue")
        try parley.see("Step 2 of 4")
        try parley.press("Continue")
        try parley.see("Step 3 of 4")
        try parley.press("Skip")
        try parley.see("Step 4 of 4")
        try parley.press("Skip")
        try parley.see("Work – Parley")
        try parley.see("Video call with Test call")
        parley.screenshot("profiles-second")
        let list = { (try? String(contentsOfFile: data + "/parley-profiles.json", encoding: .utf8)) ?? "" }
        try wait("the list") { list().contains(#""name":"Work""#) }

        try parley.choose("Profiles", from: "Main menu")
        try parley.press("Show the profile Ada")
        try parley.see("Ada – Parley")
        try parley.seeNoMore("Work – Parley")
        try parley.see("Video call with Test call")
        try parley.choose("Profiles", from: "Main menu")
        try parley.see("Shown now")
        parley.screenshot("profiles-two")
        #expect(parley.accessible.namelessButtons == [])
        try parley.press("Close the profile Work")
        try parley.see("Closed: it receives nothing")
        try parley.press("Open the profile Work")
        try parley.see("Work – Parley")
        try parley.see("Video call with Test call")
        try parley.choose("Profiles", from: "Main menu")
        try parley.press("Remove the profile Work")
        try parley.see("Remove the profile Work?")
        parley.screenshot("profiles-remove")
        try parley.press("Remove")
        try parley.seeNoMore("Work – Parley")
        try parley.see("Video call with Test call")
        try wait("its folder to go") { !FileManager.default.fileExists(atPath: data + "/parley-2") }
        try wait("the list to forget it") { !list().contains("Work") }
        #expect(FileManager.default.fileExists(atPath: data + "/parley/agent.sqlite"))
    }
}
