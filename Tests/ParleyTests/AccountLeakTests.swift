import Glibc
import TestSupport
import Testing

@testable import Media
@testable import Parley

/// Calls of two accounts in one process, one after the other, through a relay.
@Suite(.serialized, .timeLimit(.minutes(5))) struct AccountLeakTests {
    /// How many; more find what is smaller.
    static let calls = getenv("PARLEY_CALLS").flatMap { Int(String(cString: $0)) } ?? 100

    @Test func `a hundred calls between two accounts leave memory, threads and descriptors as they were`() async throws
    {
        try await Neighbourhood.with(within: .seconds(280)) { neighbourhood in
            let pair = try await Pair(neighbourhood)
            let (before, after) = try await ProcessFootprint.around(
                Self.calls, warmUp: 60, settled: Self.settled
            ) { number in
                let (ann, bob) = try await pair.talk()
                for call in [ann, bob] { try await call.receives(video: 1, audio: 1) }
                await (number.isMultiple(of: 2) ? ann : bob).hangUp()
                for call in [ann, bob] { _ = try await call.endReason() }
            }
            #expect(after.descriptors <= before.descriptors, "before: \(before), after: \(after)")
            // As with calls without accounts; a call also leaves an entry in each one's list.
            let growth = after.allocated - before.allocated
            #expect(growth < Self.calls * 24 * 1_024 + 2 << 20, "before: \(before), after: \(after)")
        }
    }

    private static func settled() async throws {
        try await waitUntil("all that belongs to calls is gone") {
            PeerSession.live == 0 && Pipeline.live == 0 && Capture.live == 0
        }
    }
}
