import AgentProtocol
import Cryptography
import SMP

// Requests at contact addresses, on both sides (Agent fact sheet §4.3).
extension ConnectionStep {
    /// A request came in at this address; one that came before is ignored.
    ///
    /// - Throws: `AgentError`, `StoreError`.
    mutating func receiveRequest(_ message: ClientMessage, at time: Int64) throws {
        isRepeat = try transaction.hasContent(message.body, connection: record.id)
        guard !isRepeat else { return }
        let envelope = try Self.agentEnvelope(message.body)
        guard case .invitation(let link, let information) = envelope.content, link.ratchetOffer != nil else {
            throw AgentError.unexpectedMessage
        }
        guard AgentVersions.supported.contains(envelope.agentVersion) else { throw AgentError.incompatibleVersion }
        let request = try transaction.insert(
            RequestRecord(
                address: record.id, brokerTime: time, link: try link.encoded(), information: information))
        effects.events.append(.request(ContactRequest(request)))
    }

    /// The envelope of the own request: not encrypted by a ratchet.
    func requestEnvelope(_ row: OutgoingRecord) throws -> [UInt8] {
        guard let own = try transaction.receiveQueues(of: record.id).first, let stored = record.agreementKeys else {
            throw DeliveryFailure.rejected("no own queue")
        }
        let link = try stored.withWipedCopy { try own.invitation(RatchetKeyPairs(decoding: $0)) }
        return try AgentEnvelope(
            agentVersion: handshake.agentVersion, content: .invitation(link: link, information: row.body)
        ).encoded()
    }

    /// The answer is here: nothing is sent to the contact address any more.
    func forgetRequest() throws {
        for queue in try transaction.sendQueues(of: record.id) { try transaction.deleteSendQueue(queue.id) }
        for entry in try transaction.deliveryEntries(of: record.id)
        where try transaction.outgoing(entry.id)?.kind == .request {
            try transaction.deleteOutgoing(entry.id)
        }
    }
}
