import Cryptography
import SMP

/// Somebody besides the root key who may sign the user data of a contact link.
package struct LinkOwner: Hashable, Sendable {
    package let id: [UInt8]
    package let key: Ed25519.PublicKey
    /// Over id and key, by the root or an earlier owner.
    package let signature: [UInt8]

    package init(id: [UInt8], key: Ed25519.PublicKey, signature: [UInt8]) {
        self.id = id
        self.key = key
        self.signature = signature
    }

    /// What `signature` signs.
    package static func signedBytes(id: [UInt8], key: Ed25519.PublicKey) -> [UInt8] { id + key.derRepresentation }

    init(from reader: inout ByteReader) throws {
        self = try decodeAll(reader.bytes()) { reader in
            LinkOwner(
                id: try reader.bytes(), key: try Ed25519.PublicKey(der: reader.bytes()),
                signature: try reader.bytes())
        }
    }

    func encode(to writer: inout ByteWriter) throws {
        var inner = ByteWriter()
        try inner.bytes(id)
        try inner.bytes(key.derRepresentation)
        try inner.bytes(signature)
        try writer.bytes(inner.written)
    }

    /// The owners of `owners` whose signatures lead back to the root.
    static func valid(_ owners: [LinkOwner], rootKey: Ed25519.PublicKey) -> [LinkOwner] {
        owners.reduce(into: []) { valid, owner in
            let signed = signedBytes(id: owner.id, key: owner.key)
            let signers = [rootKey] + valid.map(\.key)
            if signers.contains(where: { $0.isValidSignature(owner.signature, for: signed) }) { valid.append(owner) }
        }
    }
}
