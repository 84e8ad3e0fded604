import TestSupport
import Testing

@testable import Agent

/// What a message that comes in costs the store, over a real relay.
@Suite(.timeLimit(.minutes(5))) struct ReceptionCostTests {
    private static let count = 5

    @Test func `a message costs two transactions: one as it comes, one as the application is done with it`()
        async throws
    {
        let relay = try await TestRelay()
        let (ada, bob) = (try await TestAgent([relay.address]), try await TestAgent([relay.address]))
        let (sending, _) = try await connect(ada, bob)
        try await waitUntil("the handshake is over") { relay.messageCount == 0 }
        let trace = try await StoreTrace(bob.agent)
        for number in 0..<Self.count { _ = try await ada.agent.send([UInt8(number)], on: sending, notify: true) }
        try await bob.waitForMessages(Self.count)
        try await waitUntil("all are acknowledged to the relay") { relay.messageCount == 0 }
        #expect(trace.incoming.count == 2 * Self.count, "\(trace.incoming)")
        await ada.stop()
        await bob.stop()
        await relay.stop()
    }

    /// An invitation to a call is acknowledged so.
    @Test func `a message that gets a receipt costs two, and its receipt one at the sender`() async throws {
        let relay = try await TestRelay()
        let ada = try await TestAgent([relay.address])
        let bob = try await TestAgent([relay.address], acknowledges: false)
        let (sending, receiving) = try await connect(ada, bob)
        try await waitUntil("the handshake is over") { relay.messageCount == 0 }
        let trace = try await StoreTrace(bob.agent)
        for number in 0..<Self.count {
            let sent = try await ada.agent.send([UInt8(number)], on: sending, notify: true)
            try await ada.wait("it is sent") { $0.contains(.sent(sending, sent)) ? true : nil }
            let sendersTrace = try await StoreTrace(ada.agent)
            try await bob.waitForMessages(number + 1)
            let message = try #require(await bob.messages.last)
            await bob.agent.acknowledge(receiving, message: message.id, receipt: true)
            try await ada.wait("a receipt") { $0.contains(.received(sending, sent, .matching)) ? true : nil }
            try await waitUntil("it is acknowledged to the relay") { relay.messageCount == 0 }
            #expect(sendersTrace.incoming.count == 1, "\(sendersTrace.incoming)")
        }
        #expect(trace.incoming.count == 2 * Self.count, "\(trace.incoming)")
        await ada.stop()
        await bob.stop()
        await relay.stop()
    }
}
