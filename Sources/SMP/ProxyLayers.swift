import Cryptography

/// The boxes of a command that goes through a proxy, and of its response (SMP fact sheet §10).
///
/// The inner layer is between client and relay, under the secret of the command's own key and the relay's session key;
/// the outer layer is between proxy and relay, under their session secret. Responses use the reversed nonce.
public enum ProxyLayers {
    /// Which way a layer goes.
    public enum Direction: Sendable {
        case request
        case response
    }

    /// The inner layer around a batch of one transmission.
    ///
    /// - Parameter correlationID: that of the client's PFWD.
    /// - Throws: `SMPEncodingError.tooLong`.
    public static func sealInner(
        _ batch: [UInt8], secret: SecretBytes, correlationID: CorrelationID, _ direction: Direction
    ) throws -> [UInt8] {
        let padded = try Padding.pad(batch, to: SMPLimits.proxied)
        return CryptoBox.seal(padded, secret: secret, nonce: nonce(correlationID, direction))
    }

    /// The batch inside the inner layer.
    ///
    /// - Throws: `SMPDecodingError.decryptionFailed` (a relay answers `CRYPTO`) or `.truncated`.
    public static func openInner(
        _ sealed: [UInt8], secret: SecretBytes, correlationID: CorrelationID, _ direction: Direction
    ) throws -> [UInt8] {
        guard let padded = try? CryptoBox.open(sealed, secret: secret, nonce: nonce(correlationID, direction)) else {
            throw SMPDecodingError.decryptionFailed
        }
        return try Padding.unpad(padded)
    }

    /// The outer layer, which has no padding.
    ///
    /// - Parameter correlationID: that of the proxy's RFWD.
    public static func sealOuter(
        _ plain: [UInt8], secret: SecretBytes, correlationID: CorrelationID, _ direction: Direction
    ) -> [UInt8] {
        CryptoBox.seal(plain, secret: secret, nonce: nonce(correlationID, direction))
    }

    /// What is inside the outer layer.
    ///
    /// - Throws: `SMPDecodingError.decryptionFailed`; a relay answers `CRYPTO`.
    public static func openOuter(
        _ sealed: [UInt8], secret: SecretBytes, correlationID: CorrelationID, _ direction: Direction
    ) throws -> [UInt8] {
        guard let plain = try? CryptoBox.open(sealed, secret: secret, nonce: nonce(correlationID, direction)) else {
            throw SMPDecodingError.decryptionFailed
        }
        return plain
    }

    private static func nonce(_ correlationID: CorrelationID, _ direction: Direction) -> [UInt8] {
        switch direction {
        case .request: correlationID.bytes
        case .response: correlationID.bytes.reversed()
        }
    }
}

/// What a proxy hands to the relay inside RFWD.
public struct ForwardedCommand: Hashable, Sendable {
    /// That of the client's PFWD; nonce of the inner layer.
    public var correlationID: CorrelationID
    /// The client's command, still sealed.
    public var command: ProxiedCommand

    public init(correlationID: CorrelationID, command: ProxiedCommand) {
        self.correlationID = correlationID
        self.command = command
    }

    /// Reads the opened outer layer.
    ///
    /// - Throws: `SMPDecodingError`; a relay answers `CMD SYNTAX`.
    public init(decoding bytes: [UInt8]) throws {
        self = try ByteReader.all(of: bytes) {
            ForwardedCommand(correlationID: CorrelationID(try $0.bytes()), command: try $0.proxiedCommand())
        }
    }

    /// The form before the outer layer.
    ///
    /// - Throws: `SMPEncodingError`.
    public func encoded() throws -> [UInt8] {
        try ByteWriter.build { writer in
            try writer.bytes(correlationID.bytes)
            try writer.proxiedCommand(command)
        }
    }
}

/// What a relay hands back inside RRES.
public struct ForwardedResponse: Hashable, Sendable {
    /// That of the client's PFWD.
    public var correlationID: CorrelationID
    /// The response for the client, sealed.
    public var sealed: [UInt8]

    public init(correlationID: CorrelationID, sealed: [UInt8]) {
        self.correlationID = correlationID
        self.sealed = sealed
    }

    /// Reads the opened outer layer.
    ///
    /// - Throws: `SMPDecodingError`.
    public init(decoding bytes: [UInt8]) throws {
        var reader = ByteReader(bytes)
        correlationID = CorrelationID(try reader.bytes())
        sealed = reader.tail()
    }

    /// The form before the outer layer.
    ///
    /// - Throws: `SMPEncodingError`.
    public func encoded() throws -> [UInt8] {
        try ByteWriter.build { writer in
            try writer.bytes(correlationID.bytes)
            writer.raw(sealed)
        }
    }
}
