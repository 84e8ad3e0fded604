import Dispatch
import FakePortal
import Synchronization
import XCTest

/// Where a result is put.
private final class Place<Value: Sendable>: Sendable {
    let result = Mutex<Result<Value, any Error>?>(nil)
}

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
        let saver = try made { [address] in try await FakeScreenSaver("org.freedesktop.ScreenSaver", at: address) }
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
        XCTAssertEqual(music.status, "Paused")
        parley.signal(SIGTERM)
        XCTAssertEqual(parley.exitStatus(), 0)
        XCTAssertEqual(music.status, "Playing")
    }

    private func player() throws -> FakePlayer {
        try made { [address] in try await FakePlayer("music", "Playing", at: address) }
    }

    /// Makes something while this thread, which is XCTest's, waits. It leaves the bus when it goes.
    private func made<Made: Sendable>(_ make: @escaping @Sendable () async throws -> Made) throws -> Made {
        let place = Place<Made>()
        let done = DispatchSemaphore(value: 0)
        Task.detached {
            let result: Result<Made, any Error>
            do { result = .success(try await make()) } catch { result = .failure(error) }
            place.result.withLock { $0 = result }
            done.signal()
        }
        done.wait()
        return try XCTUnwrap(place.result.withLock { $0 }).get()
    }

    private func wait(_ what: String, _ isThere: () -> Bool) throws {
        for _ in 0..<500 {
            if isThere() { return }
            usleep(20_000)
        }
        XCTFail("\(what) did not come")
    }
}
