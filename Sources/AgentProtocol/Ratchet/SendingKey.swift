import Cryptography
import SMP

/// Header and key of one message to be sent.
struct SendingKey: Sendable, Equatable {
    let version: UInt16
    let encryptedHeader: [UInt8]
    let messageKey: MessageKey
    let associatedData: [UInt8]

    init(version: UInt16, encryptedHeader: [UInt8], messageKey: MessageKey, associatedData: [UInt8]) {
        self.version = version
        self.encryptedHeader = encryptedHeader
        self.messageKey = messageKey
        self.associatedData = associatedData
    }

    /// The ratchet message for `body`, the second half of sending. The same body gives the same bytes.
    ///
    /// - Parameter count: padded size, two bytes of it for the length (Agent fact sheet §6).
    /// - Throws: `RatchetError.messageTooLarge`.
    func encrypt(_ body: [UInt8], paddedTo count: Int) throws(RatchetError) -> [UInt8] {
        guard body.count <= count - 2 else { throw .messageTooLarge }
        do {
            var padded = try Padding.pad(body, to: count)
            defer { wipe(&padded) }
            let sealed = try AESGCM.seal(
                padded, key: messageKey.key, iv: messageKey.iv,
                authenticatedData: associatedData + encryptedHeader)
            return try RatchetMessage(header: encryptedHeader, tag: sealed.tag, body: sealed.ciphertext)
                .encoded(version: version)
        } catch {
            throw .messageTooLarge
        }
    }

    /// Reads what `encoded` wrote.
    ///
    /// - Throws: `RatchetError.invalidState`.
    init(decoding bytes: [UInt8]) throws(RatchetError) {
        do {
            var reader = ByteReader(bytes)
            version = try reader.word16()
            encryptedHeader = try reader.large()
            messageKey = MessageKey(
                key: SecretBytes(try reader.raw(RatchetKDF.keyCount)),
                iv: try reader.raw(RatchetKDF.ivCount))
            associatedData = try reader.raw(X3DH.associatedDataCount)
            guard reader.isAtEnd else { throw RatchetError.invalidState }
        } catch {
            throw .invalidState
        }
    }

    /// For the store; holds a key.
    var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.word16(version)
        writer.word16(UInt16(encryptedHeader.count))
        writer.raw(encryptedHeader)
        writer.raw(messageKey.key.bytes)
        writer.raw(messageKey.iv)
        writer.raw(associatedData)
        return writer.written
    }
}
