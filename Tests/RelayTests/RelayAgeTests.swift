import BaseKit
import Cryptography
import RelayFixtures
import SMP
import Synchronization
import TestSupport
import Testing

@testable import Relay
@testable import RelayRules

/// Messages age by the relay's running, not by the machine's clock.
@Suite(.timeLimit(.minutes(5))) struct RelayAgeTests {
    private final class Clocks: Sendable {
        let wall = Mutex<Int64>(1_700_000_000)
        let steady = Mutex(Instant.now)

        func pass(_ seconds: Int64) {
            wall.withLock { $0 += seconds }
            steady.withLock { $0 = $0 + .seconds(seconds) }
        }
    }

    private static let lifetime: Int64 = 21 * 86_400

    private func core(_ clocks: Clocks) -> RelayCore {
        RelayCore(age: RelayAge { clocks.steady.withLock { $0 } }) { clocks.wall.withLock { $0 } }
    }

    /// What the housekeeping does.
    private func expire(_ core: RelayCore) -> Int {
        let age = core.age?.now ?? 0
        return core.withStore { $0.expire(before: age - Self.lifetime) }
    }

    @Test(arguments: [30 * 86_400, -30 * 86_400] as [Int64]) func `a clock that jumps drops nothing and keeps nothing`(
        jump: Int64
    ) throws {
        let clocks = Clocks()
        let core = core(clocks)
        let session = CoreSession(core: core, number: 1, version: 14)
        let queue = try session.makeQueue(subscribes: false)
        clocks.pass(1_000)
        try queue.send(in: session, secured: false)
        clocks.wall.withLock { $0 += jump }
        #expect(expire(core) == 0)
        clocks.pass(Self.lifetime)
        #expect(expire(core) == 0)
        clocks.pass(1)
        #expect(expire(core) == 1)
    }

    @Test func `age goes on after a restart whatever the clock says then`() async throws {
        try await withFolder { folder in
            let clocks = Clocks()
            let first = core(clocks)
            try first.attach(SQLitePersistence(directory: folder))
            let session = CoreSession(core: first, number: 1, version: 14)
            let queue = try session.makeQueue(subscribes: false)
            try queue.send(in: session, secured: false)
            clocks.pass(Self.lifetime - 10)
            first.saveAge()
            first.writer.detach()
            // Stopped for a while, and the clock is wrong at the next start.
            clocks.steady.withLock { $0 = $0 + .seconds(500) }
            clocks.wall.withLock { $0 += 30 * 86_400 }
            let second = core(clocks)
            try second.attach(SQLitePersistence(directory: folder))
            #expect(expire(second) == 0)
            clocks.pass(10)
            #expect(expire(second) == 0)
            clocks.pass(1)
            #expect(expire(second) == 1)
            second.writer.detach()
        }
    }

    @Test func `notifications age like messages`() {
        var desk = NotifierDesk()
        let notifier = EntityID.random()
        desk.add(PendingNotification(message: .random(), time: 5, seen: 1_000), for: notifier)
        desk.expire(before: 1_000, of: notifier)
        #expect(desk.pending.count == 1)
        desk.expire(before: 1_001, of: notifier)
        #expect(desk.pending.isEmpty)
    }
}
