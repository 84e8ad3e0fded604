import AgentProtocol
import Cryptography
import SMP

// This side moves its queue to another relay (Agent fact sheet §11).
extension ConnectionStep {
    /// Carries out what the rules decided.
    mutating func carryOut(_ actions: [RotationMachine.Action]) throws {
        for action in actions {
            switch action {
            case .relay(let step): effects.rotationSteps.append(step)
            case .offer: try offerCandidate()
            case .announce: try announceCandidate()
            case .finish: try finishMove()
            }
        }
    }

    /// The queue that takes the place of the one in use.
    func candidate() throws -> ReceiveQueueRecord? {
        try transaction.receiveQueues(of: record.id).first(where: \.isCandidate)
    }

    /// The queue whose place is taken; nil when it is gone already.
    func replacedQueue() throws -> ReceiveQueueRecord? {
        try transaction.receiveQueues(of: record.id).first { !$0.isCandidate }
    }

    /// `QK`: the peer's keys for the new queue. What belongs to no move is refused.
    ///
    /// - Throws: `AgentError.unexpectedMessage`, `.undecryptable`, `StoreError`.
    mutating func receiveKeys(_ keys: [AMessage.QueueKey]) throws {
        guard var queue = try candidate() else { throw AgentError.unexpectedMessage }
        let address = try queue.address
        guard let key = keys.first(where: { $0.queue.address.isSame(as: address) }) else {
            throw AgentError.unexpectedMessage
        }
        guard rotation.state == .offered else { return }
        queue.queueSecret = try Self.secret(queue.queueKey, key.queue.key)
        queue.peerAuthenticationKey = key.authenticationKey.derRepresentation
        try transaction.update(queue)
        try carryOut(rotation.keyReceived())
    }

    /// `QT`: nothing is left to do when it names an own queue.
    ///
    /// - Throws: `AgentError.unexpectedMessage`, `StoreError`.
    func receiveTest(of addresses: [QueueAddress]) throws {
        let own = try transaction.receiveQueues(of: record.id).map { try $0.address }
        guard addresses.contains(where: { address in own.contains { $0.isSame(as: address) } }) else {
            throw AgentError.unexpectedMessage
        }
    }

    private mutating func offerCandidate() throws {
        guard let queue = try candidate(), let old = try replacedQueue() else { return }
        let offer = AMessage.NewQueue(queue: try queue.uri(mode: .messaging), replaced: try old.address)
        try self.queue(.queueRotation, body: AMessage.addQueues([offer]).stored(), notify: false)
    }

    private mutating func announceCandidate() throws {
        guard let queue = try candidate() else { return }
        let used = AMessage.UsedQueue(address: try queue.address, isPrimary: true)
        try self.queue(.queueRotation, body: AMessage.useQueues([used]).stored(), notify: false)
    }

    private mutating func finishMove() throws {
        guard var queue = try candidate() else { return }
        queue.isCandidate = false
        try transaction.update(queue)
    }
}
