import Testing

/// The menus of rows in the running program, by the pointer's other button.
@Suite(.windows, .serialized, .timeLimit(.minutes(5))) final class ContextMenuDesktopTests: DesktopSuite {
    @Test func `the other button opens the menus of contacts and calls`() throws {
        let parley = try fake(callsWait: true, callCount: 8)
        try parley.see("Call Dora Declines")
        let window = try Keyboard.window(titled: "Parley")
        try parley.click("Call Dora Declines", in: window, button: 3)
        try parley.see("Compare security code…")
        parley.screenshot("context-menu")
        try Keyboard.press("Escape")
        try parley.seeNoMore("Compare security code…")
        // The row goes while its menu closes.
        try parley.click("Call Mia Mutes", in: window, button: 3)
        try parley.chooseItem("Remove")
        try parley.see("Mia Mutes was removed.")
        try parley.turn(to: "Calls")
        try parley.see("Today")
        try parley.click("back with video", in: window, button: 3)
        try parley.see("Delete")
        parley.screenshot("context-menu-call")
        try parley.chooseItem("Details")
        try parley.see("Details of the call")
    }
}
