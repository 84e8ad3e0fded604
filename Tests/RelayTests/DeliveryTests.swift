import Cryptography
import SMP
import SMPSession
import SMPTransport
import Testing

/// Messages through a real relay on loopback.
@Suite(.timeLimit(.minutes(5))) struct DeliveryTests {
    @Test(arguments: [9, 10, 11, 12, 14, 15, 16, 17] as [UInt16])
    func `a message travels from sender to recipient`(version: UInt16) async throws {
        try await withRelay { _, address in
            let configuration = TransportConfiguration(versions: SMPVersionRange(9...version))
            let recipient = try await RelayConnection.connect(to: address, configuration: configuration)
            let sender = try await RelayConnection.connect(to: address, configuration: configuration)
            #expect(recipient.version == SMPVersion(rawValue: version))
            var events = EventReader(recipient)
            let queue = try await TestQueue(on: recipient)
            #expect(try await sender.request(queue.secure) == .ok)
            #expect(try await sender.request(queue.sender(.send(notify: true, body: [1, 2, 3]))) == .ok)
            let (id, body) = try await events.nextMessage(of: queue)
            #expect(body.sent == [1, 2, 3])
            #expect(try await recipient.request(queue.recipient(.acknowledge(id))) == .ok)
        }
    }

    @Test func `messages come one at a time in order`() async throws {
        try await withRelay { _, address in
            let recipient = try await RelayConnection.connect(to: address)
            let sender = try await RelayConnection.connect(to: address)
            var events = EventReader(recipient)
            let queue = try await TestQueue(on: recipient)
            _ = try await sender.request(queue.secure)
            for number in 0..<20 as Range<UInt8> {
                #expect(try await sender.request(queue.sender(.send(notify: false, body: [number]))) == .ok)
            }
            var (id, body) = try await events.nextMessage(of: queue)
            var received = [body.sent]
            while case .message(let next, let sealed) = try await recipient.request(queue.recipient(.acknowledge(id))) {
                (id, body) = (next, try queue.open(sealed, next))
                received.append(body.sent)
            }
            #expect(received == (0..<20).map { [UInt8($0)] })
        }
    }

    @Test func `an unacknowledged message comes again with the same ID`() async throws {
        try await withRelay { _, address in
            let sender = try await RelayConnection.connect(to: address)
            let first = try await RelayConnection.connect(to: address)
            let queue = try await TestQueue(on: first)
            _ = try await sender.request(queue.secure)
            _ = try await sender.request(queue.sender(.send(notify: false, body: [7])))
            var firstEvents = EventReader(first)
            let (id, _) = try await firstEvents.nextMessage(of: queue)
            await first.close()
            let second = try await RelayConnection.connect(to: address)
            var secondEvents = EventReader(second)
            #expect(try await second.request(queue.recipient(.subscribe)) == .subscribed(serviceID: nil))
            let (again, body) = try await secondEvents.nextMessage(of: queue)
            #expect(again == id)
            #expect(body.sent == [7])
        }
    }

    @Test func `a later subscriber displaces the first`() async throws {
        try await withRelay { _, address in
            let sender = try await RelayConnection.connect(to: address)
            let first = try await RelayConnection.connect(to: address)
            let second = try await RelayConnection.connect(to: address)
            var firstEvents = EventReader(first)
            var secondEvents = EventReader(second)
            let queue = try await TestQueue(on: first)
            #expect(try await second.request(queue.recipient(.subscribe)) == .subscribed(serviceID: nil))
            #expect(await firstEvents.next() == .up(17))
            #expect(await firstEvents.next() == .ended(queue: queue.ids.recipientID))
            _ = try await sender.request(queue.secure)
            _ = try await sender.request(queue.sender(.send(notify: false, body: [9])))
            let (id, _) = try await secondEvents.nextMessage(of: queue)
            await #expect(throws: RelayRequestError.refused(.noMessage)) {
                try await first.request(queue.recipient(.acknowledge(id)))
            }
            #expect(try await second.request(queue.recipient(.acknowledge(id))) == .ok)
        }
    }

    @Test(arguments: [(9, false), (14, true), (17, true)] as [(UInt16, Bool)])
    func `the subscriber learns of a deletion elsewhere`(version: UInt16, named: Bool) async throws {
        try await withRelay { _, address in
            let configuration = TransportConfiguration(versions: SMPVersionRange(9...version))
            let first = try await RelayConnection.connect(to: address, configuration: configuration)
            let second = try await RelayConnection.connect(to: address)
            var events = EventReader(first)
            _ = await events.next()
            let queue = try await TestQueue(on: first)
            #expect(try await second.request(queue.recipient(.delete)) == .ok)
            let id = queue.ids.recipientID
            #expect(await events.next() == (named ? .deleted(queue: id) : .ended(queue: id)))
        }
    }

    @Test func `every kind of key will do`() async throws {
        let keys: [@Sendable () -> AuthenticationPrivateKey] = [
            { .ed25519(.init()) }, { .ed448(.init()) }, { .x25519(.init()) },
        ]
        try await withRelay { _, address in
            let connection = try await RelayConnection.connect(to: address)
            for recipientKey in keys {
                for senderKey in keys {
                    let queue = try await TestQueue(
                        on: connection, recipientKey: recipientKey(), senderKey: senderKey())
                    #expect(try await connection.request(queue.secure) == .ok)
                    #expect(try await connection.request(queue.sender(.send(notify: false, body: [1]))) == .ok)
                    #expect(try await connection.request(queue.recipient(.delete)) == .ok)
                }
            }
        }
    }

    @Test func `a batch is answered in order`() async throws {
        try await withRelay { relay, address in
            let connection = try await RelayConnection.connect(to: address)
            var queues: [TestQueue] = []
            for _ in 0..<30 { queues.append(try await TestQueue(on: connection, subscribes: false)) }
            let requests = queues.map { $0.recipient(.subscribe) } + [RelayRequest(.ping)]
            let results = await connection.requests(requests)
            #expect(results == Array(repeating: .success(.subscribed(serviceID: nil)), count: 30) + [.success(.pong)])
            #expect(relay.queueCount == 30)
        }
    }

    @Test func `many senders at once lose nothing and keep their order`() async throws {
        try await withRelay { _, address in
            let recipient = try await RelayConnection.connect(to: address)
            var events = EventReader(recipient)
            let queue = try await TestQueue(on: recipient)
            let senders = 4
            let messages = 25
            async let sent: Void = withThrowingTaskGroup(of: Void.self) { group in
                for sender in 0..<senders {
                    group.addTask {
                        let connection = try await RelayConnection.connect(to: address)
                        for number in 0..<messages {
                            let body = [UInt8(sender), UInt8(number)]
                            _ = try await connection.request(
                                queue.sender(.send(notify: false, body: body), secured: false))
                        }
                    }
                }
                try await group.waitForAll()
            }
            var received: [[UInt8]] = []
            while received.count < senders * messages {
                var (id, body) = try await events.nextMessage(of: queue)
                received.append(try #require(body.sent))
                while case .message(let next, let sealed) = try await recipient.request(
                    queue.recipient(.acknowledge(id)))
                {
                    (id, body) = (next, try queue.open(sealed, next))
                    received.append(try #require(body.sent))
                }
            }
            try await sent
            for sender in 0..<senders {
                let own = received.filter { $0.first == UInt8(sender) }.map { $0.last }
                #expect(own == (0..<messages).map { UInt8($0) })
            }
        }
    }
}
