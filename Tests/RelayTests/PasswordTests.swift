import BaseKit
import Cryptography
import RelayFixtures
import SMP
import SMPTransport
import TestSupport
import Testing

@testable import Relay
@testable import RelayRules
@testable import SMPSession

/// Guessing a password takes long, however many connections guess.
@Suite(.timeLimit(.minutes(5))) struct PasswordTests {
    private static let address = PasswordGuard.Guesser.address(.ipv4(1))

    @Test func `a few mistakes cost nothing`() {
        var passwords = PasswordGuard()
        for _ in 0..<PasswordGuard.free { passwords.failed(Self.address, at: at(0)) }
        #expect(passwords.wait(for: Self.address, at: at(0)) == .zero)
    }

    @Test func `each further mistake doubles the wait`() {
        var passwords = PasswordGuard()
        for _ in 0..<PasswordGuard.free { passwords.failed(Self.address, at: at(0)) }
        var waits: [Duration] = []
        for _ in 0..<12 {
            passwords.failed(Self.address, at: at(10_000))
            waits.append(passwords.wait(for: Self.address, at: at(10_000)))
        }
        #expect(waits == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300].map { Duration.seconds($0) })
        #expect(passwords.wait(for: Self.address, at: at(11_000)) == .seconds(299))
        #expect(passwords.wait(for: Self.address, at: at(310_000)) == .zero)
        #expect(passwords.wait(for: .address(.ipv4(2)), at: at(10_000)) == .zero)
    }

    @Test func `everything is forgiven after an hour`() {
        var passwords = PasswordGuard()
        for _ in 0..<20 { passwords.failed(Self.address, at: at(0)) }
        passwords.failed(Self.address, at: at(0) + PasswordGuard.memory)
        #expect(passwords.wait(for: Self.address, at: at(0) + PasswordGuard.memory) == .zero)
        passwords.tidy(at: at(0) + PasswordGuard.memory * 2)
        #expect(passwords.count == 0)
    }

    @Test func `no more than so many are remembered and who has to wait is kept`() {
        var passwords = PasswordGuard()
        for _ in 0...PasswordGuard.free { passwords.failed(Self.address, at: at(0)) }
        for number in 2...UInt32(2 * PasswordGuard.capacity) { passwords.failed(.address(.ipv4(number)), at: at(0)) }
        #expect(passwords.count <= PasswordGuard.capacity)
        #expect(passwords.wait(for: Self.address, at: at(0)) == PasswordGuard.first)
        // Also when everybody has to wait: those who waited longest are kept.
        var all = PasswordGuard()
        for _ in 0...PasswordGuard.free + 1 { all.failed(Self.address, at: at(0)) }
        for number in 2...UInt32(PasswordGuard.capacity + 1) {
            for _ in 0...PasswordGuard.free { all.failed(.address(.ipv4(number)), at: at(0)) }
        }
        #expect(all.count <= PasswordGuard.capacity)
        #expect(all.wait(for: Self.address, at: at(0)) == PasswordGuard.first * 2)
    }

    @Test func `a session of this machine is forgotten with its end`() {
        var passwords = PasswordGuard()
        for number in 1...3 as ClosedRange<SessionNumber> { passwords.failed(.session(number), at: at(0)) }
        passwords.ended(2)
        #expect(passwords.count == 2)
    }

    @Test func `a block is one guess`() throws {
        let right = try RelayPassword(parsing: "right")
        let fixture = CoreFixture(creation: QueueCreation(password: right))
        let session = fixture.session(1)
        let key = AuthenticationPrivateKey.ed25519(.init())
        func transmission(_ password: String?) throws -> Transmission {
            let request = QueueRequest(
                recipientKey: key.publicKey, agreementKey: X25519.PrivateKey().publicKey,
                password: try password.map { try RelayPassword(parsing: $0) }, subscribes: false, link: .messaging(nil))
            return try session.transmission(.new(request), .none, key)
        }
        let block = try ["wrong", "right"].map { try transmission($0).encoded(14) }
        let output = fixture.core.process(try Batch.encode(block), session: session.context)
        #expect(output.hasWrongPassword)
        let answers = try output.payloads.flatMap { try session.answers($0) }.map(\.message)
        #expect(answers == [.authenticationError, .authenticationError])
        let next = fixture.core.process(try Batch.encode([transmission("right").encoded(14)]), session: session.context)
        #expect(!next.hasWrongPassword)
        #expect(fixture.core.withStore { $0.queues.count } == 1)
        // Who brings none is refused, but has not guessed.
        let none = fixture.core.process(try Batch.encode([transmission(nil).encoded(14)]), session: session.context)
        #expect(!none.hasWrongPassword)
    }

    @Test func `a guessers address waits with all its connections and nobody else does`() async throws {
        let right = try RelayPassword(parsing: "right")
        try await withRelay(change: .init { $0.creation = QueueCreation(password: right) }) { relay, address in
            func connect(_ from: String) async throws -> RelayConnection {
                var configuration = TransportConfiguration(commandTimeout: .seconds(60))
                configuration.localAddress = from
                return try await RelayConnection.connect(to: address, configuration: configuration)
            }
            func make(_ connection: RelayConnection, _ password: String) async throws -> BrokerMessage {
                let key = AuthenticationPrivateKey.ed25519(.init())
                let request = QueueRequest(
                    recipientKey: key.publicKey, agreementKey: X25519.PrivateKey().publicKey,
                    password: try RelayPassword(parsing: password), subscribes: false, link: .messaging(nil))
                return try await connection.request(RelayRequest(.new(request), key: key))
            }
            let guesser = try await connect("127.0.0.2")
            // The last of these has to be waited for: 1 s.
            for _ in 0..<PasswordGuard.free + 2 {
                await #expect(throws: RelayRequestError.refused(.authentication)) { try await make(guesser, "wrong") }
            }
            // Now 2 s, for any connection of this address.
            let second = try await connect("127.0.0.2")
            let waiting = Task { try await make(second, "right") }
            let other = try await connect("127.0.0.3")
            _ = try await make(other, "right")
            #expect(relay.queueCount == 1)
            // What needs no password goes on.
            #expect(try await guesser.request(RelayRequest(.ping)) == .pong)
            _ = try await waiting.value
            #expect(relay.queueCount == 2)
        }
    }
}
