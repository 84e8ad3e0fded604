import Testing

/// The user's guide in the running program.
@Suite(.windows, .serialized, .timeLimit(.minutes(5))) final class HelpDesktopTests: DesktopSuite {
    @Test func `F1 opens the guide and Escape closes it`() throws {
        let parley = try fake()
        try parley.see("Contacts")
        try Keyboard.press("F1")
        try parley.see("Nothing is stored and no server is contacted", as: "label")
        try parley.see("First start", as: "heading")
        try parley.see("Make a test call", as: "heading")
        #expect(parley.accessible.namelessButtons == [])
        try Keyboard.press("Escape")
        try parley.seeNoMore("Make a test call")
        try parley.see("Contacts")
    }

    @Test func `a chapter is chosen with the keys and by a link`() throws {
        let parley = try fake()
        try parley.choose("Help", from: "Main menu")
        try parley.see("First start", as: "heading")
        try Keyboard.press("Down", "Down", "Return")
        try parley.see("Several calls", as: "heading")
        // The first link of the chapter.
        try Keyboard.press("Tab", "Return")
        try parley.see("See the screen of the other person", as: "heading")
        try Keyboard.press("ctrl+w")
        try parley.seeNoMore("See the screen of the other person")
        try parley.see("Contacts")
    }
}
