import Cryptography
import TestSupport
import Testing

@testable import AgentProtocol

/// Whatever bytes come, a ratchet answers with an error and stays usable.
@Suite(.timeLimit(.minutes(5))) struct RatchetGarbageTests {
    @Test func `every truncation is refused`() throws {
        let initiatorKeys = RatchetKeyPairs()
        let joinerKeys = RatchetKeyPairs()
        var joiner = try Ratchet(joiner: joinerKeys, peer: initiatorKeys.parameters(version: 2))
        let initiator = try Ratchet(initiator: initiatorKeys, peer: joinerKeys.parameters(version: 2))
        let message = try joiner.encrypt([1, 2, 3], paddedTo: 40)
        for count in 0..<message.count {
            var copy = initiator
            #expect(throws: RatchetError.self) { try copy.decrypt(Array(message[..<count])) }
        }
        var copy = initiator
        #expect(try copy.decrypt(message) == [1, 2, 3])
    }

    @Test func `every changed byte is refused`() throws {
        let initiatorKeys = RatchetKeyPairs()
        let joinerKeys = RatchetKeyPairs()
        var joiner = try Ratchet(joiner: joinerKeys, peer: initiatorKeys.parameters(version: 2))
        let initiator = try Ratchet(initiator: initiatorKeys, peer: joinerKeys.parameters(version: 2))
        let message = try joiner.encrypt([1, 2, 3], paddedTo: 40)
        for index in message.indices {
            var changed = message
            changed[index] ^= 0x81
            var copy = initiator
            #expect(throws: RatchetError.self, "byte \(index)") { try copy.decrypt(changed) }
        }
    }

    @Test func `random bytes are refused and change nothing`() throws {
        var random = SeededGenerator(seed: 1)
        let keys = RatchetKeyPairs()
        var ratchet = try Ratchet(joiner: keys, peer: RatchetKeyPairs().parameters(version: 2))
        let before = ratchet
        for _ in 0..<2000 {
            let bytes = random.bytes(Int.random(in: 0...300, using: &random))
            #expect(throws: RatchetError.self) { try ratchet.decrypt(bytes) }
        }
        #expect(ratchet == before)
    }

    @Test func `damaged store is refused`() throws {
        let keys = RatchetKeyPairs()
        let ratchet = try Ratchet(joiner: keys, peer: RatchetKeyPairs().parameters(version: 2))
        let encoded = ratchet.encoded
        for count in 0..<encoded.count {
            #expect(throws: RatchetError.invalidState) { try Ratchet(decoding: Array(encoded[..<count])) }
        }
        #expect(throws: RatchetError.invalidState) { try Ratchet(decoding: encoded + [0]) }
        #expect(throws: RatchetError.invalidState) { try RatchetKeyPairs(decoding: [1, 2, 3]) }
        #expect(try RatchetKeyPairs(decoding: keys.encoded) == keys)
    }

    @Test func `no secret is printed`() throws {
        let keys = RatchetKeyPairs()
        let ratchet = try Ratchet(joiner: keys, peer: RatchetKeyPairs().parameters(version: 2))
        let printed = String(reflecting: ratchet.rootKey) + "\(ratchet)"
        #expect(!printed.contains(ratchet.rootKey.bytes.hexadecimal))
        #expect(printed.contains("SecretBytes(32)"))
    }
}
