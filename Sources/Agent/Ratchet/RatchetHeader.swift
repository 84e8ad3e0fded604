import Cryptography
import SMP

/// What the header of a ratchet message says (agent fact sheet §6).
struct RatchetHeader: Sendable, Equatable {
    /// Padded length without post-quantum keys; version 2 and 3 alike.
    static let paddedCount = 88

    /// The sender's highest version.
    var maximumVersion: UInt16
    /// The sender's current Diffie-Hellman key.
    var publicKey: X448.PublicKey
    /// Only from version 3 on.
    var kem: KEMParameters?
    /// "PN": messages in the sender's previous chain.
    var previousCount: UInt32
    /// "Ns": number of this message in its chain, from 0.
    var number: UInt32

    /// - Parameter version: the current one, written in front of the encrypted header; it decides the layout.
    func encoded(version: UInt16) throws -> [UInt8] {
        var writer = ByteWriter()
        writer.word16(maximumVersion)
        try writer.bytes(publicKey.derRepresentation)
        if version >= RatchetVersions.withKEMFields { try writer.maybe(kem) { try $1.encode(to: &$0) } }
        writer.word32(previousCount)
        writer.word32(number)
        return try Padding.pad(writer.written, to: Self.paddedCount)
    }

    /// - Throws: `RatchetError.malformed`.
    init(decoding padded: [UInt8], version: UInt16) throws(RatchetError) {
        do {
            var reader = ByteReader(try Padding.unpad(padded))
            maximumVersion = try reader.word16()
            publicKey = try X448.PublicKey(der: reader.bytes())
            if version >= RatchetVersions.withKEMFields {
                kem = try reader.maybe { try KEMParameters(from: &$0) }
            }
            previousCount = try reader.word32()
            number = try reader.word32()
        } catch {
            throw .malformed
        }
    }

    init(maximumVersion: UInt16, publicKey: X448.PublicKey, previousCount: UInt32, number: UInt32) {
        self.maximumVersion = maximumVersion
        self.publicKey = publicKey
        self.previousCount = previousCount
        self.number = number
    }
}

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

extension ByteReader {
    /// Bytes with a two-byte length when its first byte is below 32, else with a one-byte length, so that versions may
    /// change between messages (agent fact sheet §6).
    fileprivate mutating func versionedLength() throws -> [UInt8] {
        let first = try byte()
        guard first < 32 else { return try raw(Int(first)) }
        return try raw(Int(first) << 8 | Int(try byte()))
    }
}

extension ByteWriter {
    fileprivate mutating func versionedLength(_ bytes: [UInt8], version: UInt16) throws {
        if version >= RatchetVersions.withKEMFields { try large(bytes) } else { try self.bytes(bytes) }
    }
}
