import SMP

/// The part of short-link data its owner may change (Agent fact sheet §2.3).
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
