import BaseKit
import NIOCore
import Synchronization
import Testing

@testable import SMPTransport

/// Limits on parallel connections.
@Suite(.timeLimit(.minutes(5))) struct ConnectionLedgerTests {
    private func address(_ text: String) throws -> SocketAddress { try SocketAddress(ipAddress: text, port: 1) }

    @Test func `connections in all are limited`() throws {
        let ledger = ConnectionLedger(limits: ConnectionLimits(total: 2))
        #expect(ledger.admit(1, from: nil))
        #expect(ledger.admit(2, from: nil))
        #expect(!ledger.admit(3, from: nil))
        #expect(ledger.refusals == [.total: 1])
        ledger.left(1)
        #expect(ledger.admit(4, from: nil))
        #expect(ledger.count == 2)
    }

    /// Connections that were told to close, in order.
    private final class Closed: Sendable {
        let numbers = Mutex<[UInt64]>([])
        func closer(_ number: UInt64) -> @Sendable () -> Void {
            { [self] in numbers.withLock { $0.append(number) } }
        }
    }

    @Test func `a newcomer takes the place of the oldest that has not greeted`() throws {
        let ledger = ConnectionLedger(limits: ConnectionLimits(total: 10, greeting: 2))
        let closed = Closed()
        for number in 1...3 as ClosedRange<UInt64> {
            #expect(ledger.admit(number, from: nil, close: closed.closer(number)))
        }
        #expect(closed.numbers.withLock { $0 } == [1])
        ledger.left(1)
        // Who has greeted is never displaced.
        ledger.greeted(2)
        ledger.greeted(2)
        #expect(ledger.admit(4, from: nil, close: closed.closer(4)))
        #expect(closed.numbers.withLock { $0 } == [1])
        #expect(ledger.admit(5, from: nil, close: closed.closer(5)))
        #expect(closed.numbers.withLock { $0 } == [1, 3])
        #expect(ledger.refusals == [.greeting: 2])
    }

    @Test func `one address has a small share of those that have not greeted`() throws {
        let ledger = ConnectionLedger(limits: ConnectionLimits(greeting: 100, greetingPerAddress: 2))
        for number in 1...2 as ClosedRange<UInt64> { #expect(ledger.admit(number, from: try address("192.0.2.1"))) }
        #expect(!ledger.admit(3, from: try address("192.0.2.1")))
        #expect(ledger.admit(4, from: try address("192.0.2.2")))
        ledger.greeted(1)
        #expect(ledger.admit(5, from: try address("192.0.2.1")))
        ledger.left(2)
        #expect(ledger.admit(6, from: try address("192.0.2.1")))
        #expect(!ledger.admit(7, from: try address("192.0.2.1")))
        #expect(ledger.refusals == [.greetingAddress: 2])
    }

    @Test func `silent connections from many addresses leave room for another`() throws {
        let ledger = ConnectionLedger(limits: ConnectionLimits())
        for number in 1...2_000 as ClosedRange<UInt64> {
            _ = ledger.admit(number, from: try address("198.51.100.\(number % 200)"))
        }
        #expect(ledger.admit(5_000, from: try address("192.0.2.1")))
    }

    @Test func `an address that makes connections too fast is slowed down and others are not`() throws {
        var limits = ConnectionLimits()
        (limits.burstPerAddress, limits.ratePerAddress) = (4, 2)
        let ledger = ConnectionLedger(limits: limits)
        let start = Instant(sinceStart: .seconds(1_000))
        var number: UInt64 = 0
        func connect(_ text: String?, _ time: Duration) throws -> Bool {
            number += 1
            let isAdmitted = ledger.admit(number, from: try text.map { try address($0) }, at: start + time)
            // Each is over at once, so that no other limit is met.
            ledger.left(number)
            return isAdmitted
        }
        for _ in 0..<4 { #expect(try connect("192.0.2.1", .zero)) }
        for _ in 0..<100 { #expect(try !connect("192.0.2.1", .milliseconds(499))) }
        #expect(try connect("192.0.2.2", .milliseconds(499)))
        // What was refused has cost nothing.
        #expect(try connect("192.0.2.1", .milliseconds(500)))
        #expect(try !connect("192.0.2.1", .milliseconds(500)))
        for _ in 0..<4 { #expect(try connect("192.0.2.1", .seconds(60))) }
        #expect(try !connect("192.0.2.1", .seconds(60)))
        for _ in 0..<100 { #expect(try connect("127.0.0.1", .zero)) }
        #expect(ledger.refusals == [.rate: 102])
    }

    @Test func `a blocked address has and gets no connection`() throws {
        let ledger = ConnectionLedger()
        let closed = Closed()
        #expect(ledger.admit(1, from: try address("192.0.2.1"), close: closed.closer(1)))
        #expect(ledger.admit(2, from: try address("192.0.2.2"), close: closed.closer(2)))
        ledger.block([.ipv4(0xC000_0201)])
        #expect(closed.numbers.withLock { $0 } == [1])
        #expect(!ledger.admit(3, from: try address("192.0.2.1")))
        #expect(!ledger.admit(4, from: try address("::ffff:192.0.2.1")))
        #expect(ledger.admit(5, from: try address("192.0.2.3")))
        ledger.block([])
        #expect(ledger.admit(6, from: try address("192.0.2.1")))
        #expect(ledger.refusals == [.blocked: 2])
    }

    @Test func `a line of silent and quick connections stays short`() throws {
        let ledger = ConnectionLedger(limits: ConnectionLimits(total: 10_000, greeting: 3))
        let closed = Closed()
        #expect(ledger.admit(1, from: nil, close: closed.closer(1)))
        for number in 2...5_000 as ClosedRange<UInt64> {
            #expect(ledger.admit(number, from: nil, close: closed.closer(number)))
            ledger.greeted(number)
            ledger.left(number)
        }
        #expect(closed.numbers.withLock { $0 }.isEmpty)
        for number in 6_001...6_003 as ClosedRange<UInt64> { #expect(ledger.admit(number, from: nil)) }
        #expect(closed.numbers.withLock { $0 } == [1])
    }

    @Test func `leaving twice or unknown counts once`() throws {
        let ledger = ConnectionLedger(limits: ConnectionLimits(total: 1))
        #expect(ledger.admit(1, from: nil))
        ledger.left(1)
        ledger.left(1)
        ledger.left(9)
        ledger.greeted(9)
        #expect(ledger.admit(2, from: nil))
        #expect(!ledger.admit(3, from: nil))
    }

    @Test func `one address gets only its share`() throws {
        let ledger = ConnectionLedger(limits: ConnectionLimits(perAddress: 2))
        for number in 1...2 as ClosedRange<UInt64> { #expect(ledger.admit(number, from: try address("192.0.2.1"))) }
        #expect(!ledger.admit(3, from: try address("192.0.2.1")))
        #expect(ledger.admit(4, from: try address("192.0.2.2")))
        ledger.left(1)
        #expect(ledger.admit(5, from: try address("192.0.2.1")))
        #expect(ledger.refusals == [.address: 1])
    }

    @Test func `a network of IPv6 counts as one address`() throws {
        let ledger = ConnectionLedger(limits: ConnectionLimits(perAddress: 1))
        #expect(ledger.admit(1, from: try address("2001:db8:1:2::1")))
        #expect(!ledger.admit(2, from: try address("2001:db8:1:2:ffff::1")))
        #expect(ledger.admit(3, from: try address("2001:db8:1:3::1")))
    }

    @Test(arguments: ["127.0.0.1", "::ffff:127.0.0.1", "::1"]) func `this machine has no share`(text: String) throws {
        let ledger = ConnectionLedger(limits: ConnectionLimits(perAddress: 1))
        for number in 1...5 as ClosedRange<UInt64> { #expect(ledger.admit(number, from: try address(text))) }
    }

    @Test func `other addresses of this machine are addresses like any`() throws {
        let ledger = ConnectionLedger(limits: ConnectionLimits(perAddress: 1))
        #expect(ledger.admit(1, from: try address("127.0.0.2")))
        #expect(!ledger.admit(2, from: try address("127.0.0.2")))
        #expect(ledger.admit(3, from: try address("127.0.0.3")))
    }
}
