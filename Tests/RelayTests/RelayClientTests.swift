import Cryptography
import SMP
import SMPSession
import SMPTransport
import Testing

/// The client that keeps itself connected, against a relay that comes and goes.
@Suite(.timeLimit(.minutes(5))) struct RelayClientTests {
    private let quick = TransportConfiguration(
        commandTimeout: .seconds(5),
        backoff: ReconnectBackoff(initial: .milliseconds(20), growAfter: .seconds(1), maximum: .milliseconds(100)))

    @Test func `connects and answers requests made before it is up`() async throws {
        try await withRelay { _, address in
            let client = RelayClient(address: address, configuration: quick)
            await client.start()
            let answer = try await client.request(RelayRequest(.ping))
            #expect(answer == .pong)
            #expect(await client.version == 17)
            await client.stop()
        }
    }

    @Test func `comes back after the relay does and hears of both`() async throws {
        try await withRelay { relay, address in
            let client = RelayClient(address: address, configuration: quick)
            await client.start()
            var events = client.events.makeAsyncIterator()
            #expect(await events.next() == .up(17))
            await relay.stop()
            #expect(await events.next() == .down(.closedByPeer))
            try await startAgain(relay)
            var event = await events.next()
            while case .down = event { event = await events.next() }
            #expect(event == .up(17))
            #expect(try await client.request(RelayRequest(.ping)) == .pong)
            await client.stop()
        }
    }

    @Test func `queues and messages survive a relay that was stopped`() async throws {
        try await withRelay { relay, address in
            let client = RelayClient(address: address, configuration: quick)
            await client.start()
            var events = client.events.makeAsyncIterator()
            #expect(await events.next() == .up(17))
            let connection = try await RelayConnection.connect(to: address)
            let queue = try await TestQueue(on: connection)
            _ = try await client.request(queue.secure)
            #expect(try await client.request(queue.sender(.send(notify: false, body: [8]))) == .ok)
            await relay.stop()
            try await startAgain(relay)
            var event = await events.next()
            while event != .up(17) { event = await events.next() }
            #expect(try await client.request(queue.recipient(.subscribe)) == .subscribed(serviceID: nil))
            guard case .message(queue.ids.recipientID, let id, let body) = await events.next() else {
                Issue.record("no message")
                return
            }
            #expect(try queue.open(body, id).sent == [8])
            await client.stop()
        }
    }

    @Test func `refuses at once while the relay is known to be down`() async throws {
        // Port 1 is nobody's.
        let gone = try RelayAddress(hosts: ["127.0.0.1"], port: 1, keyHash: Array(repeating: 0, count: 32))
        let slow = TransportConfiguration(backoff: ReconnectBackoff(initial: .seconds(60)))
        let client = RelayClient(address: gone, configuration: slow)
        await client.start()
        let refusal = TransportError.hostUnreachable(host: "127.0.0.1", reason: "connection refused")
        await #expect(throws: RelayRequestError.notConnected(refusal)) {
            try await client.request(RelayRequest(.ping))
        }
        await #expect(throws: RelayRequestError.notConnected(refusal)) {
            try await client.request(RelayRequest(.ping))
        }
        await client.stop()
    }

    @Test func `can be told not to wait`() async throws {
        try await withRelay { relay, address in
            await relay.stop()
            let slow = TransportConfiguration(backoff: ReconnectBackoff(initial: .seconds(60)))
            let client = RelayClient(address: address, configuration: slow)
            await client.start()
            var events = client.events.makeAsyncIterator()
            guard case .down = await events.next() else {
                Issue.record("the relay is up")
                return
            }
            try await startAgain(relay)
            while await client.version == nil {
                await client.reconnectNow()
                try await Task.sleep(for: .milliseconds(10))
            }
            #expect(await events.next() == .up(17))
            await client.stop()
        }
    }

    @Test func `events end with the client`() async throws {
        try await withRelay { _, address in
            let client = RelayClient(address: address, configuration: quick)
            await client.start()
            _ = try await client.request(RelayRequest(.ping))
            await client.stop()
            var count = 0
            for await _ in client.events { count += 1 }
            #expect(count == 1)
            await #expect(throws: RelayRequestError.notConnected(.closed)) {
                try await client.request(RelayRequest(.ping))
            }
        }
    }
}
