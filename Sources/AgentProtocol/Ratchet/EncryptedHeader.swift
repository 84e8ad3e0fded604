import Cryptography
import SMP

/// An encrypted header: current version, IV, tag and body.
struct EncryptedHeader: Sendable, Equatable {
    let version: UInt16
    let iv: [UInt8]
    let tag: [UInt8]
    let body: [UInt8]

    /// Encrypts `header` under a header key.
    init(
        sealing header: RatchetHeader, version: UInt16, key: SecretBytes, iv: [UInt8], associatedData: [UInt8]
    ) throws {
        let sealed = try AESGCM.seal(
            header.encoded(version: version), key: key, iv: iv, authenticatedData: associatedData)
        self.version = version
        self.iv = iv
        tag = sealed.tag
        body = sealed.ciphertext
    }

    /// - Throws: `RatchetError.malformed`, also for versions nobody has agreed on.
    init(decoding bytes: [UInt8]) throws(RatchetError) {
        do {
            var reader = ByteReader(bytes)
            version = try reader.word16()
            iv = try reader.raw(RatchetKDF.ivCount)
            tag = try reader.raw(AESGCM.tagCount)
            body = try reader.versionedLength()
            guard reader.isAtEnd else { throw RatchetError.malformed }
        } catch {
            throw .malformed
        }
        guard RatchetVersions.supported.contains(version) else { throw .malformed }
    }

    /// The bytes that go into the associated data of the body.
    func encoded() throws -> [UInt8] {
        var writer = ByteWriter()
        writer.word16(version)
        writer.raw(iv)
        writer.raw(tag)
        try writer.versionedLength(body, version: version)
        return writer.written
    }

    /// Decrypts with one key: nil when it is not the key of this header.
    ///
    /// - Throws: `RatchetError.malformed` when the key fits and the content has another layout.
    func open(key: SecretBytes, associatedData: [UInt8]) throws(RatchetError) -> RatchetHeader? {
        let plain = try? AESGCM.open(body, key: key, iv: iv, authenticatedData: associatedData, tag: tag)
        guard let plain else { return nil }
        return try RatchetHeader(decoding: plain, version: version)
    }
}
