import Cryptography
import SMP

/// The public keys in an invitation link, with the versions its maker supports (Agent fact sheet §2.2).
public struct RatchetOffer: Hashable, Sendable {
    /// Versions of the end-to-end encryption.
    public let versions: VersionRange
    /// First X448 key ("r1").
    public let firstKey: X448.PublicKey
    /// Second X448 key ("r2").
    public let secondKey: X448.PublicKey
    /// A post-quantum key; read, written back, not used.
    public let kem: KEMParameters?

    /// An offer of these keys.
    public init(
        versions: VersionRange, firstKey: X448.PublicKey, secondKey: X448.PublicKey, kem: KEMParameters? = nil
    ) {
        self.versions = versions
        self.firstKey = firstKey
        self.secondKey = secondKey
        self.kem = kem
    }

    /// The keys with the highest version both sides know.
    ///
    /// - Throws: `RatchetError.incompatibleVersion` when there is none.
    package func parameters(
        for own: VersionRange = RatchetVersions.advertised
    ) throws(RatchetError) -> RatchetParameters {
        guard let common = versions.intersection(own) else { throw .incompatibleVersion }
        return RatchetParameters(version: common.maximum, firstKey: firstKey, secondKey: secondKey, kem: kem)
    }

    init(from reader: inout ByteReader) throws {
        versions = try VersionRange(from: &reader)
        firstKey = try X448.PublicKey(der: reader.bytes())
        secondKey = try X448.PublicKey(der: reader.bytes())
        kem = try reader.maybe { try KEMParameters(from: &$0) }
    }

    func encode(to writer: inout ByteWriter) throws {
        try versions.encode(to: &writer)
        try writer.bytes(firstKey.derRepresentation)
        try writer.bytes(secondKey.derRepresentation)
        try writer.maybe(kem) { try $1.encode(to: &$0) }
    }
}
