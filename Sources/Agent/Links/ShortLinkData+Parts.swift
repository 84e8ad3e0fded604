import Cryptography
import SMP

/// The part of short-link data that never changes; its hash is the link's key (agent fact sheet §2.3).
package struct LinkFixedData: Hashable, Sendable {
    package let agentVersions: VersionRange
    /// Signs both parts.
    package let rootKey: Ed25519.PublicKey
    package let link: ConnectionLink
    package let entityID: [UInt8]?

    package init(
        agentVersions: VersionRange, rootKey: Ed25519.PublicKey, link: ConnectionLink, entityID: [UInt8]? = nil
    ) {
        self.agentVersions = agentVersions
        self.rootKey = rootKey
        self.link = link
        self.entityID = entityID
    }

    /// What may follow is for later versions and ignored.
    ///
    /// - Throws: `AgentDecodingError`.
    package init(decoding bytes: [UInt8]) throws(AgentDecodingError) {
        self = try decodeAll(bytes) { reader in
            let versions = try VersionRange(from: &reader)
            let rootKey = try Ed25519.PublicKey(der: reader.bytes())
            let link = try ConnectionLink(from: &reader)
            let entityID = reader.isAtEnd ? nil : try reader.bytes()
            _ = reader.tail()
            return LinkFixedData(agentVersions: versions, rootKey: rootKey, link: link, entityID: entityID)
        }
    }

    package func encoded() throws -> [UInt8] {
        var writer = ByteWriter()
        try agentVersions.encode(to: &writer)
        try writer.bytes(rootKey.derRepresentation)
        try link.encode(to: &writer)
        if let entityID { try writer.bytes(entityID) }
        return writer.written
    }
}

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

/// The part of short-link data its owner may change (agent fact sheet §2.3).
package enum LinkUserData: Hashable, Sendable {
    case invitation(agentVersions: VersionRange, data: [UInt8])
    /// `isDirect`: requests may be sent without asking anybody else.
    case contact(agentVersions: VersionRange, isDirect: Bool, owners: [LinkOwner], data: [UInt8])

    /// - Throws: `AgentDecodingError`; `.unsupportedLinkData` for a list of relays, whose layout is not known.
    package init(decoding bytes: [UInt8]) throws(AgentDecodingError) {
        self = try decodeAll(bytes) { reader in
            let letter = try reader.byte()
            guard letter == UInt8(ascii: "I") || letter == UInt8(ascii: "C") else {
                throw AgentDecodingError.unknownTag
            }
            let versions = try VersionRange(from: &reader)
            if letter == UInt8(ascii: "I") {
                return .invitation(agentVersions: versions, data: try Self.readData(&reader))
            }
            let isDirect = try reader.bool()
            let owners = try reader.list { try LinkOwner(from: &$0) }
            guard try reader.byte() == 0 else { throw AgentDecodingError.unsupportedLinkData }
            return .contact(
                agentVersions: versions, isDirect: isDirect, owners: owners, data: try Self.readData(&reader))
        }
    }

    package func encoded() throws -> [UInt8] {
        var writer = ByteWriter()
        switch self {
        case .invitation(let versions, let data):
            writer.raw("I")
            try versions.encode(to: &writer)
            try Self.write(data, to: &writer)
        case .contact(let versions, let isDirect, let owners, let data):
            writer.raw("C")
            try versions.encode(to: &writer)
            writer.bool(isDirect)
            try writer.list(owners) { try $1.encode(to: &$0) }
            writer.byte(0)
            try Self.write(data, to: &writer)
        }
        return writer.written
    }

    /// What the application put there.
    package var data: [UInt8] {
        switch self {
        case .invitation(_, let data), .contact(_, _, _, let data): data
        }
    }

    /// Up to 254 bytes with a one-byte length, more after 255 and a two-byte length. What follows is ignored.
    private static func readData(_ reader: inout ByteReader) throws -> [UInt8] {
        let count = try reader.byte()
        let data = count == 255 ? try reader.large() : try reader.raw(Int(count))
        _ = reader.tail()
        return data
    }

    private static func write(_ data: [UInt8], to writer: inout ByteWriter) throws {
        if data.count > 254 {
            writer.byte(255)
            try writer.large(data)
        } else {
            try writer.bytes(data)
        }
    }
}
