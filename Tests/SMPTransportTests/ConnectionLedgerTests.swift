import NIOCore
import Testing

@testable import SMPTransport

/// Limits on parallel connections.
@Suite(.timeLimit(.minutes(5))) struct ConnectionLedgerTests {
    private func address(_ text: String) throws -> SocketAddress { try SocketAddress(ipAddress: text, port: 1) }

    @Test func connectionsInAllAreLimited() throws {
        let ledger = ConnectionLedger(limits: ConnectionLimits(total: 2))
        #expect(ledger.admit(1, from: nil))
        #expect(ledger.admit(2, from: nil))
        #expect(!ledger.admit(3, from: nil))
        #expect(ledger.refusals == [.total: 1])
        ledger.left(1)
        #expect(ledger.admit(4, from: nil))
        #expect(ledger.count == 2)
    }

    @Test func connectionsThatHaveNotGreetedAreLimitedMore() throws {
        let ledger = ConnectionLedger(limits: ConnectionLimits(total: 10, greeting: 2))
        #expect(ledger.admit(1, from: nil))
        #expect(ledger.admit(2, from: nil))
        #expect(!ledger.admit(3, from: nil))
        ledger.greeted(1)
        ledger.greeted(1)
        #expect(ledger.admit(4, from: nil))
        #expect(!ledger.admit(5, from: nil))
        #expect(ledger.refusals == [.greeting: 2])
    }

    @Test func leavingTwiceOrUnknownCountsOnce() throws {
        let ledger = ConnectionLedger(limits: ConnectionLimits(total: 10, greeting: 1))
        #expect(ledger.admit(1, from: nil))
        ledger.left(1)
        ledger.left(1)
        ledger.left(9)
        ledger.greeted(9)
        #expect(ledger.admit(2, from: nil))
        #expect(!ledger.admit(3, from: nil))
    }

    @Test func oneAddressGetsOnlyItsShare() throws {
        let ledger = ConnectionLedger(limits: ConnectionLimits(perAddress: 2))
        for number in 1...2 as ClosedRange<UInt64> { #expect(ledger.admit(number, from: try address("192.0.2.1"))) }
        #expect(!ledger.admit(3, from: try address("192.0.2.1")))
        #expect(ledger.admit(4, from: try address("192.0.2.2")))
        ledger.left(1)
        #expect(ledger.admit(5, from: try address("192.0.2.1")))
        #expect(ledger.refusals == [.address: 1])
    }

    @Test func aNetworkOfIPv6CountsAsOneAddress() throws {
        let ledger = ConnectionLedger(limits: ConnectionLimits(perAddress: 1))
        #expect(ledger.admit(1, from: try address("2001:db8:1:2::1")))
        #expect(!ledger.admit(2, from: try address("2001:db8:1:2:ffff::1")))
        #expect(ledger.admit(3, from: try address("2001:db8:1:3::1")))
    }

    @Test(arguments: ["127.0.0.1", "127.9.9.9", "::1"]) func thisMachineHasNoShare(text: String) throws {
        let ledger = ConnectionLedger(limits: ConnectionLimits(perAddress: 1))
        for number in 1...5 as ClosedRange<UInt64> { #expect(ledger.admit(number, from: try address(text))) }
    }
}
