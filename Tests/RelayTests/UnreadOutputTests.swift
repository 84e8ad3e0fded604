import Cryptography
import SMP
import SMPTransport
import TestSupport
import Testing

@testable import Relay
@testable import SMPSession

/// What waits for a client that does not read is bounded, and the client is given up.
@Suite(.timeLimit(.minutes(5))) struct UnreadOutputTests {
    private func limits(_ change: (inout OutputLimits) -> Void) -> RelayChange {
        var limits = OutputLimits()
        change(&limits)
        let changed = limits
        return RelayChange { $0.outputLimits = changed }
    }

    @Test func `a client that asks and does not read is worked for no further and then closed`() async throws {
        try await withRelay(change: limits { $0.patience = .milliseconds(500) }) { relay, address in
            let client = try await RawSession(to: address)
            try await client.send(.ping)
            #expect(try await client.receive() == .pong)
            try await client.client.stopReading()
            let asking = Task {
                // As many as the network takes: the relay stops reading from it.
                for _ in 0..<2_000 { try await client.send(.ping) }
            }
            var most = 0
            try await waitUntil("the client is given up") {
                most = max(most, relay.ledger.output)
                return relay.ledger.unreadSessions == 1
            }
            #expect(most <= OutputLimits().enough + 16 * SMPLimits.block)
            _ = try? await asking.value
            try await waitUntil("nothing is kept for it") {
                relay.ledger.output == 0 && relay.connectionCount == 0
            }
        }
    }

    @Test func `a subscriber that does not read is closed before its messages fill the memory`() async throws {
        let bound = 1 << 20
        try await withRelay(change: limits { $0.perSession = bound }) { relay, address in
            let sender = try await RelayConnection.connect(to: address)
            let key = AuthenticationPrivateKey.ed25519(.init())
            var queues: [TestQueue] = []
            for _ in 0..<800 {
                queues.append(try await TestQueue(on: sender, subscribes: false, recipientKey: key))
            }
            let subscriber = try await RawSession(to: address)
            for queue in queues {
                try await subscriber.send(.subscribe, entity: queue.ids.recipientID, key: key)
                #expect(try await subscriber.receive() == .ok)
            }
            try await subscriber.client.stopReading()
            let body = [UInt8](repeating: 7, count: 16_000)
            var most = 0
            for queue in queues where relay.ledger.unreadSessions == 0 {
                #expect(try await sender.request(queue.sender(.send(notify: false, body: body), secured: false)) == .ok)
                most = max(most, relay.ledger.output)
            }
            #expect(relay.ledger.unreadSessions == 1)
            #expect(most <= bound + 4 * SMPLimits.block)
            // The others go on, and the messages are there for whoever reads them.
            #expect(try await sender.request(RelayRequest(.ping)) == .pong)
            let answer = try await sender.request(queues[0].recipient(.subscribe))
            #expect(answer == .subscribed(serviceID: nil))
        }
    }

    @Test func `a client that reads slowly gets everything`() async throws {
        try await withRelay { relay, address in
            let client = try await RelayConnection.connect(to: address)
            let key = AuthenticationPrivateKey.ed25519(.init())
            var queues: [TestQueue] = []
            for _ in 0..<200 {
                let queue = try await TestQueue(on: client, subscribes: false, recipientKey: key)
                _ = try await client.request(
                    queue.sender(.send(notify: false, body: Array(repeating: 1, count: 16_000)), secured: false))
                queues.append(queue)
            }
            // Two blocks of commands, whose answers are far more than may wait.
            let answers = await client.requests(queues.map { $0.recipient(.get) })
            #expect(answers.count == 200)
            for answer in answers {
                guard case .success(.message) = answer else {
                    Issue.record("a message is missing: \(answer)")
                    continue
                }
            }
            #expect(relay.ledger.unreadSessions == 0)
        }
    }
}
