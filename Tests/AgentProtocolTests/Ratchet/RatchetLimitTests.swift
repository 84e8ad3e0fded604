import Cryptography
import SMP
import TestSupport
import Testing

@testable import AgentProtocol

/// What a ratchet refuses.
@Suite(.timeLimit(.minutes(5))) struct RatchetLimitTests {
    private func connect() throws -> (joiner: Ratchet, initiator: Ratchet) {
        let initiator = RatchetKeyPairs()
        let joiner = RatchetKeyPairs()
        return (
            try Ratchet(joiner: joiner, peer: initiator.parameters(version: 2)),
            try Ratchet(initiator: initiator, peer: joiner.parameters(version: 2))
        )
    }

    @Test func `initiator cannot send first`() throws {
        var (_, initiator) = try connect()
        #expect(!initiator.canSend)
        #expect(throws: RatchetError.noSendingChain) { try initiator.encrypt([1], paddedTo: 10) }
    }

    @Test func `too large body is refused before anything changes`() throws {
        var (joiner, _) = try connect()
        let before = joiner
        #expect(throws: RatchetError.messageTooLarge) { try joiner.encrypt([1, 2, 3], paddedTo: 4) }
        #expect(joiner == before)
    }

    @Test func `gap of 512 is taken and one more is not`() throws {
        var (joiner, initiator) = try connect()
        for _ in 0..<512 { _ = try joiner.takeSendingKey() }
        var early = initiator
        #expect(try early.decrypt(joiner.encrypt([1], paddedTo: 10)) == [1])
        #expect(early.skipped.count == 512)
        #expect(throws: RatchetError.tooManySkipped(513)) { try initiator.decrypt(joiner.encrypt([1], paddedTo: 10)) }
    }

    @Test func `duplicate earlier and foreign messages are told apart`() throws {
        var (joiner, initiator) = try connect()
        let messages = try (0..<3).map { try joiner.encrypt([$0], paddedTo: 10) }
        for message in messages { _ = try initiator.decrypt(message) }
        #expect(throws: RatchetError.duplicateMessage) { try initiator.decrypt(messages[2]) }
        #expect(throws: RatchetError.earlierMessage(2)) { try initiator.decrypt(messages[1]) }
        var (stranger, _) = try connect()
        #expect(throws: RatchetError.header) { try initiator.decrypt(stranger.encrypt([1], paddedTo: 10)) }
    }

    @Test func `stored keys stay below the total`() throws {
        var keys = SkippedKeys()
        let step = try RatchetKDF.chain(SecretBytes(Array(0..<32)))
        let chains = (0..<5).map { SecretBytes([UInt8](repeating: UInt8($0), count: 32)) }
        for chain in chains {
            for number in 0..<512 as Range<UInt32> { keys.insert(step.message, number: number, headerKey: chain) }
        }
        #expect(keys.count == SkippedKeys.maximumCount)
        #expect(keys.take(number: 0, headerKey: chains[0]) == nil, "the oldest are gone")
        #expect(keys.take(number: 511, headerKey: chains[4]) == step.message, "the newest are kept")
        #expect(keys.chains.reduce(0) { $0 + $1.keys.count } == keys.count)
    }

    @Test func `inserting twice counts once`() throws {
        var keys = SkippedKeys()
        let step = try RatchetKDF.chain(SecretBytes(Array(0..<32)))
        for _ in 0..<2 { keys.insert(step.message, number: 1, headerKey: step.chainKey) }
        #expect(keys.count == 1)
        #expect(keys.take(number: 1, headerKey: step.chainKey) != nil)
        #expect(keys.take(number: 1, headerKey: step.chainKey) == nil)
        #expect(keys.count == 0)
        #expect(keys.chains.isEmpty)
    }

    @Test func `changed body is refused and the conversation goes on`() throws {
        var (joiner, initiator) = try connect()
        var changed = try joiner.encrypt([1], paddedTo: 10)
        changed[changed.count - 1] ^= 1
        #expect(throws: RatchetError.authenticationFailed) { try initiator.decrypt(changed) }
        #expect(try initiator.decrypt(joiner.encrypt([2], paddedTo: 10)) == [2])
    }

    @Test func `unknown versions are refused`() throws {
        let pairs = RatchetKeyPairs()
        for version in [0, 1, 3, 4] as [UInt16] {
            #expect(throws: RatchetError.incompatibleVersion) {
                try Ratchet(joiner: pairs, peer: RatchetKeyPairs().parameters(version: version))
            }
        }
    }

    @Test func `offer is answered with the highest common version`() throws {
        let pairs = RatchetKeyPairs()
        let offer = pairs.offer(versions: VersionRange(minimum: 2, maximum: 3))
        #expect(try offer.parameters().version == 2)
        #expect(try offer.parameters(for: VersionRange(minimum: 1, maximum: 7)).version == 3)
        #expect(throws: RatchetError.incompatibleVersion) {
            try offer.parameters(for: VersionRange(minimum: 4, maximum: 5))
        }
    }

    @Test func `zero keys are refused`() throws {
        let zero = try X448.PublicKey(rawRepresentation: [UInt8](repeating: 0, count: 56))
        let parameters = RatchetParameters(version: 2, firstKey: zero, secondKey: zero)
        #expect(throws: RatchetError.invalidKey) { try Ratchet(joiner: RatchetKeyPairs(), peer: parameters) }
        #expect(throws: RatchetError.invalidKey) { try Ratchet(initiator: RatchetKeyPairs(), peer: parameters) }
    }

    @Test func `accepted post quantum key nobody offered is refused`() throws {
        let peer = RatchetKeyPairs()
        let kem = KEMParameters.accepted(
            ciphertext: [UInt8](repeating: 1, count: KEMParameters.ciphertextCount),
            key: [UInt8](repeating: 2, count: KEMParameters.keyCount))
        let parameters = RatchetParameters(
            version: 3, firstKey: peer.first.publicKey, secondKey: peer.second.publicKey, kem: kem)
        #expect(throws: RatchetError.postQuantumRequired) {
            try Ratchet(initiator: RatchetKeyPairs(), peer: parameters, maximumVersion: 3)
        }
    }

    @Test func `proposed post quantum key in a header is read over`() throws {
        let key = try AESKey()
        var header = RatchetHeader(
            maximumVersion: 3, publicKey: X448.PrivateKey().publicKey, previousCount: 1, number: 2)
        header.kem = .proposed(key: [UInt8](repeating: 3, count: KEMParameters.keyCount))
        let padded = try Padding.pad(header.unpadded(version: 3), to: 2310)
        let sealed = try AESGCM.seal(padded, key: key.secret, iv: key.iv, authenticatedData: [])
        var writer = ByteWriter()
        writer.word16(3)
        writer.raw(key.iv)
        writer.raw(sealed.tag)
        try writer.large(sealed.ciphertext)
        #expect(writer.written.count == 2346)
        let read = try EncryptedHeader(decoding: writer.written).open(key: key.secret, associatedData: [])
        #expect(read == header)
    }

    private struct AESKey {
        let secret = SecretBytes.random(32)
        let iv = randomBytes(16)
        init() throws {}
    }
}
