import FakePortal
import Portal
import TestSupport
import Testing

@testable import DesktopSession

@Suite(.timeLimit(.minutes(5))) struct PlayerPauseTests {
    private let home: PrivateBus
    private let pause: PlayerPause

    init() async throws {
        home = try await PrivateBus()
        pause = PlayerPause(bus: try await Bus.connect(address: home.address))
    }

    @Test func `music stands still during a call and goes on after it`() async throws {
        let music = try await FakePlayer("music", "Playing", at: home.address)
        await pause.set(true)
        #expect(music.status == "Paused")
        await pause.set(false)
        #expect(music.status == "Playing")
        await music.close()
    }

    @Test(.needs(MockedPlayer.obstacle))
    func `a player of python-dbusmock stands still during a call and goes on after it`() async throws {
        let music = try await MockedPlayer("mock", at: home.address)
        await pause.set(true)
        #expect(try await music.status == "Paused")
        await pause.set(false)
        #expect(try await music.status == "Playing")
        #expect(try await music.heard == ["Pause", "Play"])
    }

    @Test func `what stood still before the call is left alone`() async throws {
        let music = try await FakePlayer("music", "Paused", at: home.address)
        await pause.set(true)
        await pause.set(false)
        #expect(music.heard == [])
        await music.close()
    }

    @Test func `what the person has used during the call stays as they left it`() async throws {
        let music = try await FakePlayer("music", "Playing", at: home.address)
        let other = try await Bus.connect(address: home.address)
        let changes = try await other.signals(
            BusSignalFilter(interface: "org.freedesktop.DBus.Properties", name: "PropertiesChanged"))
        await pause.set(true)
        music.become("Playing")
        music.become("Paused")
        // As soon as somebody else has heard of it all, it can be asked.
        var count = 0
        for await _ in changes {
            count += 1
            if count == 3 { break }
        }
        try await waitUntil("the player's own words") { await pause.isNobodyHeld }
        await pause.set(false)
        #expect(music.heard == ["Pause"])
        await music.close()
    }

    @Test func `another program under the same name is not told to play`() async throws {
        let music = try await FakePlayer("music", "Playing", at: home.address)
        await pause.set(true)
        await music.close()
        let other = try await FakePlayer("music", "Paused", at: home.address)
        await pause.set(false)
        #expect(other.heard == [])
        await other.close()
    }

    @Test(arguments: [FakePlayer.Manner.hanging, .broken])
    func `a player that misbehaves keeps no other from standing still`(manner: FakePlayer.Manner) async throws {
        let bad = try await FakePlayer("bad", "Playing", manner, at: home.address)
        let music = try await FakePlayer("music", "Playing", at: home.address)
        await pause.set(true)
        #expect(music.status == "Paused")
        await pause.set(false)
        #expect(music.status == "Playing")
        await bad.close()
        await music.close()
    }

    @Test func `a call that ends while players are asked leaves them as they were`() async throws {
        let music = try await FakePlayer("music", "Playing", at: home.address)
        async let begun: Void = pause.set(true)
        async let ended: Void = pause.set(false)
        _ = await (begun, ended)
        await pause.set(false)
        #expect(music.status == "Playing")
        await music.close()
    }
}
