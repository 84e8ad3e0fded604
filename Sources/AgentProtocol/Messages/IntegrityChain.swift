import Cryptography

/// Numbers and hashes of one direction of a connection (Agent fact sheet §8).
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
        // A peer may name the highest number; nothing follows it.
        lastID += lastID < .max ? 1 : 0
        lastHash = Digest.sha256(plaintext)
        return lastID
    }

    /// Numbers an outgoing message.
    ///
    /// - Returns: the number and the plaintext to encrypt.
    /// - Throws: `SMPEncodingError` when the content has no form; nothing is numbered then.
    package mutating func send(_ content: AMessage) throws -> (id: Int64, plaintext: [UInt8]) {
        let plaintext = try AgentMessage.message(id: lastID &+ 1, previousHash: lastHash, content).encoded()
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
