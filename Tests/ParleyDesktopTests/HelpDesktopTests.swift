import XCTest

/// The user's guide in the running program.
final class HelpDesktopTests: DesktopTestCase {
    func testF1OpensTheGuideAndEscapeClosesIt() throws {
        let parley = try fake()
        try parley.see("Contacts")
        try Keyboard.press("F1")
        try parley.see("Nothing is stored and no server is contacted", as: "label")
        try parley.see("First start", as: "heading")
        try parley.see("Make a test call", as: "heading")
        XCTAssertEqual(parley.namelessButtons, [])
        try Keyboard.press("Escape")
        try parley.seeNoMore("Make a test call")
        try parley.see("Contacts")
    }

    func testAChapterIsChosenWithTheKeysAndByALink() throws {
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
