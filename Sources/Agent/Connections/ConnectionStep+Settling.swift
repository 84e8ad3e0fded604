import AgentProtocol

// What becomes of messages: taken by the relay, given up, acknowledged by the application, received by the peer.
extension ConnectionStep {
    /// The peer's relay has taken a message.
    mutating func accepted(_ number: Int64) throws {
        guard let row = try transaction.outgoing(number) else { return }
        try transaction.deleteOutgoing(number)
        switch row.kind {
        case .confirmation: try carryOut(handshake.confirmationAccepted())
        case .hello: try carryOut(handshake.helloAccepted())
        case .request: handshake.requestAccepted()
        case .application: effects.events.append(.sent(record.id, number))
        case .quotaContinue, .queueRotation, .receipt, .ratchetKey, .ratchetReady: break
        }
    }

    /// A message will never be taken.
    mutating func givenUp(_ number: Int64, _ failure: DeliveryFailure) throws {
        guard let row = try transaction.outgoing(number) else { return }
        try transaction.deleteOutgoing(number)
        switch row.kind {
        case .confirmation, .hello, .request:
            try carryOut(handshake.failed(failure))
        case .application:
            effects.events.append(.failed(record.id, number, AgentError(failure)))
        case .ratchetKey, .ratchetReady:
            effects.events.append(.failed(record.id, nil, AgentError(failure)))
        case .quotaContinue, .queueRotation, .receipt: break
        }
    }

    /// The application is done with a message. Returns the message's queue, or nil when there was nothing to do.
    ///
    /// - Parameter receipt: whether the peer is told.
    mutating func acknowledge(_ message: Int64, receipt: Bool) throws -> Int64? {
        let stored = try transaction.received(message)
        guard let queue = try transaction.acknowledge(message, connection: record.id) else { return nil }
        if receipt, let body = stored?.receipt, handshake.agentVersion >= AgentVersions.receipts,
            handshake.takesAnswers, !record.isDeleting,
            try transaction.outgoingCount(.receipt, of: record.id) < Self.waitingReceipts
        {
            try self.queue(.receipt, body: body, notify: false)
        }
        return queue
    }

    /// The most receipts that wait for a peer whose relay takes none.
    private static let waitingReceipts = 64

    /// `V`: the peer has received messages. What it says twice, or of messages nobody remembers, is ignored.
    mutating func receive(_ receipts: [AMessage.Receipt]) throws {
        let sentCount = try record.chains.map { try Chains(decoding: $0) }?.sent.lastID ?? 0
        for receipt in receipts {
            if receipt.id > sentCount, synchronisation.state.allowsSending {
                // The peer has what this store never sent: it is a copy of an earlier state.
                do { try startSynchronisation(force: true) } catch AgentError.notReady {}
            }
            guard let sent = try transaction.sent(chainNumber: receipt.id, connection: record.id), sent.verdict == nil
            else { continue }
            let verdict: ReceiptVerdict = sent.hash == receipt.hash ? .matching : .badHash
            try transaction.setVerdict(verdict, sent: sent.id)
            effects.events.append(.received(record.id, sent.id, verdict))
        }
    }
}
