import SMP

/// What agents send each other inside the per-queue box (Agent fact sheet §3).
package struct AgentEnvelope: Hashable, Sendable {
    /// What an envelope carries.
    package enum Content: Hashable, Sendable {
        /// `C`: the answer to a link, or the answer to that; `parameters` only in the joiner's.
        case confirmation(parameters: RatchetParameters?, encrypted: [UInt8])
        /// `M`: a ratchet message.
        case message(encrypted: [UInt8])
        /// `I`: a request sent to a contact address; not encrypted by a ratchet.
        case invitation(link: ConnectionLink, information: [UInt8])
        /// `R`: new keys for a ratchet out of step; not encrypted by a ratchet.
        case ratchetKey(parameters: RatchetParameters, information: [UInt8])
    }

    /// Agreed version in confirmations, the sender's highest in messages.
    package let agentVersion: UInt16
    package let content: Content

    package init(agentVersion: UInt16, content: Content) {
        self.agentVersion = agentVersion
        self.content = content
    }

    /// - Throws: `AgentDecodingError`.
    package init(decoding bytes: [UInt8]) throws(AgentDecodingError) {
        self = try decodeAll(bytes) { reader in
            let version = try reader.word16()
            return AgentEnvelope(agentVersion: version, content: try Content(from: &reader))
        }
    }

    package func encoded() throws -> [UInt8] {
        var writer = ByteWriter()
        writer.word16(agentVersion)
        try content.encode(to: &writer)
        return writer.written
    }
}

extension AgentEnvelope.Content {
    fileprivate init(from reader: inout ByteReader) throws {
        switch try reader.byte() {
        case UInt8(ascii: "C"):
            let parameters = try reader.maybe { try RatchetParameters(from: &$0) }
            self = .confirmation(parameters: parameters, encrypted: reader.tail())
        case UInt8(ascii: "M"): self = .message(encrypted: reader.tail())
        case UInt8(ascii: "I"):
            guard let text = String(validating: try reader.large(), as: UTF8.self) else {
                throw AgentDecodingError.malformed
            }
            self = .invitation(link: try ConnectionLink(parsing: text), information: reader.tail())
        case UInt8(ascii: "R"):
            let parameters = try RatchetParameters(from: &reader)
            self = .ratchetKey(parameters: parameters, information: reader.tail())
        default: throw AgentDecodingError.unknownTag
        }
    }

    fileprivate func encode(to writer: inout ByteWriter) throws {
        switch self {
        case .confirmation(let parameters, let encrypted):
            writer.raw("C")
            try writer.maybe(parameters) { try $1.encode(to: &$0) }
            writer.raw(encrypted)
        case .message(let encrypted):
            writer.raw("M")
            writer.raw(encrypted)
        case .invitation(let link, let information):
            writer.raw("I")
            try writer.large(Array(link.text().utf8))
            writer.raw(information)
        case .ratchetKey(let parameters, let information):
            writer.raw("R")
            try parameters.encode(to: &writer)
            writer.raw(information)
        }
    }
}
