import Cryptography

/// Writes the basic encodings (SMP fact sheet §1); methods that put a length first throw `SMPEncodingError.tooLong`.
public struct ByteWriter: Sendable {
    /// What has been written.
    public private(set) var written: [UInt8] = []

    public init() {}

    /// Bytes as they are: `tail`, tags, nonces.
    public mutating func raw(_ bytes: some Sequence<UInt8>) {
        written.append(contentsOf: bytes)
    }

    /// ASCII text as it is.
    public mutating func raw(_ text: String) {
        written.append(contentsOf: text.utf8)
    }

    /// One byte.
    public mutating func byte(_ byte: UInt8) {
        written.append(byte)
    }

    /// `w16`.
    public mutating func word16(_ value: UInt16) {
        raw(withUnsafeBytes(of: value.bigEndian, Array.init))
    }

    /// `w32`.
    public mutating func word32(_ value: UInt32) {
        raw(withUnsafeBytes(of: value.bigEndian, Array.init))
    }

    /// `i64`; also `time`, in seconds since 1970.
    public mutating func int64(_ value: Int64) {
        raw(withUnsafeBytes(of: value.bigEndian, Array.init))
    }

    /// `bytes`: at most 255.
    public mutating func bytes(_ bytes: [UInt8]) throws {
        guard let count = UInt8(exactly: bytes.count) else { throw SMPEncodingError.tooLong }
        byte(count)
        raw(bytes)
    }

    /// `large`: at most 65,535.
    public mutating func large(_ bytes: [UInt8]) throws {
        guard let count = UInt16(exactly: bytes.count) else { throw SMPEncodingError.tooLong }
        word16(count)
        raw(bytes)
    }

    /// `bool`.
    public mutating func bool(_ value: Bool) {
        byte(UInt8(ascii: value ? "T" : "F"))
    }

    /// `maybe`.
    public mutating func maybe<Value>(_ value: Value?, _ write: (inout ByteWriter, Value) throws -> Void) rethrows {
        guard let value else { return byte(UInt8(ascii: "0")) }
        byte(UInt8(ascii: "1"))
        try write(&self, value)
    }

    /// `list` and `nonempty`: at most 255 items.
    public mutating func list<Value>(_ items: [Value], _ write: (inout ByteWriter, Value) throws -> Void) throws {
        guard let count = UInt8(exactly: items.count) else { throw SMPEncodingError.tooLong }
        byte(count)
        for item in items { try write(&self, item) }
    }

    /// `text`.
    public mutating func text(_ text: String) throws {
        try bytes(Array(text.utf8))
    }

    /// `version`.
    public mutating func version(_ version: SMPVersion) {
        word16(version.rawValue)
    }

    /// `vrange`.
    mutating func versionRange(_ range: SMPVersionRange) {
        version(range.min)
        version(range.max)
    }

    /// Public key in DER behind one length byte.
    public mutating func key(_ key: X25519.PublicKey) throws {
        try bytes(key.derRepresentation)
    }

    /// Public key in DER behind one length byte.
    public mutating func key(_ key: AuthenticationPublicKey) throws {
        try bytes(key.derRepresentation)
    }

    /// Identifier of a queue, a link, a notifier or a service.
    public mutating func entityID(_ id: EntityID) throws {
        try bytes(id.bytes)
    }

    /// What `write` writes.
    public static func build(_ write: (inout ByteWriter) throws -> Void) rethrows -> [UInt8] {
        var writer = ByteWriter()
        try write(&writer)
        return writer.written
    }
}
