import SMP

/// A full connection link: where and with which keys its maker can be reached (Agent fact sheet §2.2).
public struct ConnectionLink: Hashable, Sendable {
    /// What the link is for.
    public enum Kind: Hashable, Sendable {
        /// For one person, with the keys the ratchet starts from.
        case invitation(RatchetOffer)
        /// A permanent address that anybody may send a request to.
        case contact
    }

    /// What the link is for.
    public let kind: Kind
    /// Versions of the agent's messages the maker supports.
    public let agentVersions: VersionRange
    /// At least one queue.
    public let queues: [QueueURI]
    /// Text an application put into the link.
    public let applicationData: String?

    /// A link.
    ///
    /// - Parameter queues: one to 255; longer lists are cut.
    public init(
        kind: Kind, agentVersions: VersionRange = AgentVersions.supported, queue: QueueURI,
        furtherQueues: [QueueURI] = [], applicationData: String? = nil
    ) {
        self.kind = kind
        self.agentVersions = agentVersions
        self.queues = [queue] + furtherQueues.prefix(254)
        self.applicationData = applicationData
    }

    /// The queue to send to first.
    public var queue: QueueURI { queues[0] }

    /// The keys of an invitation.
    public var ratchetOffer: RatchetOffer? {
        if case .invitation(let offer) = kind { offer } else { nil }
    }

    /// The highest agent version both sides know, or nil when there is none.
    public var agreedAgentVersion: UInt16? { agentVersions.intersection(AgentVersions.supported)?.maximum }
}

// The binary form, inside short-link data.
extension ConnectionLink {
    /// Reads the binary form.
    ///
    /// - Throws: `AgentDecodingError`.
    public init(decoding bytes: [UInt8]) throws(AgentDecodingError) {
        self = try decodeAll(bytes) { try ConnectionLink(from: &$0) }
    }

    /// The binary form.
    public func encoded() throws -> [UInt8] {
        var writer = ByteWriter()
        try encode(to: &writer)
        return writer.written
    }

    init(from reader: inout ByteReader) throws {
        let letter = try reader.byte()
        guard letter == UInt8(ascii: "I") || letter == UInt8(ascii: "C") else { throw AgentDecodingError.unknownTag }
        let versions = try VersionRange(from: &reader)
        let queues = try reader.nonempty { try QueueURI(from: &$0) }
        let data = try reader.maybe { reader in
            guard let text = String(validating: try reader.large(), as: UTF8.self) else {
                throw AgentDecodingError.malformed
            }
            return text
        }
        let kind: Kind = letter == UInt8(ascii: "I") ? .invitation(try RatchetOffer(from: &reader)) : .contact
        try self.init(kind: kind, versions: versions, queues: queues, applicationData: data)
    }

    func encode(to writer: inout ByteWriter) throws {
        writer.byte(kind == .contact ? UInt8(ascii: "C") : UInt8(ascii: "I"))
        try agentVersions.encode(to: &writer)
        try writer.list(queues) { try $1.encode(to: &$0) }
        try writer.maybe(applicationData) { try $0.large(Array($1.utf8)) }
        try ratchetOffer?.encode(to: &writer)
    }

    /// What both forms share: at least one queue, and agent version 1 read as 2 in contact links.
    init(
        kind: Kind, versions: VersionRange, queues: [QueueURI], applicationData: String?
    ) throws(AgentDecodingError) {
        guard let queue = queues.first, queues.count <= 255 else { throw .malformed }
        let isOld = kind == .contact && versions.minimum < 2 && versions.maximum >= 2
        self.init(
            kind: kind, agentVersions: isOld ? VersionRange(minimum: 2, maximum: versions.maximum) : versions,
            queue: queue, furtherQueues: Array(queues.dropFirst()), applicationData: applicationData)
    }
}
