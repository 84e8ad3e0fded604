import Testing

/// Contacts and what is kept of them, and the own profile, in the windows of the real program with a pretended account behind them.
@Suite(.windows, .serialized, .timeLimit(.minutes(5))) final class PeopleDesktopTests: DesktopSuite {
    @Test func `contacts are searched`() throws {
        let parley = try fake()
        try parley.see("Call Dora Declines")
        parley.screenshot("contacts")
        try parley.pressToggle("Search contacts")
        try parley.type("dora", into: "Name of a contact")
        try parley.seeNoMore("Call Mia Mutes")
        try parley.see("Call Dora Declines")
        parley.screenshot("contacts-search")
        try parley.type("nobody", into: "Name of a contact")
        try parley.see("No such contact")
        try parley.pressToggle("Search contacts")
        try parley.see("Call Mia Mutes")
        try parley.pressToggle("Select contacts")
        try parley.see("0 selected")
        parley.screenshot("contacts-select")
        #expect(parley.accessible.namelessButtons == [])
    }

    @Test func `a contact's page shows what is known and removes them`() throws {
        let parley = try fake(callCount: 40)
        try parley.choose("Details", from: "Menu for Cem Calls-Back")
        try parley.see("Calls whoever calls")
        try parley.see("They reach you through")
        parley.screenshot("contact-page")
        #expect(parley.accessible.namelessButtons == [])
        try parley.press("Messages with Cem Calls-Back")
        try parley.see("No messages yet")
        try parley.see("Calls whoever calls")
        try parley.press("Remove Contact")
        try parley.see("Cem Calls-Back was removed.")
        try parley.seeNoMore("Call Cem Calls-Back")
        try parley.press("Undo")
        try parley.see("Call Cem Calls-Back")
    }

    @Test func `a contact is blocked on their page, which leads to their calls`() throws {
        let parley = try fake(callCount: 40)
        try parley.choose("Details", from: "Menu for Cem Calls-Back")
        try parley.press("Block…")
        try parley.see("Block Cem Calls-Back?")
        try parley.press("Block")
        try parley.see("Blocked: their calls don’t ring here")
        try parley.press("Unblock")
        try parley.see("Cem Calls-Back is not blocked any more.")
        try parley.press("All Calls")
        try parley.see("Call Cem Calls-Back back")
        try parley.seeNoMore("Call Dora Declines back")
    }

    @Test func `a call shows the labels of who calls`() throws {
        let parley = try fake(pause: 1_500)
        try parley.press("Call Cem Calls-Back")
        try parley.see("Incoming video call")
        try parley.see("Work")
        parley.screenshot("incoming-labelled")
    }

    @Test func `the own profile is changed`() throws {
        let parley = try fake()
        try parley.choose("Your profile", from: "Main menu")
        try parley.see("Pia Pretends", in: "Name")
        parley.screenshot("own-profile")
        #expect(parley.accessible.namelessButtons == [])
        try parley.type("At sea", into: "About you")
        try parley.press("Save")
        try parley.seeNoMore("Choose Picture")
        try parley.choose("Your profile", from: "Main menu")
        try parley.see("At sea", in: "About you")
    }
}
