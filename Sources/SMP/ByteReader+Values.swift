import Cryptography

extension ByteReader {
    /// `version`.
    public mutating func version() throws -> SMPVersion {
        SMPVersion(rawValue: try word16())
    }

    /// `vrange`; a minimum above the maximum is refused.
    mutating func versionRange() throws -> SMPVersionRange {
        guard let range = SMPVersionRange(min: try version(), max: try version()) else {
            throw SMPDecodingError.invalid("version range")
        }
        return range
    }

    /// Public key of X25519, in DER behind one length byte.
    public mutating func agreementKey() throws -> X25519.PublicKey {
        let der = try bytes()
        guard let key = try? X25519.PublicKey(der: der) else { throw SMPDecodingError.invalid("X25519 key") }
        return key
    }

    /// Public key that authenticates commands, in DER behind one length byte.
    public mutating func authenticationKey() throws -> AuthenticationPublicKey {
        let der = try bytes()
        guard let key = try? AuthenticationPublicKey(der: der) else { throw SMPDecodingError.invalid("key") }
        return key
    }

    /// Key hash: 32 bytes behind a length byte.
    public mutating func keyHash() throws -> [UInt8] {
        let hash = try bytes()
        guard hash.count == RelayAddress.keyHashCount else { throw SMPDecodingError.invalid("key hash") }
        return hash
    }

    /// Identifier of a queue, a link, a notifier or a service.
    public mutating func entityID() throws -> EntityID {
        EntityID(try bytes())
    }

    /// Reads all of `bytes` with `value`; nothing may be left over.
    public static func all<Value>(
        of bytes: [UInt8], _ value: (inout ByteReader) throws -> Value
    ) throws -> Value {
        var reader = ByteReader(bytes)
        let result = try value(&reader)
        try reader.finish()
        return result
    }
}
