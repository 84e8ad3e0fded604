/// What a relay says first inside TLS (SMP fact sheet §4). Trailing bytes are ignored, as later versions may add some.
public struct ServerHello: Hashable, Sendable {
    /// The versions the relay offers.
    public var versions: SMPVersionRange
    /// The client's TLS Finished.
    public var sessionID: [UInt8]
    /// Chain and session key; only relays of versions below 7 have none.
    public var key: CertifiedKey?

    public init(versions: SMPVersionRange, sessionID: [UInt8], key: CertifiedKey?) {
        self.versions = versions
        self.sessionID = sessionID
        self.key = key
    }

    /// Reads the unpadded hello.
    ///
    /// - Throws: `SMPDecodingError`.
    public init(decoding bytes: [UInt8]) throws {
        var reader = ByteReader(bytes)
        versions = try reader.versionRange()
        sessionID = try reader.bytes()
        key = versions.max >= .authenticatedCommands && !reader.isAtEnd ? try reader.certifiedKey() : nil
    }

    /// The hello before padding.
    ///
    /// - Throws: `SMPEncodingError`.
    public func encoded() throws -> [UInt8] {
        try ByteWriter.build { writer in
            writer.versionRange(versions)
            try writer.bytes(sessionID)
            if versions.max >= .authenticatedCommands, let key { try writer.certifiedKey(key) }
        }
    }
}
