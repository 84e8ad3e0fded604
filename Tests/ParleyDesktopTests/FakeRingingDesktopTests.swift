import BaseKit
import Foundation
import Testing

/// A call that comes while the person does something else, in the windows of the real program on a managed screen.
@Suite(.windows, .serialized, .timeLimit(.minutes(5))) final class FakeRingingDesktopTests: DesktopSuite {
    private var manager: WindowManager?

    override init() throws {
        try super.init()
        manager = try WindowManager()
    }

    @Test func `a call that comes takes neither the focus nor the text of a dialog`() throws {
        let parley = try programThatIsCalled()
        try parley.press("Add a contact")
        try parley.see("Send your link")
        let dialog = try Keyboard.window(titled: "Add a contact")
        try parley.click("Link", in: dialog)
        try Keyboard.type("https://parley.invalid/inv")
        try parley.see("https://parley.invalid/inv", in: "Link")
        parley.signal(SIGUSR1)
        try parley.see("Incoming video call")
        try Keyboard.type("itation/abc")
        try parley.see("https://parley.invalid/invitation/abc", in: "Link")
        parley.screenshot("ringing-over-a-dialog")
        // Deletes a word in the field, as ever.
        try Keyboard.press("ctrl+BackSpace")
        try parley.see("https://parley.invalid/invitation/", in: "Link")
        #expect(parley.shows("Incoming video call"))
        #expect(parley.accessible.namelessButtons == [])
        try parley.press("Accept with sound only")
        try parley.see("0:")
        try parley.see("Turn camera on")
        try Keyboard.press("ctrl+m")
        try parley.see("Unmute microphone")
        parley.screenshot("call-under-a-dialog")
        try parley.press("End the call")
        try parley.see("You ended the call.")
        try parley.see("https://parley.invalid/invitation/", in: "Link")
    }

    @Test func `no key answers a call that the person did not move to`() throws {
        let parley = try programThatIsCalled()
        try Keyboard.press("Tab", "Tab")
        parley.signal(SIGUSR1)
        try parley.see("Incoming video call")
        try parley.seeUsable("Decline the call")
        try Keyboard.press("Return", "space", "Escape", "BackSpace", "ctrl+BackSpace", "KP_Enter")
        usleep(500_000)
        #expect(parley.shows("Incoming video call"))
        #expect(!parley.shows("0:"))
        try Keyboard.press("Tab", "ctrl+BackSpace")
        try parley.see("You declined the call.")
    }

    @Test func `whoever calls is blocked from the menu of the call`() throws {
        let parley = try programThatIsCalled()
        parley.signal(SIGUSR1)
        try parley.see("Incoming video call")
        try parley.seeUsable("Decline the call")
        try parley.open("More about this call")
        try parley.see("Block Cem Calls-Back")
        try parley.see("Decline with a Message")
        parley.screenshot("block-caller")
        #expect(parley.accessible.namelessButtons == [])
        try parley.chooseItem("Block Cem Calls-Back")
        try parley.see("Cem Calls-Back is blocked.")
        #expect(!(parley.shows("Incoming video call") || parley.shows("You declined the call.")))
        try parley.see("Blocked: their calls don’t ring here")
        parley.screenshot("caller-blocked")
    }

    @Test func `a call that comes leaves a minimised window where it is`() throws {
        let parley = try programThatIsCalled()
        let window = try Keyboard.window(titled: "Parley", onTop: true)
        try Keyboard.minimise(window)
        #expect(try Keyboard.isMinimised(window))
        parley.signal(SIGUSR1)
        try parley.see("Incoming video call")
        usleep(500_000)
        #expect(try Keyboard.isMinimised(window))
        #expect(try Keyboard.activeWindow() != window)
    }

    @Test func `a call that comes leaves the keys to another program`() throws {
        let parley = try programThatIsCalled()
        let before = try Keyboard.windows(titled: "Parley")
        let other = try fake()
        try other.see("Contacts")
        let window = try #require(try Keyboard.windows(titled: "Parley").first { !before.contains($0) })
        try Keyboard.activate(window)
        parley.signal(SIGUSR1)
        try parley.see("Incoming video call")
        usleep(500_000)
        #expect(try Keyboard.activeWindow() == window)
    }

    @Test func `Return goes on in the question for a passphrase`() throws {
        let parley = try fake()
        try parley.choose("Preferences", from: "Main menu")
        try parley.turn(to: "Key")
        try parley.press("Use a passphrase")
        try parley.see("Choose a passphrase")
        try waitForAnotherWindow("Preferences")
        try Keyboard.type("correct horse")
        try Keyboard.press("Return")
        #expect(parley.shows("Choose a passphrase"), "it went on without the second time")
        // Past the button that shows what was typed. Not by a click: GTK 4.18 does not tell where a row's field is.
        try Keyboard.press("Tab", "Tab")
        try Keyboard.type("correct horse")
        parley.screenshot("passphrase-typed")
        try Keyboard.press("Return")
        try parley.see("Under a passphrase")
        try parley.seeNoMore("Choose a passphrase")
    }

    /// Waits until the window manager has given the keys to a window that just came.
    private func waitForAnotherWindow(_ title: String) throws {
        let earlier = [""] + (try Keyboard.windows(titled: title))
        let limit = Instant.now + .seconds(60)
        while earlier.contains(try Keyboard.activeWindow()), Instant.now < limit { usleep(50_000) }
    }
}
