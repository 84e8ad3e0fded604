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

    @Test func `several contacts are chosen by assistive tools, removed, and brought back in their order`() throws {
        let parley = try fake()
        try parley.see("Call Dora Declines")
        let before = callable(in: parley)
        #expect(before.count > 4)
        try parley.pressToggle("Select contacts")
        try parley.see("0 selected")
        #expect(!parley.canPress("Remove the selected contacts"))
        for (count, name) in Self.three.enumerated() {
            try parley.flip("Select \(name)")
            try parley.see("\(count + 1) selected")
            try parley.seeSwitch("Select \(name)", isOn: true)
            #expect(row(name, of: parley)?.isSelected == true)
        }
        try parley.flip("Select \(Self.three[1])")
        try parley.see("2 selected")
        #expect(row(Self.three[1], of: parley)?.isSelected == false)
        try parley.flip("Select \(Self.three[1])")
        try parley.see("3 selected")
        parley.screenshot("contacts-selected")
        try parley.press("Remove the selected contacts")
        try parley.see("3 contacts were removed.")
        try parley.seeNoMore("Remove the selected contacts")
        try wait("the others to be left") { self.callable(in: parley) == before.filter { !Self.three.contains($0) } }
        try parley.press("Undo")
        try wait("all to be back in their order") { self.callable(in: parley) == before }
        try parley.seeNoMore("3 contacts were removed.")
    }

    @Test func `several contacts are chosen with the keyboard and stay removed`() throws {
        let manager = try WindowManager()
        defer { withExtendedLifetime(manager) {} }
        let parley = try fake()
        try parley.see("Call Dora Declines")
        let before = callable(in: parley)
        try Keyboard.activate(Keyboard.window(titled: "Parley"))
        try tab(to: "Select contacts", in: parley)
        try Keyboard.press("space")
        try parley.see("0 selected")
        try tab(to: before[0], in: parley)
        // The other key that presses a row, and one that takes a choice back.
        try Keyboard.press("space", "Down", "Return", "Down", "space", "space")
        try parley.see("2 selected")
        #expect(row(before[0], of: parley)?.isSelected == true)
        #expect(row(before[2], of: parley)?.isSelected == false)
        try tab(to: "Remove the selected contacts", in: parley)
        try Keyboard.press("Return")
        try parley.see("2 contacts were removed.")
        try wait("the others to be left") { self.callable(in: parley) == Array(before.dropFirst(2)) }
        try parley.seeNoMore("2 contacts were removed.")
        #expect(!parley.canPress("Undo"))
        #expect(callable(in: parley) == Array(before.dropFirst(2)))
    }

    private static let three = ["Dora Declines", "Mia Mutes", "Cem Calls-Back"]

    /// The contacts who can be called, from top to bottom.
    private func callable(in parley: RunningProgram) -> [String] {
        parley.accessible.widgets.filter { $0.role.contains("button") && $0.name.hasPrefix("Video call with ") }
            .map { String($0.name.dropFirst("Video call with ".count)) }.filter { $0 != "Test call" }
    }

    private func row(_ name: String, of parley: RunningProgram) -> Accessible? {
        parley.accessible.first { $0.role == "list item" && $0.name == name }
    }

    /// Goes on with the focus until it is on what has this name.
    private func tab(to name: String, in parley: RunningProgram) throws {
        for _ in 0..<60 {
            if parley.accessible.first(where: { $0.name == name && $0.isFocused }) != nil { return }
            try Keyboard.press("Tab")
        }
        Issue.record("no key leads to \(name)")
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
