import FakePortal
import Portal
import TestSupport
import Testing

@testable import DesktopSession

@Suite(.timeLimit(.minutes(5))) struct AwakeKeepingTests {
    private let home: PrivateBus
    private let awake: AwakeKeeping

    init() async throws {
        home = try await PrivateBus()
        awake = AwakeKeeping(bus: try await Bus.connect(address: home.address), application: "Parley")
    }

    @Test(arguments: ["org.freedesktop.PowerManagement", "org.freedesktop.ScreenSaver"])
    func `a desktop's own service keeps awake as long as that is wanted`(name: String) async throws {
        let keeper = try await FakeScreenSaver(name, at: home.address)
        await awake.set("In a call")
        #expect(keeper.inhibitors == ["Parley: In a call"])
        await awake.set("In a call")
        #expect(keeper.inhibitors.count == 1)
        await awake.set(nil)
        #expect(keeper.inhibitors == [])
    }

    @Test func `a desktop without such services is no trouble`() async throws {
        await awake.set("In a call")
        await awake.set(nil)
    }

    @Test func `a service that answers nonsense keeps no other from it`() async throws {
        let odd = try await FakeScreenSaver("org.freedesktop.PowerManagement", .broken, at: home.address)
        let keeper = try await FakeScreenSaver("org.freedesktop.ScreenSaver", at: home.address)
        await awake.set("In a call")
        #expect(keeper.inhibitors == ["Parley: In a call"])
        await awake.set(nil)
        #expect(keeper.inhibitors == [])
        #expect(odd.inhibitors == [])
    }

    @Test func `a service that hangs keeps no other from it`() async throws {
        let hanging = try await FakeScreenSaver("org.freedesktop.PowerManagement", .hanging, at: home.address)
        let keeper = try await FakeScreenSaver("org.freedesktop.ScreenSaver", at: home.address)
        let setting = Task { await awake.set("In a call") }
        // Before GDBus gives up on the first one, after 25 s.
        try await waitUntil("the other one", within: .seconds(60)) { keeper.inhibitors == ["Parley: In a call"] }
        // It leaves the bus, which ends the wait for its answer.
        await hanging.close()
        await setting.value
        await awake.set(nil)
        #expect(keeper.inhibitors == [])
    }
}
