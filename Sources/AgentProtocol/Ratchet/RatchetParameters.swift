import Cryptography
import SMP

/// The public keys of one side with the version it chose: part of confirmations and ratchet-key messages
/// ("e2e params" of the Agent fact sheet §3).
package struct RatchetParameters: Hashable, Sendable {
    /// Version of the end-to-end encryption.
    package let version: UInt16
    package let firstKey: X448.PublicKey
    package let secondKey: X448.PublicKey
    /// Only from version 3 on.
    package let kem: KEMParameters?

    package init(version: UInt16, firstKey: X448.PublicKey, secondKey: X448.PublicKey, kem: KEMParameters? = nil) {
        self.version = version
        self.firstKey = firstKey
        self.secondKey = secondKey
        self.kem = kem
    }

    /// SHA-256 of both raw keys; decides who is who when both sides restart their ratchet (Agent fact sheet §10).
    package var keyHash: [UInt8] { Digest.sha256(firstKey.rawRepresentation + secondKey.rawRepresentation) }

    package init(from reader: inout ByteReader) throws {
        version = try reader.word16()
        firstKey = try X448.PublicKey(der: reader.bytes())
        secondKey = try X448.PublicKey(der: reader.bytes())
        if version >= RatchetVersions.withKEMFields {
            kem = try reader.maybe { try KEMParameters(from: &$0) }
        } else {
            kem = nil
        }
    }

    package func encode(to writer: inout ByteWriter) throws {
        writer.word16(version)
        try writer.bytes(firstKey.derRepresentation)
        try writer.bytes(secondKey.derRepresentation)
        if version >= RatchetVersions.withKEMFields {
            try writer.maybe(kem) { try $1.encode(to: &$0) }
        }
    }
}
