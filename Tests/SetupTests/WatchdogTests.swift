import Foundation
import Synchronization
import TestSupport
import Testing

/// What ends a test that waits for ever.
@Suite(.timeLimit(.minutes(5))) struct WatchdogTests {
    private final class Calls: Sendable {
        private let names = Mutex<[String]>([])
        var all: [String] { names.withLock { $0 } }
        func add(_ name: String) { names.withLock { $0.append(name) } }
    }

    @Test func `a test that takes too long is interrupted, then given up`() async throws {
        let calls = Calls()
        let watchdog = Watchdog(
            "a test of the watchdog", limit: .milliseconds(20), grace: .milliseconds(20),
            interrupt: { calls.add("interrupt") }, giveUp: { calls.add("give up") })
        try await waitUntil("it is given up") { calls.all.count == 2 }
        #expect(calls.all == ["interrupt", "give up"])
        #expect(watchdog.hasOverrun)
    }

    @Test func `a test that ends when it is interrupted is not given up`() async throws {
        let calls = Calls()
        let over = Mutex<Watchdog?>(nil)
        let watchdog = Watchdog(
            "a test of the watchdog", limit: .milliseconds(50), grace: .milliseconds(200),
            interrupt: {
                calls.add("interrupt")
                // It may come before the lines below, on a busy machine.
                while over.withLock({ $0?.stop() }) == nil { usleep(1_000) }
            }, giveUp: { calls.add("give up") })
        over.withLock { $0 = watchdog }
        try await Task.sleep(for: .milliseconds(600))
        #expect(calls.all == ["interrupt"])
        over.withLock { $0 = nil }
    }

    @Test func `a test that is over in time hears nothing of it`() async throws {
        let calls = Calls()
        let watchdog = Watchdog(
            "a test of the watchdog", limit: .seconds(1), interrupt: { calls.add("interrupt") },
            giveUp: { calls.add("give up") })
        watchdog.stop()
        try await Task.sleep(for: .milliseconds(1_500))
        #expect(calls.all == [])
        #expect(!watchdog.hasOverrun)
    }

    @Test func `work that heeds no cancellation is given up, too`() async throws {
        let end = AsyncStream<Void>.makeStream()
        await #expect(throws: Overdue.self) {
            try await limited("never", to: .milliseconds(20)) {
                await Task { for await _ in end.stream {} }.value
            }
        }
        end.continuation.finish()
    }
}
