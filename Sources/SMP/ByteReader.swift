import Cryptography

/// Reads the basic encodings (SMP fact sheet §1) from received bytes; every method throws `SMPDecodingError`.
public struct ByteReader: Sendable {
    private var rest: ArraySlice<UInt8>

    /// Starts at the first byte.
    public init(_ bytes: [UInt8]) { rest = bytes[...] }

    /// Starts at the first byte of a slice.
    public init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// Bytes not read yet.
    public var remaining: Int { rest.count }

    /// Whether everything has been read.
    public var isAtEnd: Bool { rest.isEmpty }

    /// The next byte, left in place.
    public var next: UInt8? { rest.first }

    /// Checks that everything has been read.
    public func finish() throws {
        guard rest.isEmpty else { throw SMPDecodingError.trailingBytes }
    }

    /// One byte.
    public mutating func byte() throws -> UInt8 {
        guard let byte = rest.popFirst() else { throw SMPDecodingError.truncated }
        return byte
    }

    /// `count` bytes without a length.
    public mutating func raw(_ count: Int) throws -> [UInt8] {
        guard count >= 0, rest.count >= count else { throw SMPDecodingError.truncated }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    /// Whether the next bytes are `prefix`; if so they are read.
    public mutating func skip(_ prefix: some Collection<UInt8>) -> Bool {
        guard rest.starts(with: prefix) else { return false }
        rest = rest.dropFirst(prefix.count)
        return true
    }

    /// The bytes up to `separator` or the end; the separator stays.
    public mutating func word(upTo separator: UInt8 = UInt8(ascii: " ")) -> [UInt8] {
        let word = rest.prefix { $0 != separator }
        rest = rest.dropFirst(word.count)
        return Array(word)
    }

    /// One space.
    public mutating func space() throws {
        guard let byte = rest.popFirst() else { throw SMPDecodingError.truncated }
        guard byte == UInt8(ascii: " ") else { throw SMPDecodingError.invalid("separator") }
    }

    /// `w16`.
    public mutating func word16() throws -> UInt16 {
        try raw(2).reduce(0) { $0 << 8 | UInt16($1) }
    }

    /// `w32`.
    public mutating func word32() throws -> UInt32 {
        try raw(4).reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// `i64`; also `time`, in seconds since 1970.
    public mutating func int64() throws -> Int64 {
        Int64(bitPattern: try raw(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) })
    }

    /// `bytes`: one length byte.
    public mutating func bytes() throws -> [UInt8] {
        try raw(Int(byte()))
    }

    /// `large`: two length bytes.
    public mutating func large() throws -> [UInt8] {
        try raw(Int(word16()))
    }

    /// `tail`: everything left.
    public mutating func tail() -> [UInt8] {
        defer { rest = [] }
        return Array(rest)
    }

    /// `bool`.
    public mutating func bool() throws -> Bool {
        switch try byte() {
        case UInt8(ascii: "T"): true
        case UInt8(ascii: "F"): false
        default: throw SMPDecodingError.invalid("truth value")
        }
    }

    /// `maybe`: nothing, or what `value` reads.
    public mutating func maybe<Value>(_ value: (inout ByteReader) throws -> Value) throws -> Value? {
        switch try byte() {
        case UInt8(ascii: "0"): nil
        case UInt8(ascii: "1"): try value(&self)
        default: throw SMPDecodingError.invalid("optional value")
        }
    }

    /// `list`: a count byte, then the items.
    public mutating func list<Value>(_ value: (inout ByteReader) throws -> Value) throws -> [Value] {
        let count = try byte()
        var items: [Value] = []
        for _ in 0..<count { items.append(try value(&self)) }
        return items
    }

    /// `nonempty`: a list of at least one item.
    public mutating func nonempty<Value>(_ value: (inout ByteReader) throws -> Value) throws -> [Value] {
        let items = try list(value)
        guard !items.isEmpty else { throw SMPDecodingError.invalid("empty list") }
        return items
    }

    /// `text`: short UTF-8.
    public mutating func text() throws -> String {
        guard let text = String(validating: try bytes(), as: UTF8.self) else {
            throw SMPDecodingError.invalid("text")
        }
        return text
    }
}
