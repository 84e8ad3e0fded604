import FakeNotifications
import Foundation
import Portal
import Testing

/// Notifications of missed calls that outlive the program.
@Suite(.windows, .serialized, .timeLimit(.minutes(5))) final class KeptNotificationsDesktopTests: ServiceSuite {
    /// Whoever keeps notifications on the session bus until the test ends.
    private func keeper() throws -> FakeNotificationKeeper {
        let keeper = try blocking {
            let keeper = FakeNotificationKeeper(try await Bus.session())
            try await keeper.open()
            return keeper
        }
        atEnd { try blocking { await keeper.close() } }
        return keeper
    }

    @Test func `a missed call outlives the program and calls back from there`() throws {
        let keeper = try keeper()
        let parley = try programWithoutWindow("Gus Gives-Up")
        parley.signal(SIGUSR1)
        _ = try notification()
        parley.signal(SIGUSR1)
        try wait("the missed call") { !keeper.added.isEmpty }
        let missed = try #require(keeper.added.first)
        #expect([missed.application, missed.id] == ["im.parley.Parley", "missed-givesUp"])
        #expect(missed.content["title"] == .string("Gus Gives-Up"))
        #expect(missed.content["body"] == .string("Missed call"))
        #expect(missed.content["default-action"]?.string == "app.show-call")
        let button = try #require(missed.content["buttons"]?.members?.first?.entries)
        #expect(
            button == [
                "label": .string("Call back"), "action": .string("app.call-back"), "target": .string("video givesUp"),
            ])
        let client = try client()
        try blocking { try await client.stop() }
        #expect(parley.exitStatus() == 0)
        #expect(keeper.removed == [])
        #expect(notifications.shown.count == earlier + 1, "it was told twice")
        let next = try start(["--service"])
        try waitForName(next)
        let target = try #require(button["target"])
        try blocking { try await client.activate(action: "call-back", parameter: target) }
        try next.see("Call Gus Gives-Up with video?")
        try next.press("Call")
        try next.see("Gus Gives-Up declined the call.")
        #expect(try Keyboard.windows(titled: "Parley").count == 1)
    }

    @Test func `a missed call is taken from where it is kept once the window is open`() throws {
        let keeper = try keeper()
        let parley = try programWithoutWindow("Gus Gives-Up")
        parley.signal(SIGUSR1)
        _ = try notification()
        parley.signal(SIGUSR1)
        try wait("the missed call") { keeper.standing == ["missed-givesUp"] }
        let client = try client()
        try blocking { try await client.activate(action: "show-call") }
        try parley.see("Call Gus Gives-Up")
        try wait("it to be taken away") { keeper.standing.isEmpty }
    }

    @Test func `a program without a name has nothing kept`() throws {
        let keeper = try keeper()
        let parley = try fake(callsWait: true)
        try parley.press("Call Gus Gives-Up")
        try parley.see("declined the call.")
        try parley.press("Back to the contacts")
        try parley.see("Call Gus Gives-Up")
        try Keyboard.minimise(Keyboard.window(titled: "Parley", onTop: true))
        parley.signal(SIGUSR1)
        _ = try notification()
        parley.signal(SIGUSR1)
        #expect(try notification(after: 1).body == "Missed call")
        #expect(keeper.added == [])
    }
}
