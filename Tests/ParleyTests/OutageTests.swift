import Calling
import Relay
import TestSupport
import Testing

@testable import Parley

/// A relay that goes away and comes back while people call.
@Suite(.serialized, .timeLimit(.minutes(5))) struct OutageTests {
    @Test func `a call made while the relay is away is said to wait and arrives when it is back`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            await neighbourhood.server.stop()
            try await waitUntil("both know that it is away") {
                for account in [pair.ann, pair.bob] where try await account.relayStatuses().first?.problem == nil {
                    return false
                }
                return true
            }
            let call = try await pair.ann.call(pair.contactBob, media: .audio)
            let waiting = try await call.state("Ann is told") { $0.isWaitingForRelay }
            #expect(waiting.phase == .ringingOut)
            #expect(waiting.setup.ringing == nil)
            _ = try await neighbourhood.server.start()
            let incoming = try await pair.bob.incoming(call.id)
            #expect(incoming.contact == pair.contactAnn)
            try await call.state("it rings") { $0.setup.ringing != nil && !$0.isWaitingForRelay }
            await incoming.decline()
            #expect(try await call.endReason() == .declinedByPeer)
        }
    }
}
