import Cryptography
import SMP

/// What is sent to a queue: a box for its recipient, with the sender's key in the first message
/// ("clientMsgEnvelope", Agent fact sheet §3).
package struct QueueEnvelope: Hashable, Sendable {
    /// Version of the queue address.
    package let version: UInt16
    /// The sender's key for the box; only in confirmations and contact requests.
    package let senderKey: X25519.PublicKey?
    /// 24 bytes.
    package let nonce: [UInt8]
    /// Tag and ciphertext.
    package let box: [UInt8]

    /// Seals a message.
    ///
    /// - Parameters:
    ///   - message: what the recipient gets.
    ///   - version: of the queue address.
    ///   - senderKey: given in confirmations and contact requests; decides the padding.
    ///   - secret: shared by the sender's key and the queue's.
    ///   - nonce: fresh for every attempt.
    /// - Throws: `QueueEnvelopeError.messageTooLarge`.
    package init(
        sealing message: ClientMessage, version: UInt16, senderKey: X25519.PublicKey?, secret: SecretBytes,
        nonce: [UInt8] = randomBytes(CryptoBox.nonceCount)
    ) throws(QueueEnvelopeError) {
        let count = senderKey == nil ? PaddedCounts.message : PaddedCounts.confirmation
        guard let padded = try? Padding.pad(message.encoded(), to: count) else { throw .messageTooLarge }
        self.version = version
        self.senderKey = senderKey
        self.nonce = nonce
        box = CryptoBox.seal(padded, secret: secret, nonce: nonce)
    }

    /// Opens the box.
    ///
    /// - Throws: `QueueEnvelopeError.notDecrypted`, `.malformed`.
    package func open(secret: SecretBytes) throws(QueueEnvelopeError) -> ClientMessage {
        guard let padded = try? CryptoBox.open(box, secret: secret, nonce: nonce) else { throw .notDecrypted }
        guard let plain = try? Padding.unpad(padded), let message = try? ClientMessage(decoding: plain) else {
            throw .malformed
        }
        return message
    }

    /// Reads the body of a delivered message.
    ///
    /// - Throws: `AgentDecodingError`, `.unsupportedVersion` among them.
    package init(decoding bytes: [UInt8]) throws(AgentDecodingError) {
        self = try decodeAll(bytes) { try QueueEnvelope(from: &$0) }
        guard QueueVersions.supported.contains(version) else { throw .unsupportedVersion(version) }
    }

    private init(from reader: inout ByteReader) throws {
        version = try reader.word16()
        senderKey = try reader.maybe { try X25519.PublicKey(der: $0.bytes()) }
        nonce = try reader.raw(CryptoBox.nonceCount)
        box = reader.tail()
    }

    /// The body of SEND: 15,992 bytes with a key, 16,043 without.
    package func encoded() throws -> [UInt8] {
        var writer = ByteWriter()
        writer.word16(version)
        try writer.maybe(senderKey) { try $0.bytes($1.derRepresentation) }
        writer.raw(nonce)
        writer.raw(box)
        return writer.written
    }
}
