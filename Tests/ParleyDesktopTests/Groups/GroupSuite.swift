import TestSupport
import Testing

/// Calls of three programs with windows, and a relay between them: Ada knows Ben and Cleo, who don't know each other.
class GroupSuite: DesktopSuite {
    private var manager: WindowManager!
    private var relay: ReachableRelay!

    override init() throws {
        try super.init()
        manager = try WindowManager()
        relay = try ReachableRelay(of: self)
    }

    /// All of them, with Ada's contacts.
    func threeFriends() throws -> (ada: RunningProgram, ben: RunningProgram, cleo: RunningProgram) {
        let (ada, ben, cleo) = (try person("Ada"), try person("Ben"), try person("Cleo"))
        try connect(ada, "Ada", to: ben, "Ben")
        try connect(ada, "Ada", to: cleo, "Cleo")
        return (ada, ben, cleo)
    }

    private func person(_ name: String) throws -> RunningProgram {
        let parley = try RunningProgram([
            "--profile", try RunningProgram.emptyFolder().path, "--name", name, "--camera", "test", "--microphone",
            "test", "--screen", "test", "--relay", relay.address, "--key-file",
        ])
        atEnd { parley.kill() }
        try parley.see("Video call with Test call")
        return parley
    }

    /// Chooses both contacts of Ada's, and waits until they can be called together.
    func choose(_ ada: RunningProgram) throws {
        try ada.pressToggle("Select contacts")
        try ada.flip("Select Ben")
        try ada.flip("Select Cleo")
        try ada.see("2 selected")
        // Their programs have said by now that they take part.
        try ada.seeNoMore("can’t join calls of several people")
    }

    /// Calls who is chosen.
    func call(from ada: RunningProgram) throws {
        try ada.press("Video call with them together")
        try ada.see("Ben, Ringing…")
        try ada.see("Cleo, Ringing…")
    }

    /// Both accept, with nothing open before.
    func take(_ ben: RunningProgram, _ cleo: RunningProgram) throws {
        for person in [ben, cleo] {
            try person.see("Incoming video call")
            #expect(!person.shows("Your own picture"), "the camera is open before the call is accepted")
        }
        ben.screenshot("group-incoming")
        for person in [ben, cleo] { try person.press("Accept with video") }
    }

    /// Each sees the others, and themselves.
    func seeEachOther(_ ada: RunningProgram, _ ben: RunningProgram, _ cleo: RunningProgram) throws {
        for (person, others) in [(ada, ["Ben", "Cleo"]), (ben, ["Ada", "Cleo"]), (cleo, ["Ada", "Ben"])] {
            for other in others { try person.see("Picture of \(other)") }
            try person.see("Your own picture")
            try person.see("0:")
        }
    }
}
