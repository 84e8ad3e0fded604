import FakePortal
import Foundation
import Testing

/// What a call asks of other programs of the desktop, in the windows of the real program.
@Suite(.windows, .serialized, .timeLimit(.minutes(5))) final class FakeSurroundingsDesktopTests: DesktopSuite {
    private var address: String { ProcessInfo.processInfo.environment["DBUS_SESSION_BUS_ADDRESS"] ?? "" }

    @Test func `music stands still from the ring to the end of a call`() throws {
        let parley = try programThatIsCalled()
        let music = try player()
        parley.signal(SIGUSR1)
        try parley.see("Incoming video call")
        try wait("the pause") { music.status == "Paused" }
        try parley.seeUsable("Decline the call")
        try parley.press("Decline the call")
        try parley.see("You declined the call.")
        try wait("the music") { music.status == "Playing" }
        #expect(music.heard == ["Pause", "Play"])
    }

    @Test(.needs(MockedPlayer.obstacle)) func `a mocked player stands still from dialling to the end of a call`() throws
    {
        let music = try blocking { [address] in try await MockedPlayer("mock", at: address) }
        let parley = try fake()
        try parley.see("Call Sia Silent")
        #expect(try blocking { try await music.status } == "Playing")
        try parley.press("Call Sia Silent")
        try wait("the pause") { try blocking { try await music.status } == "Paused" }
        try parley.see("0:")
        try parley.press("End the call")
        try parley.see("You ended the call.")
        try wait("the music") { try blocking { try await music.status } == "Playing" }
        #expect(try blocking { try await music.heard } == ["Pause", "Play"])
    }

    @Test(.needs(MockedPlayer.obstacle)) func `a mocked player stands still while a call rings and goes on`() throws {
        let parley = try programThatIsCalled()
        let music = try blocking { [address] in try await MockedPlayer("mock", at: address) }
        parley.signal(SIGUSR1)
        try parley.see("Incoming video call")
        try wait("the pause") { try blocking { try await music.status } == "Paused" }
        try parley.seeUsable("Decline the call")
        try parley.press("Decline the call")
        try wait("the music") { try blocking { try await music.status } == "Playing" }
        #expect(try blocking { try await music.heard } == ["Pause", "Play"])
    }

    @Test func `the screen stays awake in a call and not while one rings`() throws {
        let saver = try blocking { [address] in try await FakeScreenSaver("org.freedesktop.ScreenSaver", at: address) }
        let parley = try programThatIsCalled()
        let music = try player()
        parley.signal(SIGUSR1)
        try parley.see("Incoming video call")
        try wait("the pause") { music.status == "Paused" }
        #expect(saver.inhibitors == [])
        try parley.seeUsable("Accept with sound only")
        try parley.press("Accept with sound only")
        try wait("the call") { saver.inhibitors == ["Parley: In a call"] }
        try parley.press("End the call")
        try parley.see("You ended the call.")
        try wait("its end") { saver.inhibitors.isEmpty }
    }

    @Test func `the session manager keeps the machine awake in a call`() throws {
        let home = try blocking { try await PrivateBus(startsServices: false) }
        let manager = try blocking { try await FakeSessionManager(at: home.address) }
        let parley = try fake(environment: [
            "DBUS_SESSION_BUS_ADDRESS": home.address, "AT_SPI_BUS_ADDRESS": try ServiceTown.accessibilityBus(),
        ])
        try parley.see("Call Sia Silent")
        #expect(manager.inhibitions.isEmpty)
        try parley.press("Call Sia Silent")
        try wait("the call") { manager.inhibitions.map(\.flags) == [12] }
        #expect(manager.inhibitions.map(\.reason) == ["In a call"])
        try parley.press("End the call")
        try wait("its end") { manager.inhibitions.isEmpty }
    }

    @Test func `a program that is told to end ends its call first`() throws {
        let parley = try programThatIsCalled()
        let music = try player()
        parley.signal(SIGUSR1)
        try parley.seeUsable("Accept with sound only")
        try parley.press("Accept with sound only")
        try parley.see("0:")
        try wait("the pause") { music.status == "Paused" }
        parley.signal(SIGTERM)
        #expect(parley.exitStatus() == 0)
        #expect(music.status == "Playing")
    }

    @Test(.needs(MockedLogind.obstacle)) func `a call is ended before the machine sleeps`() throws {
        let home = try blocking { try await PrivateBus() }
        let logind = try blocking { try await MockedLogind(on: home) }
        let parley = try programThatIsCalled(environment: ["DBUS_SYSTEM_BUS_ADDRESS": home.address])
        parley.signal(SIGUSR1)
        try parley.seeUsable("Accept with sound only")
        try parley.press("Accept with sound only")
        try parley.see("0:")
        let locks = try blocking { try await logind.locks() }
        #expect(locks.map { $0.first } == ["sleep"])
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
