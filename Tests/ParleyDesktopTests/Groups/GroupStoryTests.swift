import Testing

/// Three people in one call: three programs, a relay, and what each sees and presses.
@Suite(.windows(limit: .seconds(400)), .serialized, .timeLimit(.minutes(7)))
final class GroupStoryTests: GroupSuite {
    @Test func `three see each other, one mutes, one leaves, comes back, and is removed`() throws {
        let (ada, ben, cleo) = try threeFriends()
        try switchOffAndOn(cleo)
        try choose(ada)
        ada.screenshot("group-chosen")
        try call(from: ada)
        ada.screenshot("group-calling")
        try take(ben, cleo)
        try seeEachOther(ada, ben, cleo)
        ben.screenshot("group-call")
        #expect(ben.accessible.namelessButtons == [])
        try mute(ada, ben, cleo)
        try pin(ben)
        try leaveAndComeBack(ada, ben, cleo)
        try remove(ada, ben, cleo)
        try end(ada, ben)
    }

    /// Nothing of calls of several is seen where they are switched off.
    private func switchOffAndOn(_ person: RunningProgram) throws {
        for isOn in [false, true] {
            try person.choose("Preferences", from: "Main menu")
            try person.turn(to: "Notifications")
            try person.seeSwitch("Make and take calls of several people", isOn: !isOn)
            try person.flip("Make and take calls of several people")
            try person.seeSwitch("Make and take calls of several people", isOn: isOn)
            try ProgramWindows(of: person).close("Preferences")
            try person.pressToggle("Select contacts")
            try person.see("0 selected")
            #expect(person.shows("Call them together") == isOn)
            try person.pressToggle("Select contacts")
        }
    }

    private func mute(_ ada: RunningProgram, _ ben: RunningProgram, _ cleo: RunningProgram) throws {
        try ben.press("Mute microphone")
        for person in [ada, cleo] { try person.see("Ben, microphone off") }
        try ben.see("You, microphone off")
        try ben.press("Unmute microphone")
        for person in [ada, cleo] { try person.seeNoMore("Ben, microphone off") }
        try cleo.press("Raise your hand")
        for person in [ada, ben] { try person.see("Cleo, hand raised") }
        try cleo.press("Lower your hand")
        try cleo.press("Turn camera off")
        for person in [ada, ben] { try person.seeNoMore("Picture of Cleo") }
        try cleo.press("Turn camera on")
        for person in [ada, ben] { try person.see("Picture of Cleo") }
    }

    private func pin(_ ben: RunningProgram) throws {
        try ben.press("Show the participants")
        try ben.open("Options for Cleo")
        try ben.press("Pin Cleo")
        try ben.see("Cleo, pinned")
        ben.screenshot("group-spotlight")
        try ben.press("Show everybody at the same size")
        try ben.seeNoMore("Cleo, pinned")
        try ben.press("Hide the participants")
    }

    private func leaveAndComeBack(_ ada: RunningProgram, _ ben: RunningProgram, _ cleo: RunningProgram) throws {
        try cleo.press("Leave the call")
        try cleo.see("You left the call.")
        for (person, other) in [(ada, "Ben"), (ben, "Ada")] {
            try person.seeNoMore("Picture of Cleo")
            try person.see("Picture of \(other)")
        }
        ada.screenshot("group-two")
        try cleo.press("Back to the contacts")
        try cleo.see("The call you were in is still on")
        cleo.screenshot("group-still-on")
        try cleo.press("Come Back")
        for (person, others) in [(ada, ["Ben", "Cleo"]), (ben, ["Ada", "Cleo"]), (cleo, ["Ada", "Ben"])] {
            for other in others { try person.see("Picture of \(other)") }
        }
    }

    private func remove(_ ada: RunningProgram, _ ben: RunningProgram, _ cleo: RunningProgram) throws {
        try ben.press("Show the participants")
        try ben.see("3 people in the call")
        try ben.see("In the call · Host")
        try ben.see("In the call · Introduced")
        #expect(!ben.shows("Remove Cleo from the call"), "who is not the host removes nobody")
        ben.screenshot("group-people")
        try ada.press("Show the participants")
        try ada.press("Remove Cleo from the call")
        try cleo.see("You were removed from the call.")
        try ada.see("Was removed")
        try ada.see("Invite Cleo")
        try ben.see("2 people in the call")
        ada.screenshot("group-removed")
    }

    private func end(_ ada: RunningProgram, _ ben: RunningProgram) throws {
        try ben.press("Leave the call")
        try ada.see("You are alone in the call")
        try ada.press("Leave the call")
        try ada.see("You left the call.")
    }
}
