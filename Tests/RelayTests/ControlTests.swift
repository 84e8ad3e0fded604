import Cryptography
import SMP
import SMPTransport
import TestSupport
import Testing

@testable import Relay
@testable import RelayRules
@testable import SMPSession

/// What an operator may ask of a running relay.
@Suite(.timeLimit(.minutes(5))) struct ControlTests {
    private let controlled = RelayChange { $0.isControlled = true }

    @Test func `requests are read as they are written`() throws {
        let id = EntityID.random()
        for request in [
            ControlRequest.queues(5), .drain(seconds: 0), .block(.queue(id), reason: "spam"),
            .block(.address(.ipv4(0xC000_0201)), reason: "content"), .unblock(.address(.ipv6(0x2001_0DB8_0001_0002))),
            .unblock(.queue(id)),
        ] {
            #expect(try ControlRequest(line: request.line) == request)
        }
    }

    @Test(
        arguments: [
            ("", ControlError.unknownRequest), ("stop", .unknownRequest), ("queues", .unknownRequest),
            ("queues 0", .outOfRange(1...1_000)), ("queues 5 6", .unknownRequest), ("drain x", .outOfRange(0...86_400)),
            ("block abc spam", .noTarget("abc")), ("block 192.0.2.1 rude", .unknownReason("rude")),
            ("block 127.0.0.1 spam", .thisMachine), ("unblock 192.0.2.1.1", .noTarget("192.0.2.1.1")),
        ])
    func `other lines are refused`(line: String, error: ControlError) {
        #expect(throws: error) { try ControlRequest(line: line) }
        #expect(throws: ControlError.unknownRequest) {
            try ControlRequest(line: line + String(repeating: " ", count: 300))
        }
    }

    @Test func `a blocked queue tells its clients and stays blocked after a restart`() async throws {
        try await withRelay(change: controlled) { relay, address in
            let connection = try await RelayConnection.connect(to: address)
            let queue = try await TestQueue(on: connection, subscribes: false)
            #expect(try await relay.carryOut(.block(.queue(queue.ids.senderID), reason: "content")) == ["done"])
            let blocked = RelayRequestError.refused(.blocked(.init(reason: "content")))
            let send = queue.sender(.send(notify: false, body: [1]), secured: false)
            await #expect(throws: blocked) { try await connection.request(send) }
            await #expect(throws: blocked) { try await connection.request(queue.recipient(.subscribe)) }
            await relay.stop()
            try await startAgain(relay)
            let again = try await RelayConnection.connect(to: address)
            await #expect(throws: blocked) { try await again.request(send) }
            #expect(try await relay.carryOut(.unblock(.queue(queue.ids.recipientID))) == ["done"])
            #expect(try await again.request(send) == .ok)
            await #expect(throws: ControlError.notBlocked) {
                try await relay.carryOut(.unblock(.queue(queue.ids.recipientID)))
            }
            await #expect(throws: ControlError.noQueue) {
                try await relay.carryOut(.block(.queue(.random()), reason: "spam"))
            }
        }
    }

    @Test func `a queue that was switched off stays off`() async throws {
        try await withRelay { relay, address in
            let connection = try await RelayConnection.connect(to: address)
            let queue = try await TestQueue(on: connection)
            #expect(try await connection.request(queue.recipient(.suspend)) == .ok)
            await #expect(throws: ControlError.alreadyOff) {
                try await relay.carryOut(.block(.queue(queue.ids.recipientID), reason: "spam"))
            }
        }
    }

    @Test func `a blocked address loses its connections and gets none after a restart either`() async throws {
        try await withRelay { relay, address in
            var configuration = TransportConfiguration(connectTimeout: .seconds(5))
            configuration.localAddress = "127.0.0.2"
            let other = try await RelayConnection.connect(to: address)
            let connection = try await RelayConnection.connect(to: address, configuration: configuration)
            #expect(try await connection.request(RelayRequest(.ping)) == .pong)
            let target = try ControlRequest.target("127.0.0.2")
            #expect(try await relay.carryOut(.block(target, reason: "spam")) == ["done"])
            try await waitUntil("its connection ends") { relay.connectionCount == 1 }
            await #expect(throws: TransportError.self) {
                _ = try await RelayConnection.connect(to: address, configuration: configuration)
            }
            #expect(try await other.request(RelayRequest(.ping)) == .pong)
            await relay.stop()
            try await startAgain(relay)
            await #expect(throws: TransportError.self) {
                _ = try await RelayConnection.connect(to: address, configuration: configuration)
            }
            #expect(try await relay.carryOut(.unblock(target)) == ["done"])
            _ = try await RelayConnection.connect(to: address, configuration: configuration)
        }
    }

    @Test func `the largest queues are listed first`() async throws {
        try await withRelay { relay, address in
            let connection = try await RelayConnection.connect(to: address)
            var ids: [EntityID] = []
            for count in [10, 1_000, 100] {
                let queue = try await TestQueue(on: connection, subscribes: false)
                let body = [UInt8](repeating: 1, count: count)
                _ = try await connection.request(queue.sender(.send(notify: false, body: body), secured: false))
                ids.append(queue.ids.recipientID)
            }
            _ = try await TestQueue(on: connection, subscribes: false)
            let lines = try await relay.carryOut(.queues(2))
            #expect(
                lines == [
                    "\(ids[1]) 1 messages \(1_000 + StoreLimits.rowCost) bytes",
                    "\(ids[2]) 1 messages \(100 + StoreLimits.rowCost) bytes",
                ])
        }
    }

    @Test func `a drained relay ends its sessions and takes no more`() async throws {
        try await withRelay { relay, address in
            let connection = try await RelayConnection.connect(to: address)
            #expect(try await connection.request(RelayRequest(.ping)) == .pong)
            _ = try await relay.carryOut(.drain(seconds: 0))
            for await _ in relay.drained {}
            try await waitUntil("all sessions end") { relay.connectionCount == 0 }
            await #expect(throws: TransportError.self) { _ = try await RelayConnection.connect(to: address) }
        }
    }
}
