import Cryptography

/// What the relay seals for the recipient and the recipient finds in MSG (SMP fact sheet §9.3).
public enum MessageBody: Hashable, Sendable {
    /// A sender's message, with the relay's time of arrival in seconds since 1970.
    case message(time: Int64, notify: Bool, body: [UInt8])
    /// The queue was full at this time; the sender waits to be told to go on.
    case quota(time: Int64)

    private static let quotaTag = Array("QUOTA ".utf8)

    /// Seals for the recipient: always 16,122 bytes.
    ///
    /// - Parameters:
    ///   - secret: X25519 of the recipient's key in NEW and the relay's in IDS.
    ///   - id: the message's id, which is the nonce.
    /// - Throws: `SMPEncodingError.tooLong`.
    public func seal(secret: SecretBytes, id: MessageID) throws -> [UInt8] {
        try Padding.seal(plain, to: SMPLimits.messageBody, secret: secret, nonce: id.bytes)
    }

    /// Opens what MSG carries.
    ///
    /// - Throws: `SMPDecodingError`.
    public init(opening sealed: [UInt8], secret: SecretBytes, id: MessageID) throws {
        guard let padded = try? CryptoBox.open(sealed, secret: secret, nonce: id.bytes) else {
            throw SMPDecodingError.decryptionFailed
        }
        try self.init(decoding: Padding.unpad(padded))
    }

    /// Reads the unpadded form.
    ///
    /// - Throws: `SMPDecodingError`.
    public init(decoding plain: [UInt8]) throws {
        self = try ByteReader.all(of: plain) { reader in
            if reader.skip(Self.quotaTag) { return .quota(time: try reader.int64()) }
            return .message(
                time: try reader.int64(), notify: try reader.messageFlags(), body: try reader.messageBody())
        }
    }

    /// The form before padding.
    public var plain: [UInt8] {
        ByteWriter.build { writer in
            switch self {
            case .message(let time, let notify, let body):
                writer.int64(time)
                writer.bool(notify)
                writer.raw(" ")
                writer.raw(body)
            case .quota(let time):
                writer.raw(Self.quotaTag)
                writer.int64(time)
            }
        }
    }
}

/// What a notification tells the recipient's device (SMP fact sheet §7.3, NMSG).
public struct NotificationMeta: Hashable, Sendable {
    public var messageID: MessageID
    /// Seconds since 1970.
    public var time: Int64

    public init(messageID: MessageID, time: Int64) {
        self.messageID = messageID
        self.time = time
    }

    /// Seals with the notifier's secret.
    ///
    /// - Throws: `SMPEncodingError`.
    public func seal(secret: SecretBytes, nonce: [UInt8]) throws -> [UInt8] {
        let plain = try ByteWriter.build { writer in
            try writer.bytes(messageID.bytes)
            writer.int64(time)
        }
        return try Padding.seal(plain, to: SMPLimits.notificationMeta, secret: secret, nonce: nonce)
    }

    /// Opens what NMSG carries.
    ///
    /// - Throws: `SMPDecodingError`.
    public init(opening sealed: [UInt8], secret: SecretBytes, nonce: [UInt8]) throws {
        guard let padded = try? CryptoBox.open(sealed, secret: secret, nonce: nonce) else {
            throw SMPDecodingError.decryptionFailed
        }
        self = try ByteReader.all(of: Padding.unpad(padded)) {
            NotificationMeta(messageID: MessageID(try $0.bytes()), time: try $0.int64())
        }
    }
}
