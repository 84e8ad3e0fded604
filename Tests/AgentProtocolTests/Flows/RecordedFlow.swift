import Cryptography
import SMP
import TestSupport
import Testing

@testable import AgentProtocol

/// A recorded run of two agents over a relay, opened again from the relay's blocks to the last agent message.
struct RecordedFlow {
    /// One delivered message, opened.
    struct Delivery {
        /// "alice" or "bob".
        let recipient: String
        let notify: Bool
        let clientMessage: ClientMessage
        let envelope: AgentEnvelope
        /// Nil for a contact request, which no ratchet encrypts.
        let message: AgentMessage?
        /// Nil in the handshake.
        let integrity: MessageIntegrity?
    }

    /// What one of the agents knows.
    private struct Person {
        var ratchet: Ratchet?
        var freshKeys: [X448.PrivateKey]
        var queueSecrets: [[UInt8]: SecretBytes] = [:]
        var chain = IntegrityChain()
    }

    private let vector: VectorValue
    private var people: [String: Person] = [:]
    private(set) var deliveries: [Delivery] = []

    init(_ vector: VectorValue) throws {
        self.vector = vector
        for name in ["alice", "bob"] {
            let keys = try vector["\(name)_ratchet_dh_private_keys"].items.map { value in
                try X448.PrivateKey(rawRepresentation: SecretBytes(try #require(value.bytes)))
            }
            people[name] = Person(freshKeys: keys)
        }
        try openEverything()
    }

    /// The ratchet of somebody after the last message.
    func ratchet(of name: String) -> Ratchet? { people[name]?.ratchet }

    /// The last recorded state of somebody's ratchet.
    func lastState(of name: String) -> VectorValue {
        vector["stages"].items.last?[name]["ratchets"][0]["state"] ?? .null
    }

    private mutating func openEverything() throws {
        var versions: [Int: SMPVersion] = [:]
        var blocksOfSession: [Int: Int] = [:]
        for block in vector["blocks"].items {
            let session = try #require(block["session"].integer ?? block["session"].string.flatMap { Int($0) })
            let payload = try #require(block["payload"].bytes)
            let number = blocksOfSession[session, default: 0]
            blocksOfSession[session] = number + 1
            if number == 1 { versions[session] = try ClientHello(decoding: payload).version }
            guard number > 1, block["direction"].string == "server_to_client" else { continue }
            let version = try #require(versions[session])
            for transmission in try Batch.transmissions(payload, version: version) {
                try open(try transmission.get(), version: version)
            }
        }
    }

    private mutating func open(_ transmission: Transmission, version: SMPVersion) throws {
        guard case .message(let id, let body) = try BrokerMessage(decoding: transmission.command, version: version)
        else { return }
        let (name, queue) = try receiveQueue(transmission.entityID)
        let relaySecret = SecretBytes(try #require(queue["rcv_dh_secret"].bytes))
        guard case .message(_, let notify, let sent) = try MessageBody(opening: body, secret: relaySecret, id: id)
        else { return }
        let envelope = try QueueEnvelope(decoding: sent)
        let secret = try queueSecret(envelope, queue: queue, of: name)
        let clientMessage = try envelope.open(secret: secret)
        let agentEnvelope = try AgentEnvelope(decoding: clientMessage.body)
        let (message, integrity) = try read(agentEnvelope, by: name)
        deliveries.append(
            Delivery(
                recipient: name, notify: notify, clientMessage: clientMessage, envelope: agentEnvelope,
                message: message, integrity: integrity))
    }

    /// The recorded queue with this recipient id, as far as any stage knows it.
    private func receiveQueue(_ id: EntityID) throws -> (name: String, queue: VectorValue) {
        for stage in vector["stages"].items {
            for name in ["alice", "bob"] {
                for queue in stage[name]["rcv_queues"].items where queue["rcv_id"].bytes == id.bytes {
                    return (name, queue)
                }
            }
        }
        throw RatchetError.invalidState
    }

    /// The secret of the per-queue box: from the key in the first message, kept for later ones.
    private mutating func queueSecret(
        _ envelope: QueueEnvelope, queue: VectorValue, of name: String
    ) throws -> SecretBytes {
        let id = try #require(queue["rcv_id"].bytes)
        guard let senderKey = envelope.senderKey else { return try #require(people[name]?.queueSecrets[id]) }
        let own = try X25519.PrivateKey(der: try #require(queue["e2e_private_der"].bytes))
        let secret = try own.sharedSecret(with: senderKey)
        people[name]?.queueSecrets[id] = secret
        return secret
    }

    private mutating func read(
        _ envelope: AgentEnvelope, by name: String
    ) throws -> (AgentMessage?, MessageIntegrity?) {
        switch envelope.content {
        case .invitation, .ratchetKey: return (nil, nil)
        case .confirmation(let parameters, let encrypted):
            let ratchet =
                if let parameters {
                    try initiatorRatchet(of: name, peer: parameters)
                } else {
                    try joinerRatchet(of: name)
                }
            people[name]?.ratchet = ratchet
            let plaintext = try decrypt(encrypted, by: name)
            people[name]?.chain.record(plaintext)
            return (try AgentMessage(decoding: plaintext), nil)
        case .message(let encrypted):
            let plaintext = try decrypt(encrypted, by: name)
            let message = try AgentMessage(decoding: plaintext)
            guard case .message(let id, let hash, _) = message else { return (message, nil) }
            return (message, people[name]?.chain.receive(id: id, previousHash: hash, plaintext: plaintext))
        }
    }

    private mutating func decrypt(_ encrypted: [UInt8], by name: String) throws -> [UInt8] {
        var person = try #require(people[name])
        var ratchet = try #require(person.ratchet)
        let before = ratchet.ownKey
        let fresh = person.freshKeys.first ?? X448.PrivateKey()
        let plaintext = try ratchet.decrypt(encrypted) { fresh }
        if ratchet.ownKey != before, !person.freshKeys.isEmpty { person.freshKeys.removeFirst() }
        person.ratchet = ratchet
        people[name] = person
        return plaintext
    }

    /// From the private keys recorded before the confirmation came.
    private func initiatorRatchet(of name: String, peer: RatchetParameters) throws -> Ratchet {
        let recorded = vector["stages"].items.map { $0[name]["ratchets"][0] }
            .first { $0["x3dh_private_1_der"].bytes != nil }
        let keys = try #require(recorded)
        let pairs = RatchetKeyPairs(
            first: try X448.PrivateKey(der: try #require(keys["x3dh_private_1_der"].bytes)),
            second: try X448.PrivateKey(der: try #require(keys["x3dh_private_2_der"].bytes)))
        return try Ratchet(initiator: pairs, peer: peer, maximumVersion: peer.version)
    }

    /// From the state recorded after joining; the joiner's first key is in it.
    private mutating func joinerRatchet(of name: String) throws -> Ratchet {
        let states = vector["stages"].items.map { $0[name]["ratchets"][0]["state"] }
        let state = try #require(states.first { !$0.isNull })
        people[name]?.freshKeys.removeFirst()
        return try Ratchet(recorded: state)
    }
}

extension Ratchet {
    /// A ratchet from the state the recording program stored.
    init(recorded state: VectorValue) throws {
        func bytes(_ value: VectorValue) throws -> [UInt8] { try Base64URL.decode(try #require(value.string)) }
        func number(_ value: VectorValue) throws -> UInt32 { UInt32(try #require(value.integer)) }
        var writer = ByteWriter()
        writer.byte(1)
        writer.raw(try bytes(state["rcAD"]))
        for version in state["rcVersion"].items { writer.word16(UInt16(try #require(version.integer))) }
        let key = try Base64URL.decode(String(decoding: try bytes(state["rcDHRs"]), as: UTF8.self))
        writer.raw(try X448.PrivateKey(der: key).rawRepresentation.bytes)
        writer.raw(try bytes(state["rcRK"]))
        for name in ["rcNs", "rcNr", "rcPN"] { writer.word32(try number(state[name])) }
        writer.raw(try bytes(state["rcNHKs"]))
        writer.raw(try bytes(state["rcNHKr"]))
        let sending = state["rcSnd"]
        try writer.maybe(sending.isNull ? nil : sending) { writer, chain in
            writer.raw(try X448.PublicKey(der: bytes(chain["rcDHRr"])).rawRepresentation)
            writer.raw(try bytes(chain["rcCKs"]))
            writer.raw(try bytes(chain["rcHKs"]))
        }
        let receiving = state["rcRcv"]
        try writer.maybe(receiving.isNull ? nil : receiving) { writer, chain in
            writer.raw(try bytes(chain["rcCKr"]))
            writer.raw(try bytes(chain["rcHKr"]))
        }
        writer.word16(0)
        try self.init(decoding: writer.written)
    }
}
