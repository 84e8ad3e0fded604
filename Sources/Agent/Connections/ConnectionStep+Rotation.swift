import AgentProtocol
import Cryptography
import SMP

// The peer moves its queue to another relay; this side answers as the sender (Agent fact sheet §11).
extension ConnectionStep {
    /// `QA`: the peer offers a new queue. Keys are made and told (`QK`) on the old one.
    ///
    /// - Throws: `AgentError.incompatibleVersion`, `.unexpectedMessage`, `StoreError`.
    mutating func receiveOffer(of offers: [AMessage.NewQueue]) throws {
        guard let current = try transaction.sendQueue(of: record.id) else { throw AgentError.unexpectedMessage }
        let here = try current.address
        // An offer in place of a queue that is not in use is of no use either.
        guard let offer = offers.first(where: { $0.replaced.map { $0.isSame(as: here) } ?? true }) else {
            throw AgentError.unexpectedMessage
        }
        guard let info = offer.queue.info() else { throw AgentError.incompatibleVersion }
        for old in try transaction.sendQueues(of: record.id) where old.isCandidate {
            try transaction.deleteSendQueue(old.id)
        }
        var queue = try SendQueueRecord(connection: record.id, to: info)
        queue.isCandidate = true
        let stored = try transaction.insert(queue)
        let key = try X25519.PrivateKey(rawRepresentation: stored.queueKey).publicKey
        let signingKey = try Ed25519.PrivateKey(rawRepresentation: stored.authenticationKey).publicKey
        let answer = AMessage.QueueKey(
            queue: QueueInfo(version: info.version, address: info.address, key: key, mode: info.mode),
            authenticationKey: .ed25519(signingKey))
        try self.queue(.queueRotation, body: AMessage.queueKeys([answer]).stored(), notify: false)
    }

    /// `QU`: the peer has secured the new queue. From here on everything goes there, first of all `QT`.
    ///
    /// - Throws: `AgentError.unexpectedMessage`, `StoreError`.
    mutating func move(to queues: [AMessage.UsedQueue]) throws {
        for candidate in try transaction.sendQueues(of: record.id) where candidate.isCandidate {
            let address = try candidate.address
            guard queues.contains(where: { $0.address.isSame(as: address) }) else { continue }
            try transaction.promoteSendQueue(candidate)
            handshake.peerQueueIsFast = candidate.isFast
            effects.newSendRelay = address.relay
            // Whatever waited for room in the old queue need not wait any more.
            effects.isContinued = true
            try queue(.queueRotation, body: AMessage.testQueues([address]).stored(), notify: false)
            return
        }
        throw AgentError.unexpectedMessage
    }
}

extension SendQueueRecord {
    /// Where the peer receives.
    var address: QueueAddress {
        get throws {
            QueueAddress(relay: try RelayAddress(parsing: relay).withoutPassword, senderID: EntityID(senderID))
        }
    }
}

extension QueueAddress {
    /// Whether both name the same queue of the same relay; the relay's host names may be written differently.
    func isSame(as other: QueueAddress) -> Bool {
        senderID == other.senderID && relay.keyHash == other.relay.keyHash
    }
}
