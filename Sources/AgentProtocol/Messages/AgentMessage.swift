import Cryptography
import SMP

/// The plaintext inside the ratchet (Agent fact sheet §3).
package enum AgentMessage: Hashable, Sendable {
    /// `I`: application information in the initiator's confirmation.
    case connectionInformation([UInt8])
    /// `D`: where to answer, and application information, in the joiner's confirmation.
    case connectionInformationReply(queues: [QueueInfo], information: [UInt8])
    /// `R`: only in ratchet-key envelopes.
    case ratchetInformation([UInt8])
    /// `M`: everything after the handshake, numbered and chained by hash.
    case message(id: Int64, previousHash: [UInt8], AMessage)

    /// - Throws: `AgentDecodingError`.
    package init(decoding bytes: [UInt8]) throws(AgentDecodingError) {
        self = try decodeAll(bytes) { reader in
            switch try reader.byte() {
            case UInt8(ascii: "I"): return .connectionInformation(reader.tail())
            case UInt8(ascii: "D"):
                let queues = try reader.nonempty { try QueueInfo(from: &$0) }
                return .connectionInformationReply(queues: queues, information: reader.tail())
            case UInt8(ascii: "R"): return .ratchetInformation(reader.tail())
            case UInt8(ascii: "M"):
                let id = try reader.int64()
                let hash = try reader.bytes()
                guard hash.isEmpty || hash.count == 32 else { throw AgentDecodingError.malformed }
                return .message(id: id, previousHash: hash, try AMessage(from: &reader))
            default: throw AgentDecodingError.unknownTag
            }
        }
    }

    package func encoded() throws -> [UInt8] {
        var writer = ByteWriter()
        switch self {
        case .connectionInformation(let information):
            writer.raw("I")
            writer.raw(information)
        case .connectionInformationReply(let queues, let information):
            writer.raw("D")
            try writer.list(queues) { try $1.encode(to: &$0) }
            writer.raw(information)
        case .ratchetInformation(let information):
            writer.raw("R")
            writer.raw(information)
        case .message(let id, let previousHash, let content):
            writer.raw("M")
            writer.int64(id)
            try writer.bytes(previousHash)
            try content.encode(to: &writer)
        }
        return writer.written
    }

    /// The size the ratchet pads this message to.
    package var paddedCount: Int {
        switch self {
        case .connectionInformation, .connectionInformationReply: PaddedCounts.connectionInformation
        case .ratchetInformation, .message: PaddedCounts.agentMessage
        }
    }
}
