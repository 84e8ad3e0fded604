import Cryptography

/// One command or message with what surrounds it on the wire (SMP fact sheet §6).
public struct Transmission: Hashable, Sendable {
    /// Empty, or 64 (Ed25519), 114 (Ed448) or 80 (X25519) bytes.
    public var authenticator: [UInt8]
    /// The second signature of a service, from version 16; only beside an authenticator.
    public var serviceSignature: [UInt8]?
    /// The request's id; empty in events.
    public var correlationID: CorrelationID
    /// What the command is about.
    public var entityID: EntityID
    /// The encoded command or message.
    public var command: [UInt8]

    public init(
        authenticator: [UInt8] = [], serviceSignature: [UInt8]? = nil, correlationID: CorrelationID,
        entityID: EntityID, command: [UInt8]
    ) {
        self.authenticator = authenticator
        self.serviceSignature = serviceSignature
        self.correlationID = correlationID
        self.entityID = entityID
        self.command = command
    }

    /// A relay's response or event, which carries no authenticator.
    ///
    /// - Throws: `SMPEncodingError`.
    public init(
        _ message: BrokerMessage, correlationID: CorrelationID, entityID: EntityID, version: SMPVersion
    ) throws {
        self.init(correlationID: correlationID, entityID: entityID, command: try message.encoded(version))
    }

    /// A client's request, authenticated with `key` if there is one.
    ///
    /// - Parameters:
    ///   - key: the private half of the queue's key; nil for commands without authenticator.
    ///   - serverKey: the relay's session key, needed when `key` is of X25519.
    /// - Throws: `SMPEncodingError`, or an error of Cryptography.
    public init(
        _ command: Command, correlationID: CorrelationID = .random(), entityID: EntityID, version: SMPVersion,
        sessionID: [UInt8], key: AuthenticationPrivateKey?, serverKey: X25519.PublicKey?
    ) throws {
        self.init(correlationID: correlationID, entityID: entityID, command: try command.encoded(version))
        guard let key else { return }
        authenticator = try Authenticator.sign(
            signedBytes(sessionID: sessionID), correlationID: correlationID, key: key, serverKey: serverKey)
    }

    /// The bytes every authenticator is made over: session id, correlation id, entity id, command.
    ///
    /// - Parameter serviceFingerprint: SHA-256 of the service's identity certificate, when the entity key signs for a
    ///   service; the service's own signature leaves it out.
    /// - Throws: `SMPEncodingError.tooLong` for ids of more than 255 bytes.
    public func signedBytes(sessionID: [UInt8], serviceFingerprint: [UInt8] = []) throws -> [UInt8] {
        try ByteWriter.build { writer in
            writer.raw(serviceFingerprint)
            try writer.bytes(sessionID)
            try writeBody(&writer)
        }
    }

    /// The transmission without the length a batch puts first.
    ///
    /// - Parameter sessionID: sent in version 6 only.
    /// - Throws: `SMPEncodingError`.
    public func encoded(_ version: SMPVersion, sessionID: [UInt8] = []) throws -> [UInt8] {
        try ByteWriter.build { writer in
            try writer.bytes(authenticator)
            if version >= .services && !authenticator.isEmpty {
                try writer.maybe(serviceSignature) { try $0.bytes($1) }
            }
            if version < .authenticatedCommands { try writer.bytes(sessionID) }
            try writeBody(&writer)
        }
    }

    /// Reads a transmission.
    ///
    /// - Parameter sessionID: compared with the one sent in version 6.
    /// - Throws: `TransmissionFault`, which is also what a relay answers.
    public init(decoding bytes: [UInt8], version: SMPVersion, sessionID: [UInt8] = []) throws {
        var fault = TransmissionFault(error: .block, correlationID: .none)
        do {
            var reader = ByteReader(bytes)
            authenticator = try reader.bytes()
            serviceSignature =
                version >= .services && !authenticator.isEmpty ? try reader.maybe { try $0.serviceSignature() } : nil
            let sentSession = version < .authenticatedCommands ? try reader.bytes() : sessionID
            correlationID = CorrelationID(try reader.bytes())
            entityID = try reader.entityID()
            command = reader.tail()
            fault.correlationID = correlationID
            guard sentSession == sessionID else {
                fault.error = .session
                throw fault
            }
            guard Authenticator.lengths.contains(authenticator.count) else { throw fault }
        } catch {
            throw fault
        }
    }

    private func writeBody(_ writer: inout ByteWriter) throws {
        try writer.bytes(correlationID.bytes)
        try writer.entityID(entityID)
        writer.raw(command)
    }
}

extension ByteReader {
    fileprivate mutating func serviceSignature() throws -> [UInt8] {
        let signature = try bytes()
        guard signature.count == Ed25519.signatureCount else { throw SMPDecodingError.invalid("service signature") }
        return signature
    }
}

/// A transmission that cannot be taken; the relay answers `error` with this correlation id and no entity
/// (SMP fact sheet §8.1).
public struct TransmissionFault: Error, Hashable, Sendable {
    /// `BLOCK`, or `SESSION` in version 6.
    public var error: SMPError
    /// Empty when not even the correlation id could be read.
    public var correlationID: CorrelationID

    public init(error: SMPError, correlationID: CorrelationID) {
        self.error = error
        self.correlationID = correlationID
    }
}
