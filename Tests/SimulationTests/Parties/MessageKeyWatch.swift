import Cryptography

@testable import Agent
@testable import AgentProtocol

/// Remembers with which keys messages have left, over all lives of a person and all copies of its store.
///
/// The vector in the header of a ratchet message comes out of the same step of the chain as the key of its body (Agent fact
/// sheet §6), so it names the key without telling it.
struct MessageKeyWatch {
    private var seen: [[UInt8]: [UInt8]] = [:]

    /// The ratchet message inside a SEND body; nil when there is none.
    static func message(in body: [UInt8], _ queue: SendQueueRecord) -> [UInt8]? {
        guard let envelope = try? QueueEnvelope(decoding: body),
            let opened = try? envelope.open(secret: queue.queueSecret),
            let agent = try? AgentEnvelope(decoding: opened.body)
        else { return nil }
        switch agent.content {
        case .message(let encrypted): return encrypted
        case .confirmation(_, let encrypted): return encrypted
        case .invitation, .ratchetKey: return nil
        }
    }

    /// False when the key of this message has encrypted another one.
    mutating func sees(_ message: [UInt8]) -> Bool {
        guard let parts = try? RatchetMessage(decoding: message),
            let header = try? EncryptedHeader(decoding: parts.header)
        else { return true }
        let digest = Digest.sha256(message)
        guard let before = seen[header.iv] else {
            seen[header.iv] = digest
            return true
        }
        return before == digest
    }
}
