import Cryptography
import TestSupport
import Testing

@testable import AgentProtocol

/// Numbers and hashes of one direction.
@Suite(.timeLimit(.minutes(5))) struct IntegrityChainTests {
    /// A sender and a receiver after the confirmation.
    private func connected() throws -> (sender: IntegrityChain, receiver: IntegrityChain) {
        let confirmation = try AgentMessage.connectionInformation([1, 2]).encoded()
        var sender = IntegrityChain()
        var receiver = IntegrityChain()
        #expect(sender.record(confirmation) == 1)
        receiver.record(confirmation)
        return (sender, receiver)
    }

    private func receive(_ plaintext: [UInt8], _ chain: inout IntegrityChain) throws -> MessageIntegrity {
        guard case .message(let id, let hash, _) = try AgentMessage(decoding: plaintext) else {
            Issue.record("not a numbered message")
            return .badHash
        }
        return chain.receive(id: id, previousHash: hash, plaintext: plaintext)
    }

    @Test func `messages in order are fine`() throws {
        var (sender, receiver) = try connected()
        for number in 2...6 as ClosedRange<Int64> {
            let (id, plaintext) = try sender.send(.message([UInt8(number)]))
            #expect(id == number)
            #expect(try receive(plaintext, &receiver) == .ok)
        }
        #expect(sender == receiver)
    }

    @Test func `missing messages are named`() throws {
        var (sender, receiver) = try connected()
        for _ in 0..<3 { _ = try sender.send(.hello) }
        #expect(try receive(sender.send(.hello).plaintext, &receiver) == .skipped(from: 2, to: 4))
        #expect(try receive(sender.send(.hello).plaintext, &receiver) == .ok)
    }

    @Test func `repeated and late messages are told apart and change nothing`() throws {
        var (sender, receiver) = try connected()
        let first = try sender.send(.hello).plaintext
        let second = try sender.send(.hello).plaintext
        #expect(try receive(first, &receiver) == .ok)
        #expect(try receive(second, &receiver) == .ok)
        #expect(try receive(second, &receiver) == .duplicate)
        #expect(try receive(first, &receiver) == .badID(2))
        #expect(try receive(sender.send(.hello).plaintext, &receiver) == .ok)
    }

    @Test func `other history is seen`() throws {
        var (sender, receiver) = try connected()
        var other = sender
        let mine = try sender.send(.message([1])).plaintext
        _ = try other.send(.message([2]))
        #expect(try receive(mine, &receiver) == .ok)
        #expect(try receive(other.send(.hello).plaintext, &receiver) == .badHash)
    }

    @Test func `ratchet key leaves a gap of one at the receiver`() throws {
        var (sender, receiver) = try connected()
        sender.record(try AgentMessage.ratchetInformation([]).encoded())
        #expect(
            try receive(sender.send(.ratchetReady(lastReceivedID: 0)).plaintext, &receiver) == .skipped(from: 2, to: 2))
    }

    @Test func `numbers at the edge never trap`() {
        var chain = IntegrityChain(lastID: 5, lastHash: [])
        #expect(chain.receive(id: .max, previousHash: [], plaintext: []) == .skipped(from: 6, to: .max - 1))
        #expect(chain.receive(id: .min, previousHash: [], plaintext: []) == .badID(.min))
        #expect(chain.receive(id: .max, previousHash: [], plaintext: []) == .duplicate)
        #expect(chain.receive(id: 0, previousHash: [], plaintext: []) == .badID(0))
        #expect(chain.record([]) == .max)
    }
}
