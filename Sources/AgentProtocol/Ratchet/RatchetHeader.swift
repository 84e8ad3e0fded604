import Cryptography
import SMP

/// What the header of a ratchet message says (Agent fact sheet §6).
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

    /// Padded to `paddedCount`.
    ///
    /// - Parameter version: the current one, written in front of the encrypted header; it decides the layout.
    func encoded(version: UInt16) throws -> [UInt8] {
        try Padding.pad(unpadded(version: version), to: Self.paddedCount)
    }

    func unpadded(version: UInt16) throws -> [UInt8] {
        var writer = ByteWriter()
        writer.word16(maximumVersion)
        try writer.bytes(publicKey.derRepresentation)
        if version >= RatchetVersions.withKEMFields { try writer.maybe(kem) { try $1.encode(to: &$0) } }
        writer.word32(previousCount)
        writer.word32(number)
        return writer.written
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
