import Cryptography
import SMP
import SMPSession
import SMPTransport
import TestSupport
import Testing

/// Clients that break the rules lose their own connection and nothing else.
@Suite(.timeLimit(.minutes(5))) struct HostileClientTests {
    /// Runs something hostile beside a well-behaved pair, and checks that the pair noticed nothing.
    private func besideHonestClients(_ body: (RelayAddress) async throws -> Void) async throws {
        try await withRelay { relay, address in
            let honest = try await RelayConnection.connect(to: address)
            var events = EventReader(honest)
            let queue = try await TestQueue(on: honest)
            _ = try await honest.request(queue.secure)
            _ = try await honest.request(queue.sender(.send(notify: false, body: [1])))
            let (id, _) = try await events.nextMessage(of: queue)
            try await body(address)
            #expect(try await honest.request(queue.sender(.send(notify: false, body: [2]))) == .ok)
            guard case .message(let next, let sealed) = try await honest.request(queue.recipient(.acknowledge(id)))
            else {
                Issue.record("the second message is lost")
                return
            }
            #expect(try queue.open(sealed, next).sent == [2])
            let newcomer = try await RelayConnection.connect(to: address)
            #expect(try await newcomer.request(RelayRequest(.ping)) == .pong)
            #expect(relay.queueCount == 1)
        }
    }

    @Test func `who sends random bytes instead of TLS loses its own connection`() async throws {
        try await besideHonestClients { address in
            var generator = SeededGenerator(seed: 21)
            for size in [1, 5, 100, 5_000] {
                let client = try await RawClient(to: address, tls: false)
                try await client.send([0xFF] + generator.bytes(size) + Array(repeating: 0, count: 10))
                await client.waitForEnd()
            }
        }
    }

    @Test func `who says nothing and leaves harms nobody`() async throws {
        try await besideHonestClients { address in
            for tls in [true, false] {
                let client = try await RawClient(to: address, tls: tls)
                try await client.close()
            }
        }
    }

    @Test func `who sends rubbish instead of a hello loses its own connection`() async throws {
        try await besideHonestClients { address in
            var generator = SeededGenerator(seed: 22)
            let client = try await RawClient(to: address, tls: true)
            try await client.send(generator.bytes(SMPLimits.block))
            await client.waitForEnd()
        }
    }

    @Test func `who says hello in an unknown version or to another relay loses its own connection`() async throws {
        try await besideHonestClients { address in
            let key = X25519.PrivateKey().publicKey
            for hello in [
                ClientHello(version: 8, keyHash: address.keyHash, sessionKey: key),
                ClientHello(version: 18, keyHash: address.keyHash, sessionKey: key),
                ClientHello(version: 14, keyHash: Digest.sha256([]), sessionKey: key),
            ] {
                let client = try await RawClient(to: address, tls: true)
                try await client.send(Padding.pad(hello.encoded(), to: SMPLimits.block))
                await client.waitForEnd()
            }
        }
    }

    @Test func `who leaves within a block harms nobody`() async throws {
        try await besideHonestClients { address in
            let client = try await RawClient(to: address, tls: true)
            try await client.send(Array(repeating: 1, count: 1_000))
            try await client.close()
        }
    }

    @Test func `undecryptable blocks are answered one by one`() async throws {
        try await besideHonestClients { address in
            let client = try await RawClient(to: address, tls: true)
            var blocks = client.received.makeAsyncIterator()
            let block = try #require(await blocks.next())
            let hello = try ServerHello(decoding: Padding.unpad(block))
            let serverKey = try #require(try hello.key?.agreementKey(keyHash: address.keyHash))
            let key = X25519.PrivateKey()
            let answer = ClientHello(version: 14, keyHash: address.keyHash, sessionKey: key.publicKey)
            try await client.send(Padding.pad(answer.encoded(), to: SMPLimits.block))
            var cipher = try BlockCipher(
                sessionID: hello.sessionID, secret: key.sharedSecret(with: serverKey), side: .client)
            var generator = SeededGenerator(seed: 23)
            for _ in 0..<3 {
                try await client.send(generator.bytes(SMPLimits.block))
                // The relay's chain has moved, so this side's must as well.
                _ = try cipher.seal([])
                let response = try #require(await blocks.next())
                let payload = try cipher.open(response)
                let expected = try Transmission(
                    .error(.block), correlationID: .none, entityID: .none, version: 14)
                #expect(payload == (try Batch.encode([expected.encoded(14)])))
            }
            // The connection is still good for commands.
            let ping = try Transmission(
                .ping, entityID: .none, version: 14, sessionID: hello.sessionID, key: nil, serverKey: nil)
            try await client.send(cipher.seal(Batch.encode([ping.encoded(14)])))
            let response = try #require(await blocks.next())
            let payload = try cipher.open(response)
            let transmission = try Batch.transmissions(payload, version: 14).first?.get()
            #expect(transmission?.correlationID == ping.correlationID)
            #expect(transmission?.command == Array("PONG".utf8))
        }
    }
}
