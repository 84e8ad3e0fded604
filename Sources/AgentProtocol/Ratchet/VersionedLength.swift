import SMP

extension ByteReader {
    /// Bytes with a two-byte length when its first byte is below 32, else with a one-byte length, so that versions may
    /// change between messages (Agent fact sheet §6).
    mutating func versionedLength() throws -> [UInt8] {
        let first = try byte()
        guard first < 32 else { return try raw(Int(first)) }
        return try raw(Int(first) << 8 | Int(try byte()))
    }
}

extension ByteWriter {
    mutating func versionedLength(_ bytes: [UInt8], version: UInt16) throws {
        if version >= RatchetVersions.withKEMFields { try large(bytes) } else { try self.bytes(bytes) }
    }
}
