import Cryptography

/// What the numbers and hashes say about a received message (agent fact sheet §8). The message is delivered in any case.
public enum MessageIntegrity: Hashable, Sendable {
    /// It follows the last one.
    case ok
    /// Messages are missing before it: first and last missing number.
    case skipped(from: Int64, to: Int64)
    /// Its number is below the last one.
    case badID(Int64)
    /// Its number is the last one again.
    case duplicate
    /// The number is right, and the message before it was another one than was received.
    case badHash
}

/// Numbers and hashes of one direction of a connection (agent fact sheet §8).
///
/// The confirmation is number 1 in both directions; its hash is the one message 2 must name.
package struct IntegrityChain: Hashable, Sendable {
    /// Number of the last message, 0 before the confirmation.
    package private(set) var lastID: Int64
    /// SHA-256 of the last message's plaintext, empty before the confirmation.
    package private(set) var lastHash: [UInt8]

    /// A chain as it was stored; the defaults start a new one.
    package init(lastID: Int64 = 0, lastHash: [UInt8] = []) {
        self.lastID = lastID
        self.lastHash = lastHash
    }

    /// Records a message without number: the confirmation, or a ratchet key of ours.
    ///
    /// - Parameter plaintext: the encoded `AgentMessage`.
    /// - Returns: the number it has taken.
    @discardableResult
    package mutating func record(_ plaintext: [UInt8]) -> Int64 {
        lastID += 1
        lastHash = Digest.sha256(plaintext)
        return lastID
    }

    /// Numbers an outgoing message.
    ///
    /// - Returns: the number and the plaintext to encrypt.
    /// - Throws: `SMPEncodingError` when the content has no form; nothing is numbered then.
    package mutating func send(_ content: AMessage) throws -> (id: Int64, plaintext: [UInt8]) {
        let plaintext = try AgentMessage.message(id: lastID + 1, previousHash: lastHash, content).encoded()
        return (record(plaintext), plaintext)
    }

    /// Judges an incoming message and remembers it as the last one, unless it is an old one.
    ///
    /// - Parameters:
    ///   - id: its number.
    ///   - previousHash: the hash it names.
    ///   - plaintext: the encoded `AgentMessage` as it was decrypted.
    package mutating func receive(id: Int64, previousHash: [UInt8], plaintext: [UInt8]) -> MessageIntegrity {
        guard id >= lastID else { return .badID(id) }
        guard id > lastID else { return .duplicate }
        let (missing, hash) = (lastID + 1, lastHash)
        lastID = id
        lastHash = Digest.sha256(plaintext)
        if id > missing { return .skipped(from: missing, to: id - 1) }
        return constantTimeEqual(previousHash, hash) ? .ok : .badHash
    }
}
