import Cryptography
import SMP

/// The part of short-link data that never changes; its hash is the link's key (Agent fact sheet §2.3).
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
