import Cryptography
import SMP

/// A whole ratchet message: encrypted header with length, tag and body.
struct RatchetMessage: Sendable, Equatable {
    /// Encoded `EncryptedHeader`.
    let header: [UInt8]
    let tag: [UInt8]
    let body: [UInt8]

    init(header: [UInt8], tag: [UInt8], body: [UInt8]) {
        self.header = header
        self.tag = tag
        self.body = body
    }

    /// - Throws: `RatchetError.malformed`.
    init(decoding bytes: [UInt8]) throws(RatchetError) {
        do {
            var reader = ByteReader(bytes)
            header = try reader.versionedLength()
            tag = try reader.raw(AESGCM.tagCount)
            body = reader.tail()
        } catch {
            throw .malformed
        }
    }

    /// - Parameter version: decides how the length is written.
    func encoded(version: UInt16) throws -> [UInt8] {
        var writer = ByteWriter()
        try writer.versionedLength(header, version: version)
        writer.raw(tag)
        writer.raw(body)
        return writer.written
    }
}
