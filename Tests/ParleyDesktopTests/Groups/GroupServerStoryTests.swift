import BaseKit
import TestSupport
import Testing

/// A call of three programs with windows over a call server, which is set and tested in the window.
@Suite(.windows(limit: .seconds(300)), .needs(JanusServer.obstacle), .serialized, .timeLimit(.minutes(7)))
final class GroupServerStoryTests: GroupSuite {
    @Test func `a server that was set in the window carries a call, which goes on when it dies`() throws {
        let folder = try TemporaryFolder()
        let janus = try blocking { try await JanusServer(folder) }
        atEnd { janus.stop() }
        let (ada, ben, cleo) = try threeFriends()
        try set(janus, in: ada)
        let before = sessions(of: janus)
        try choose(ada)
        try call(from: ada)
        try take(ben, cleo)
        try seeEachOther(ada, ben, cleo)
        // One for each of the three, and nobody has offered a direct way.
        #expect(sessions(of: janus) - before >= 3)
        try share(ben, seenBy: [ada, cleo])
        try blocking { try await janus.kill() }
        // A camera that is turned on now is seen by direct ways or not at all.
        for (name, person, others) in [("Cleo", cleo, [ada, ben]), ("Ada", ada, [ben, cleo])] {
            try person.press("Turn camera off")
            for other in others { try other.seeNoMore("Picture of \(name)") }
            try person.press("Turn camera on")
            for other in others { try other.see("Picture of \(name)") }
        }
        for person in [cleo, ben] { try person.press("Leave the call") }
        try ada.see("You are alone in the call")
        try ada.press("Leave the call")
    }

    private func share(_ ben: RunningProgram, seenBy others: [RunningProgram]) throws {
        try ben.press("Share your screen")
        try ben.press("Share with system sound")
        try ben.see("You are sharing your screen and its sound")
        for person in others { try person.see("Ben’s screen") }
        ben.screenshot("group-screen")
        try ben.press("Stop sharing your screen now")
        try ben.seeNoMore("You are sharing your screen")
        for person in others { try person.see("Picture of Ben") }
    }

    private func sessions(of janus: JanusServer) -> Int { janus.log.count { $0.contains("Creating new session") } }

    private func set(_ janus: JanusServer, in ada: RunningProgram) throws {
        try ada.choose("Preferences", from: "Main menu")
        try ada.turn(to: "Network")
        try ada.type(janus.address, into: "Call server, such as wss://calls.example.org")
        try ada.type(janus.keys.room ?? "", into: "Key for making rooms, if it wants one")
        try ada.press("Save the call server")
        try ada.see("With a key for making rooms")
        try ada.press("Test the server \(janus.address)")
        try ada.see("Calls of several can go over it.")
        try ada.flip("Use it for all calls of several")
        try ada.seeSwitch("Use it for all calls of several", isOn: true)
        try ProgramWindows(of: ada).close("Preferences")
    }
}
