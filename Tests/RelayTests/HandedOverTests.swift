import Dispatch
import SMP
import SMPTransport
import Synchronization
import TestSupport
import Testing

@testable import SMPSession

/// What other threads have a session send.
@Suite(.timeLimit(.minutes(5))) struct HandedOverTests {
    /// Sends numbers to whoever comes, from a thread of its own and in the two ways there are.
    private final class Counting: ServerSessionHandler {
        let count: Int

        init(_ count: Int) { self.count = count }

        func sessionStarted(_ session: ServerSession) {
            DispatchQueue.global().async { [count] in
                for number in 0..<count {
                    let payload = Self.payload(number)
                    if number.isMultiple(of: 3) {
                        session.send(making: { [payload] })
                    } else {
                        session.send([payload])
                    }
                }
            }
        }

        private static func payload(_ number: Int) -> [UInt8] {
            let message = BrokerMessage.message(
                MessageID(Array(repeating: 1, count: 24)),
                body: [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)])
            let transmission = try? Transmission(
                message, correlationID: .none, entityID: EntityID(Array(repeating: 2, count: 24)), version: 14)
            return (try? transmission.map { try Batch.encode([$0.encoded(14)]) }) ?? []
        }

        func session(_ session: ServerSession, received payload: Result<[UInt8], SMPDecodingError>) {}
        func sessionEnded(_ session: ServerSession, reason: TransportError) {}
    }

    @Test func `all of it arrives, in its order`() async throws {
        let count = 1_000
        let certificates = try RelayCertificates.make(host: "localhost")
        let ledger = ConnectionLedger()
        let listener = Listener(
            configuration: ListenerConfiguration(
                host: "127.0.0.1", port: 0, certificates: certificates, ledger: ledger),
            sessions: Counting(count))
        let client = try await RawSession(
            to: RelayAddress(
                hosts: ["127.0.0.1"], port: listener.start(), keyHash: certificates.fingerprint))
        var numbers: [Int] = []
        while numbers.count < count, case .message(_, let body)? = try await client.receive() {
            numbers.append(Int(body[0]) << 8 | Int(body[1]))
        }
        #expect(numbers == Array(0..<count))
        try await waitUntil("nothing waits any more") { ledger.output == 0 }
        await listener.stop()
    }
}
