import Cryptography
import SMP

@testable import Agent
@testable import AgentProtocol

/// One side of a connection without any relay: its store, its steps, and by hand what the agent and the relays would do.
final class StepParty {
    let folder = TemporaryFolder()
    private(set) var store: AgentStore
    let id: ConnectionID
    var delivery = DeliveryMachine()
    var events: [AgentEvent] = []
    /// What relays were asked to do, in order.
    var relaySteps: [HandshakeMachine.RelayStep] = []
    /// What relays were asked to do for a queue that moves, in order.
    var rotationSteps: [RotationMachine.RelayStep] = []
    /// Numbers the machine wants sent.
    var wanted: [Int64] = []
    var time: Int64 = 1_000_000
    private var nextRelayID: UInt8 = 0
    let repliesFast: Bool

    private init(_ name: String, repliesFast: Bool) throws {
        id = ConnectionID(rawValue: name)
        self.repliesFast = repliesFast
        store = try AgentStore(directory: folder.path, key: testStoreKey)
    }

    static let relay = "smp://AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=@relay.example"

    func newQueue(isFast: Bool) -> ReceiveQueueRecord {
        ReceiveQueueRecord(
            connection: id, isFast: isFast, relay: Self.relay, recipientID: randomBytes(24),
            senderID: randomBytes(24), authenticationKey: Ed25519.PrivateKey().rawRepresentation,
            deliverySecret: .random(32), queueKey: X25519.PrivateKey().rawRepresentation)
    }

    /// The side that makes a link.
    static func initiator(isFast: Bool) throws -> (StepParty, ConnectionLink) {
        let party = try StepParty("initiator", repliesFast: true)
        let keys = RatchetKeyPairs()
        let queue = party.newQueue(isFast: isFast)
        try party.store.write { transaction in
            try transaction.insert(
                ConnectionRecord(
                    id: party.id, role: .initiator, state: .invited, agentVersion: 7, createdAt: party.time,
                    agreementKeys: SecretBytes(keys.encoded)))
            _ = try transaction.insert(queue)
        }
        let key = try X25519.PrivateKey(rawRepresentation: queue.queueKey).publicKey
        let uri = QueueURI(
            versions: QueueVersions.supported, address: try queue.address, key: key, mode: isFast ? .messaging : nil)
        return (party, ConnectionLink(kind: .invitation(keys.offer()), queue: uri))
    }

    /// The side that opens it.
    static func joiner(_ link: ConnectionLink, repliesFast: Bool, version: UInt16 = 7, info: [UInt8]) throws
        -> StepParty
    {
        let party = try StepParty("joiner", repliesFast: repliesFast)
        guard let offer = link.ratchetOffer, let info0 = link.queue.info() else { throw AgentError.invalidLink }
        let keys = RatchetKeyPairs()
        let ratchet = try Ratchet(joiner: keys, peer: offer.parameters())
        let queue = try SendQueueRecord(connection: party.id, to: info0)
        let handshake = HandshakeMachine.joiner(peerQueueIsFast: queue.isFast, agentVersion: version)
        try party.store.write { transaction in
            try transaction.insert(
                ConnectionRecord(
                    id: party.id, role: .joiner, state: handshake.state, agentVersion: version, createdAt: party.time,
                    agreementKeys: SecretBytes(keys.encoded), ratchet: SecretBytes(ratchet.encoded),
                    ownInformation: info))
            _ = try transaction.insert(queue)
        }
        try party.step { try $0.carryOut($0.handshake.resume()) }
        return party
    }

    /// A contact address.
    static func address() throws -> (StepParty, ConnectionLink) {
        let party = try StepParty("address", repliesFast: true)
        let queue = party.newQueue(isFast: false)
        try party.store.write { transaction in
            try transaction.insert(
                ConnectionRecord(
                    id: party.id, role: .initiator, state: .invited, agentVersion: 7, isAddress: true,
                    createdAt: party.time))
            _ = try transaction.insert(queue)
        }
        return (party, try queue.contactLink())
    }

    /// Whoever opens a link, as the agent does it.
    static func opener(of link: ConnectionLink, info: [UInt8]) throws -> StepParty {
        let joined = try JoinedLink(link, info: info, as: .random(), now: 1_000_000)
        let party = try StepParty(joined.record.id.rawValue, repliesFast: true)
        try party.store.write { transaction in
            try transaction.insert(joined.record)
            _ = try transaction.insert(joined.sendQueue)
        }
        try party.step { try $0.carryOut($0.handshake.resume()) }
        return party
    }

    @discardableResult
    func step<Value>(_ body: (inout ConnectionStep) throws -> Value) throws -> Value {
        let (value, effects) = try store.write { transaction in
            var step = try ConnectionStep(transaction, id, now: time)
            let value = try body(&step)
            return (value, try step.finish())
        }
        events += effects.events
        relaySteps += effects.relaySteps
        rotationSteps += effects.rotationSteps
        for entry in effects.entries { perform(delivery.enqueue(entry)) }
        perform(delivery.setGate(effects.gate))
        if effects.isContinued { perform(delivery.continued()) }
        return value
    }

    func perform(_ actions: [DeliveryMachine.Action]) {
        for case .transmit(let number) in actions { wanted.append(number) }
    }

    /// Does what relays were asked for.
    func runRelaySteps() throws {
        while !relaySteps.isEmpty {
            switch relaySteps.removeFirst() {
            case .secure: try step { try $0.carryOut($0.handshake.secured()) }
            case .createReplyQueue:
                let queue = newQueue(isFast: repliesFast)
                try step { step in
                    _ = try step.transaction.insert(queue)
                    try step.carryOut(step.handshake.replyQueueCreated(isFast: repliesFast))
                }
            }
        }
    }

    /// The bytes of the next attempt for a message, with what else SEND has.
    func attempt(_ number: Int64) throws -> (body: [UInt8], notify: Bool, isSigned: Bool, queue: EntityID)? {
        let sent: OutgoingTransmission?
        do {
            sent = try step { try $0.transmission(number) }
        } catch DeliveryFailure.postponed {
            perform(delivery.postponed(number))
            return nil
        }
        guard let sent else {
            // Removed meanwhile.
            perform(delivery.accepted(number))
            return nil
        }
        guard case .send(let notify, let body) = sent.request.command else { return nil }
        return (body, notify, sent.request.key != nil, sent.request.entity)
    }

    /// The relay said OK.
    func accepted(_ number: Int64) throws {
        try step { try $0.accepted(number) }
        perform(delivery.accepted(number))
    }

    /// A relay delivers; the outcome says what happens to the message.
    @discardableResult
    func deliver(_ body: [UInt8], to senderID: EntityID? = nil) throws -> ReceptionMachine.Outcome {
        nextRelayID += 1
        let message = DeliveredMessage(relayID: [nextRelayID], time: 1, body: body)
        return try step { step in
            let queues = try step.transaction.receiveQueues(of: id)
            guard let queue = queues.first(where: { $0.senderID == senderID?.bytes }) ?? queues.first else {
                return .finished
            }
            return try step.receive(message, on: queue)
        }
    }

    /// The bodies of application messages that came in, in order.
    func bodies() throws -> [[UInt8]] {
        try store.read { try $0.waitingMessages().compactMap(\.body) }
    }

    func integrities() throws -> [MessageIntegrity] {
        try store.read { try $0.waitingMessages().compactMap(\.integrity).map { try MessageIntegrity(decoding: $0) } }
    }

    var state: HandshakeMachine.State {
        get throws { try store.read { try $0.connection(id)?.state ?? .failed } }
    }

    func queue(_ body: [UInt8]) throws {
        try step { _ = try $0.queue(.application, body: body, notify: false) }
    }

    func allow(_ info: [UInt8]) throws {
        try step { step in
            step.record.ownInformation = info
            guard let actions = step.handshake.allow() else { throw AgentError.notReady }
            try step.carryOut(actions)
        }
        try runRelaySteps()
    }

    /// Sends whatever wants to leave, in order, over a perfect network.
    func flush(to peer: StepParty) throws {
        try runRelaySteps()
        while !wanted.isEmpty {
            let number = wanted.removeFirst()
            guard let attempt = try attempt(number) else { continue }
            try peer.deliver(attempt.body, to: attempt.queue)
            try accepted(number)
            try runRelaySteps()
        }
        try peer.runRelaySteps()
    }
}
