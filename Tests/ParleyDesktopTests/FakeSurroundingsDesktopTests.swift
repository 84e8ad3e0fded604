import FakePortal
import XCTest

/// What a call asks of other programs of the desktop, in the windows of the real program.
final class FakeSurroundingsDesktopTests: DesktopTestCase {
    private var address: String { ProcessInfo.processInfo.environment["DBUS_SESSION_BUS_ADDRESS"] ?? "" }

    func testMusicStandsStillFromTheRingToTheEndOfACall() throws {
        let parley = try programThatIsCalled()
        let music = try player()
        parley.signal(SIGUSR1)
        try parley.see("Incoming video call")
        try wait("the pause") { music.status == "Paused" }
        try parley.seeUsable("Decline the call")
        try parley.press("Decline the call")
        try parley.see("You declined the call.")
        try wait("the music") { music.status == "Playing" }
        XCTAssertEqual(music.heard, ["Pause", "Play"])
    }

    func testTheScreenStaysAwakeInACallAndNotWhileOneRings() throws {
        let saver = try blocking { [address] in try await FakeScreenSaver("org.freedesktop.ScreenSaver", at: address) }
        let parley = try programThatIsCalled()
        let music = try player()
        parley.signal(SIGUSR1)
        try parley.see("Incoming video call")
        try wait("the pause") { music.status == "Paused" }
        XCTAssertEqual(saver.inhibitors, [])
        try parley.seeUsable("Accept with sound only")
        try parley.press("Accept with sound only")
        try wait("the call") { saver.inhibitors == ["Parley: In a call"] }
        try parley.press("End the call")
        try parley.see("You ended the call.")
        try wait("its end") { saver.inhibitors.isEmpty }
    }

    func testAProgramThatIsToldToEndEndsItsCallFirst() throws {
        let parley = try programThatIsCalled()
        let music = try player()
        parley.signal(SIGUSR1)
        try parley.seeUsable("Accept with sound only")
        try parley.press("Accept with sound only")
        try parley.see("0:")
        try wait("the pause") { music.status == "Paused" }
        parley.signal(SIGTERM)
        XCTAssertEqual(parley.exitStatus(), 0)
        XCTAssertEqual(music.status, "Playing")
    }

    func testACallIsEndedBeforeTheMachineSleeps() throws {
        if let obstacle = MockedLogind.obstacle { try skip(needing: obstacle) }
        let home = try blocking { try await PrivateBus() }
        let logind = try blocking { try await MockedLogind(on: home) }
        let parley = try programThatIsCalled(environment: ["DBUS_SYSTEM_BUS_ADDRESS": home.address])
        parley.signal(SIGUSR1)
        try parley.seeUsable("Accept with sound only")
        try parley.press("Accept with sound only")
        try parley.see("0:")
        let locks = try blocking { try await logind.locks() }
        XCTAssertEqual(locks.map { $0.first }, ["sleep"])
        try blocking { try await logind.prepareForSleep(true) }
        try parley.see("You ended the call.")
        try wait("sleep") { (try? blocking { try await logind.locks() })?.isEmpty == true }
        try blocking { try await logind.prepareForSleep(false) }
        try wait("the lock for the next sleep") { (try? blocking { try await logind.locks() })?.count == 1 }
    }

    private func player() throws -> FakePlayer {
        try blocking { [address] in try await FakePlayer("music", "Playing", at: address) }
    }
}
