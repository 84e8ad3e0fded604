import TestSupport
import Testing

@testable import Media
@testable import MediaRules

/// A peer that sets up its call honestly and then sends whatever it likes. All cases share one call, one after the other: a
/// wound that one leaves would show in the next.
@Suite(.serialized, .timeLimit(.minutes(5))) struct HostilePeerTests {
    @Test func `a call goes on whatever its peer sends`() async throws {
        let complaints = LibraryComplaints.counted
        let wire = try await HostileWire()
        // What arrives in the name of the peer's camera is all ours.
        await wire.call.offerer.setCameraEnabled(false)
        let before = ProcessFootprint.now
        for (number, hostile) in HostileCase.all.enumerated() {
            try await Self.run(hostile, seed: UInt64(number), on: wire)
        }
        let after = ProcessFootprint.now
        // At most 32 sources with a jitter buffer, and two threads each.
        #expect(
            after.threads < before.threads + 2 * SourceBudget.authenticated + 16, "before: \(before), after: \(after)")
        // Pictures of the largest size that is taken, and what the RTP session knows of 32 sources.
        #expect(after.allocated < before.allocated + 128 << 20, "before: \(before), after: \(after)")
        #expect(LibraryComplaints.counted == complaints)
        await wire.call.close()
    }

    @Test func `no number of requests brings more key frames than a few a second`() async throws {
        let wire = try await HostileWire()
        let before = wire.victimKeyFrames
        var random = SeededGenerator(seed: 1)
        let flood = HostileCase.all.first { $0.name.hasPrefix("requests for key frames") }
        for _ in 0..<4 { try flood?.attack(wire, &random) }
        // 20,000 requests.
        let frames = await wire.victim.statistics().sent.videoFrames
        try await eventually { await wire.victim.statistics().sent.videoFrames > frames + 15 }
        #expect(wire.victimKeyFrames - before < 20)
        await wire.call.close()
    }

    private static func run(_ hostile: HostileCase, seed: UInt64, on wire: HostileWire) async throws {
        var random = SeededGenerator(seed: seed)
        let before = await wire.victim.statistics()
        let shown = await wire.call.offerer.statistics().received
        try hostile.attack(wire, &random)
        // The peer's honest sound is still heard, and our picture and sound still arrive there.
        try await waitUntil("\(hostile.name): the call goes on", within: .seconds(30)) {
            let (now, there) = (await wire.victim.statistics(), await wire.call.offerer.statistics().received)
            return now.received.audioFrames > before.received.audioFrames + 5
                && there.audioFrames > shown.audioFrames + 5 && there.videoFrames > shown.videoFrames + 2
        }
        let after = await wire.victim.statistics()
        if hostile.isRefused { #expect(after.packetsRefused > before.packetsRefused, "\(hostile.name)") }
        let failures = wire.call.answererLog.events.filter { if case .failed = $0 { true } else { false } }
        #expect(failures.isEmpty, "\(hostile.name): \(failures)")
    }
}
