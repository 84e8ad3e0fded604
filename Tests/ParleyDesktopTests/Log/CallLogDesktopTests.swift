import Foundation
import Testing

/// The log of calls in the windows of the real program, with a pretended account behind them.
@Suite(.windows, .serialized, .timeLimit(.minutes(5))) final class CallLogDesktopTests: DesktopSuite {
    @Test func `the log is read, filtered and searched`() throws {
        let parley = try fake(callCount: 100_000)
        try parley.see("Call Dora Declines")
        try parley.turn(to: "Calls")
        try parley.see("Today")
        try parley.see("Call Dora Declines back")
        #expect(!parley.shows("Add a contact here"))
        parley.screenshot("calls")
        #expect(parley.accessible.namelessButtons == [])
        try parley.pressToggle("Missed")
        try parley.see("Missed video call")
        try parley.seeNoMore("Outgoing call")
        parley.screenshot("calls-missed")
        try parley.pressToggle("All")
        try parley.see("Outgoing call")
        try parley.pressToggle("Search calls by name")
        try parley.type("dora", into: "Name of a contact")
        try parley.see("Dora Declines")
        try parley.seeNoMore("Cem Calls-Back")
        parley.screenshot("calls-search")
        try parley.turn(to: "Contacts")
        try parley.see("Call Cem Calls-Back")
    }

    @Test func `a call of the log is called back`() throws {
        let parley = try fake(callCount: 5)
        try parley.turn(to: "Calls")
        try parley.press("Call Test call back")
        try parley.see("0:")
        try parley.see("Turn camera on")
    }

    @Test func `a call of the log is called back with video`() throws {
        let parley = try fake(callCount: 5)
        try parley.turn(to: "Calls")
        try parley.press("Call Test call back with video")
        try parley.see("0:")
        try parley.see("Turn camera off")
    }

    @Test func `those in a call of several are called again from the log, and one comes back from there`() throws {
        let parley = try fake(callCount: 3, environment: ["FAKE_CALLS_GROUPS": "1"])
        try parley.turn(to: "Calls")
        let menu = try parley.see("Menu for Sven Shares, Sia Silent, Nora Newcomer")
        try parley.see("Call Sven Shares, Sia Silent together")
        parley.screenshot("calls-several")
        try parley.choose("Call All Again", from: menu)
        try parley.see("0:")
        try parley.press("Leave the call")
        try parley.press("Back to the contacts")
        try parley.see("Come back into the call with Sven Shares, Sia Silent, Nora Newcomer")
        #expect(parley.accessible.namelessButtons == [])
        parley.screenshot("calls-come-back")
        try parley.press("Come back into the call with Sven Shares, Sia Silent, Nora Newcomer")
        try parley.see("Leave the call")
    }

    @Test func `the details of a call of several name everybody, and call again those who can join`() throws {
        let parley = try fake(callCount: 3, environment: ["FAKE_CALLS_GROUPS": "1"])
        try parley.turn(to: "Calls")
        let menu = try parley.see("Menu for Sven Shares, Sia Silent, Nora Newcomer")
        try parley.choose("Details", from: menu)
        try parley.see("Details of the call")
        parley.screenshot("call-details-several")
        #expect(parley.accessible.namelessButtons == [])
        try parley.press("Video call with Sven Shares, Sia Silent together")
        try parley.see("Sven Shares’s screen")
    }

    @Test func `calls of a kind are shown`() throws {
        let parley = try fake(callCount: 40)
        try parley.turn(to: "Calls")
        try parley.see("Outgoing call")
        try parley.choose("With video", from: "Menu for calls")
        try parley.seeNoMore("Outgoing call")
        try parley.see("video call")
        try parley.choose("Sound only", from: "Menu for calls")
        try parley.seeNoMore("video call")
        try parley.choose("All kinds", from: "Menu for calls")
        try parley.see("video call")
        try parley.see("Outgoing call")
    }

    @Test func `a call is deleted, that is undone, and all are deleted`() throws {
        let parley = try fake(callCount: 3)
        try parley.turn(to: "Calls")
        try parley.see("Call Dora Declines back")
        let menu = try parley.see("Menu for Dora Declines, ")
        try parley.choose("Delete", from: menu)
        try parley.see("The call was deleted.")
        try parley.seeNoMore("Call Dora Declines back")
        parley.screenshot("calls-undo")
        try parley.press("Undo")
        try parley.see("Call Dora Declines back")
        try parley.choose("Details", from: menu)
        try parley.see("Details of the call")
        parley.screenshot("call-details")
        #expect(parley.accessible.namelessButtons == [])
        try parley.press("Delete this call from the log")
        try parley.see("The call was deleted.")
        try parley.choose("Delete all calls", from: "Menu for calls")
        try parley.see("Delete all calls?")
        parley.screenshot("calls-delete-all")
        try parley.press("Delete")
        try parley.see("No calls yet")
        parley.screenshot("calls-empty")
    }

    @Test func `calls with a contact are kept out of the log and in it again`() throws {
        let parley = try fake()
        try parley.choose("Keep no calls in the log", from: "Menu for Dora Declines")
        try parley.choose("Keep calls in the log again", from: "Menu for Dora Declines")
        try parley.open("Menu for Dora Declines")
        try parley.see("Keep no calls in the log")
        parley.screenshot("contact-menu")
    }

    @Test func `how the log is kept is in the preferences`() throws {
        let parley = try fake()
        try parley.choose("Preferences", from: "Main menu")
        try parley.turn(to: "Call log")
        try parley.see("Keep calls in the log")
        try parley.see("Until I delete them")
        parley.screenshot("preferences-log")
        #expect(parley.accessible.namelessButtons == [])
        try parley.flip("Keep calls in the log")
        try parley.seeSwitch("Keep calls in the log", isOn: false)
    }
}
