import Cryptography
import RelayFixtures
import SMP
import TestSupport
import Testing

@testable import RelayRules

/// Each fault and the error it gets (SMP fact sheet §8.1).
@Suite(.timeLimit(.minutes(5))) struct RefusalTests {
    private let fixture = CoreFixture()
    private var session: CoreSession { fixture.session(1) }

    /// The answers to a payload of raw bytes.
    private func answers(to payload: [UInt8], _ session: CoreSession) throws -> [CoreAnswer] {
        try fixture.core.process(payload, session: session.context).payloads.flatMap { try session.answers($0) }
    }

    private func raw(_ bytes: [UInt8]) -> [UInt8] { [1, UInt8(bytes.count >> 8), UInt8(bytes.count & 255)] + bytes }

    private let block = CoreAnswer(correlationID: .none, entity: .none, message: .error(.block))

    // MARK: Blocks and transmissions

    @Test(arguments: [[], [0], [1], [1, 0], [1, 0, 9, 1], [2, 0, 3, 0, 0, 0], [1, 0, 3, 0, 0, 0, 7]] as [[UInt8]])
    func `a batch that does not parse gets one block error`(payload: [UInt8]) throws {
        #expect(try answers(to: payload, session) == [block])
    }

    @Test func `an unreadable transmission does not touch the others`() throws {
        let session = session
        let good = try session.transmission(.ping)
        let encoded = try good.encoded(14)
        let payload = try Batch.encode([[200, 1], encoded])
        let pong = CoreAnswer(correlationID: good.correlationID, entity: .none, message: .pong)
        #expect(Set(try answers(to: payload, session).map(\.message)) == [block.message, pong.message])
    }

    @Test(arguments: [1, 63, 65, 79, 81, 113, 115, 255])
    func `an authenticator of another length gets block`(length: Int) throws {
        let id = CorrelationID.random()
        let transmission = Transmission(
            authenticator: Array(repeating: 7, count: length), correlationID: id, entityID: .random(),
            command: Array("SUB".utf8))
        let expected = CoreAnswer(correlationID: id, entity: .none, message: .error(.block))
        #expect(try answers(to: raw(try transmission.encoded(14)), session) == [expected])
    }

    @Test func `a block that does not decrypt gets block`() throws {
        #expect(try fixture.core.refuseBlock(version: 14).flatMap { try session.answers($0) } == [block])
    }

    @Test(arguments: [
        ("HELLO", SMPError.CommandError.unknown), ("sub", .unknown), ("", .unknown), ("PINGPONG", .unknown),
        ("PING x", .syntax), ("PING ", .syntax), ("NEW", .syntax), ("NEW 1234", .syntax), ("SEND", .syntax),
        ("SEND X y", .syntax), ("KEY \u{3}abc", .syntax), ("ACK", .syntax), ("SUB x", .syntax),
    ])
    func `tags and parameters are checked`(command: String, error: SMPError.CommandError) throws {
        let id = CorrelationID.random()
        let entity = EntityID.random()
        let transmission = Transmission(
            authenticator: Array(repeating: 1, count: 64), correlationID: id, entityID: entity,
            command: Array(command.utf8))
        let expected = CoreAnswer(correlationID: id, entity: entity, message: .error(.command(error)))
        #expect(try answers(to: raw(try transmission.encoded(14)), session) == [expected])
    }

    // MARK: Credentials

    private var key: AuthenticationPrivateKey { .ed25519(.init()) }

    private func request(_ key: AuthenticationPrivateKey) -> QueueRequest {
        QueueRequest(
            recipientKey: key.publicKey, agreementKey: X25519.PrivateKey().publicKey, link: .messaging(nil))
    }

    @Test func `commands that need an authenticator say so`() throws {
        let noAuthenticator = BrokerMessage.error(.command(.noAuthenticator))
        let keys = NotifierKeys(
            authenticationKey: key.publicKey, agreementKey: X25519.PrivateKey().publicKey)
        let commands: [Command] = [
            .subscribe, .get, .acknowledge(.random()), .setSenderKey(key.publicKey), .setNotifier(keys),
            .deleteNotifier,
            .suspend, .delete, .queueInfo, .secure(key.publicKey), .subscribeNotifier, .secureAndGetLink(key.publicKey),
        ]
        for command in commands {
            #expect(try session.ask(command, .random()) == noAuthenticator)
            #expect(try session.ask(command, .none, key) == noAuthenticator)
        }
        #expect(try session.ask(.new(request(key))) == noAuthenticator)
    }

    @Test func `commands that take no credentials say so`() throws {
        let session = session
        let hasAuthenticator = BrokerMessage.error(.command(.hasAuthenticator))
        let key = key
        #expect(try session.ask(.new(request(key)), .random(), key) == hasAuthenticator)
        #expect(try session.ask(.ping, .random()) == hasAuthenticator)
        #expect(try session.ask(.ping, .none, key) == hasAuthenticator)
        #expect(try session.ask(.forwardToRelay([1]), .none, key) == hasAuthenticator)
        #expect(try session.ask(.getLink, .random(), key) == hasAuthenticator)
    }

    @Test(arguments: [14, 16, 17] as [UInt16]) func `services have nothing to ask for`(version: UInt16) throws {
        let session = fixture.session(5, version: SMPVersion(rawValue: version))
        #expect(try session.ask(.subscribeService, .random(), key) == .error(.command(.prohibited)))
        #expect(try session.ask(.subscribeNotifierService, .random(), key) == .error(.service))
        #expect(try session.ask(.subscribeService) == .error(.command(.noAuthenticator)))
    }

    @Test func `a service signature outside a service gets service`() throws {
        let session = fixture.session(5, version: 17)
        let queue = try session.makeQueue()
        var transmission = try session.transmission(.subscribe, queue.recipientID, queue.recipientKey)
        transmission.serviceSignature = Array(repeating: 3, count: 64)
        #expect(try session.send([transmission]).answers.map(\.message) == [.error(.service)])
    }

    @Test func `send and link need an entity`() throws {
        let noEntity = BrokerMessage.error(.command(.noEntity))
        #expect(try session.ask(.send(notify: true, body: [])) == noEntity)
        #expect(try session.ask(.getLink) == noEntity)
    }

    // MARK: Authorisation

    @Test func `unknown queues get auth`() throws {
        let session = session
        for key in [AuthenticationPrivateKey.ed25519(.init()), .ed448(.init()), .x25519(.init())] {
            for command in [Command.subscribe, .get, .delete, .suspend, .queueInfo, .secure(key.publicKey)] {
                #expect(try session.ask(command, .random(), key) == .authenticationError)
            }
            #expect(try session.ask(.send(notify: true, body: [1]), .random(), key) == .authenticationError)
        }
        #expect(try session.ask(.send(notify: true, body: [1]), .random()) == .authenticationError)
    }

    @Test func `another key gets auth`() throws {
        let session = session
        let queue = try session.makeQueue()
        for key in [AuthenticationPrivateKey.ed25519(.init()), .ed448(.init()), .x25519(.init())] {
            #expect(try session.ask(.subscribe, queue.recipientID, key) == .authenticationError)
            #expect(try session.ask(.delete, queue.recipientID, key) == .authenticationError)
        }
        #expect(try queue.ask(.subscribe, in: session) == .ok)
    }

    @Test func `the sender's key does not open the recipient's side`() throws {
        let session = session
        let queue = try session.makeQueue()
        try queue.secure(in: session)
        #expect(try session.ask(.subscribe, queue.recipientID, queue.senderKey) == .authenticationError)
        #expect(try session.ask(.subscribe, queue.senderID, queue.recipientKey) == .authenticationError)
    }

    @Test func `a new must be signed with its own key`() throws {
        #expect(try session.ask(.new(request(key)), .none, key) == .authenticationError)
    }

    @Test func `a signature of another session gets auth`() throws {
        let first = fixture.session(1)
        let second = fixture.session(2)
        let queue = try first.makeQueue()
        let stolen = try first.transmission(.delete, queue.recipientID, queue.recipientKey)
        #expect(try second.send([stolen]).answers.map(\.message) == [.authenticationError])
    }

    @Test func `secured queues want the key and others none`() throws {
        let session = session
        let queue = try session.makeQueue()
        #expect(try queue.send(in: session, secured: true) == .authenticationError)
        #expect(try queue.send(in: session, secured: false) == .ok)
        try queue.secure(in: session)
        #expect(try queue.send(in: session, secured: false) == .authenticationError)
        #expect(try queue.send(in: session, secured: true) == .ok)
    }

    @Test func `skey wants messaging mode and the same key`() throws {
        let session = session
        let contact = try session.makeQueue(link: .contact(nil))
        #expect(
            try session.ask(.secure(contact.senderKey.publicKey), contact.senderID, contact.senderKey)
                == .authenticationError)
        let queue = try session.makeQueue()
        #expect(try session.ask(.secure(queue.senderKey.publicKey), queue.senderID, queue.senderKey) == .ok)
        #expect(try session.ask(.secure(queue.senderKey.publicKey), queue.senderID, queue.senderKey) == .ok)
        let other = key
        #expect(try session.ask(.secure(other.publicKey), queue.senderID, other) == .authenticationError)
    }

    @Test func `key can be repeated but not changed`() throws {
        let session = session
        let queue = try session.makeQueue()
        #expect(try queue.ask(.setSenderKey(queue.senderKey.publicKey), in: session) == .ok)
        #expect(try queue.ask(.setSenderKey(queue.senderKey.publicKey), in: session) == .ok)
        #expect(try queue.ask(.setSenderKey(key.publicKey), in: session) == .authenticationError)
        #expect(try queue.send(in: session) == .ok)
    }

    @Test(arguments: [(9, 16_064), (10, 16_064), (11, 16_048), (14, 16_048)] as [(UInt16, Int)])
    func `bodies are limited by version`(version: UInt16, limit: Int) throws {
        let session = fixture.session(3, version: SMPVersion(rawValue: version))
        let queue = try session.makeQueue()
        let body = [UInt8](repeating: 1, count: limit)
        #expect(try queue.send(body, in: session, secured: false) == .ok)
        #expect(try queue.send(body + [1], in: session, secured: false) == .error(.largeMessage))
    }

    @Test func `a suspended queue refuses senders only`() throws {
        let session = session
        let queue = try session.makeQueue()
        #expect(try queue.send(in: session, secured: false) == .ok)
        #expect(try queue.ask(.suspend, in: session) == .ok)
        #expect(try queue.send(in: session, secured: false) == .authenticationError)
        #expect(try queue.ask(.subscribe, in: session) == .ok)
        #expect(try queue.ask(.suspend, in: session) == .ok)
        #expect(try queue.ask(.delete, in: session) == .ok)
    }

    @Test(arguments: [(11, false), (12, true)] as [(UInt16, Bool)])
    func `a blocked queue says so from version 12`(version: UInt16, named: Bool) throws {
        let session = fixture.session(4, version: SMPVersion(rawValue: version))
        let queue = try session.makeQueue()
        let info = SMPError.BlockingInfo(reason: "spam")
        fixture.core.withStore { $0.block(queue.recipientID, info) }
        let expected = BrokerMessage.error(named ? .blocked(info) : .authentication)
        #expect(try queue.send(in: session, secured: false) == expected)
        #expect(try queue.ask(.subscribe, in: session) == expected)
        #expect(try session.ask(.secure(queue.senderKey.publicKey), queue.senderID, queue.senderKey) == expected)
        #expect(try queue.ask(.suspend, in: session) == .ok)
        #expect(try queue.ask(.delete, in: session) == .ok)
    }

    @Test func `get and sub do not mix`() throws {
        let session = session
        let subscribed = try session.makeQueue()
        #expect(try subscribed.ask(.get, in: session) == .error(.command(.prohibited)))
        let polled = try session.makeQueue(subscribes: false)
        #expect(try polled.ask(.get, in: session) == .ok)
        #expect(try polled.ask(.subscribe, in: session) == .error(.command(.prohibited)))
    }

    @Test func `acks of nothing get no message`() throws {
        let session = session
        let queue = try session.makeQueue()
        #expect(try queue.ask(.acknowledge(.random()), in: session) == .error(.noMessage))
        try queue.send(in: session, secured: false)
        #expect(try queue.ask(.acknowledge(.random()), in: session) == .error(.noMessage))
        let idle = fixture.session(9)
        #expect(try queue.ask(.acknowledge(.random()), in: idle) == .error(.noMessage))
    }

    @Test func `closed or passworded relays refuse new queues`() throws {
        let closed = CoreFixture(creation: QueueCreation(isAllowed: false)).session(1)
        #expect(throws: (any Error).self) { try closed.makeQueue() }
        let password = try RelayPassword(parsing: "secret")
        let session = CoreFixture(creation: QueueCreation(password: password)).session(1)
        let key = key
        var request = request(key)
        #expect(try session.ask(.new(request), .none, key) == .authenticationError)
        request.password = try RelayPassword(parsing: "wrong")
        #expect(try session.ask(.new(request), .none, key) == .authenticationError)
        request.password = password
        guard case .queue = try session.ask(.new(request), .none, key) else {
            Issue.record("the right password was refused")
            return
        }
    }

    @Test func `an open relay ignores passwords`() throws {
        let key = key
        var request = request(key)
        request.password = try RelayPassword(parsing: "anything")
        guard case .queue = try session.ask(.new(request), .none, key) else {
            Issue.record("the password was refused")
            return
        }
    }

    @Test func `a relay that is no proxy says so`() throws {
        let address = try RelayAddress(hosts: ["h"], port: nil, keyHash: Array(repeating: 1, count: 32))
        #expect(
            try session.ask(.openProxySession(address, password: nil)) == .error(.proxy(.basicAuthentication)))
        let command = ProxiedCommand(version: 9, key: X25519.PrivateKey().publicKey, sealed: [1])
        #expect(try session.ask(.forwardToProxy(command), .random()) == .error(.proxy(.noSession)))
    }

    // MARK: Robustness

    @Test func `random payloads are answered and harm nothing`() throws {
        let session = session
        let queue = try session.makeQueue()
        try queue.send([42], in: session, secured: false)
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<500 {
            let payload = generator.bytes(Int.random(in: 0...300, using: &generator))
            #expect(try !answers(to: payload, session).isEmpty)
        }
        #expect(fixture.core.withStore { $0.queues[queue.recipientID]?.messages.count } == 1)
    }

    @Test func `changed bytes of a command never pass`() throws {
        let session = session
        let queue = try session.makeQueue()
        let good = try session.transmission(.delete, queue.recipientID, queue.recipientKey).encoded(14)
        var generator = SeededGenerator(seed: 12)
        for _ in 0..<300 {
            var changed = good
            changed[Int.random(in: changed.indices, using: &generator)] ^= UInt8.random(in: 1...255, using: &generator)
            _ = try answers(to: raw(changed), session)
        }
        #expect(fixture.core.withStore { $0.queues[queue.recipientID] } != nil)
    }
}
