import Cryptography
import SMP

// New ratchets for old (Agent fact sheet §10).
extension ConnectionStep {
    /// From here on agents know how to replace a ratchet.
    private static let firstVersion: UInt16 = 3
    /// How many of the peer's keys are remembered.
    private static let rememberedKeys = 32

    /// Makes new keys and queues them.
    ///
    /// - Throws: `AgentError.notReady` when the connection is not there yet, its version is too old, or nothing is wrong
    ///   and `force` is not given; `StoreError`.
    mutating func startSynchronisation(force: Bool) throws {
        guard handshake.state == .connected, handshake.agentVersion >= Self.firstVersion, record.ratchet != nil,
            !record.isDeleting, synchronisation.start(force: force)
        else { throw AgentError.notReady }
        let keys = RatchetKeyPairs()
        record.synchronisationKeys = SecretBytes(wiping: keys.encoded)
        try queueRatchetKey(keys)
        report(synchronisation.state)
    }

    /// The peer's new keys: answers them unless it has own ones on the way, and makes the new ratchet.
    ///
    /// - Throws: `AgentError`, `StoreError`.
    mutating func receiveRatchetKey(_ parameters: RatchetParameters, information: [UInt8]) throws {
        guard handshake.state == .connected, record.ratchet != nil,
            case .ratchetInformation = try Self.agentMessage(information)
        else { throw AgentError.unexpectedMessage }
        let seen = record.seenRatchetKeys ?? []
        let hash = parameters.keyHash
        guard !stride(from: 0, to: seen.count, by: 32).contains(where: { Array(seen[$0...].prefix(32)) == hash }) else {
            return
        }
        var machine = synchronisation
        let verdict = machine.keyReceived()
        let keys: RatchetKeyPairs
        switch verdict {
        case .answer:
            keys = RatchetKeyPairs()
        case .conclude:
            guard let stored = record.synchronisationKeys else { throw StoreError.damaged("synchronisationKeys") }
            keys = try stored.withWipedCopy { try RatchetKeyPairs(decoding: $0) }
        case .conflict:
            try remember(hash, seen, information)
            synchronisation = machine
            report(machine.state)
            throw AgentError.synchronisationConflict
        }
        // Unusable keys throw here and leave everything as it was.
        let (ratchet, receivesFirst) = try Self.ratchet(keys, peer: parameters)
        try remember(hash, seen, information)
        synchronisation = machine
        if verdict == .answer { try queueRatchetKey(keys) }
        record.synchronisationKeys = nil
        record.ratchet = SecretBytes(wiping: ratchet.encoded)
        if !receivesFirst { try queueRatchetReady() }
        report(machine.state)
    }

    /// `E`: the peer's new ratchet works; it needs the same word from here if this is the first it has said.
    mutating func peerRatchetIsReady() throws {
        if !couldSend { try queueRatchetReady() }
    }

    /// Tells the application of a new state.
    mutating func report(_ state: RatchetSynchronisation?) {
        guard let state else { return }
        effects.events.append(.synchronisation(record.id, state))
        effects.needsSynchronisation = state == .required
    }

    /// The envelope of own keys: not encrypted by a ratchet, but counted.
    mutating func ratchetKeyEnvelope(_ row: OutgoingRecord, _ chains: inout Chains) throws -> [UInt8] {
        var reader = ByteReader(row.body)
        let parameters = try RatchetParameters(from: &reader)
        let information = try AgentMessage.ratchetInformation([]).encoded()
        chains.sent.record(information)
        record.chains = try chains.encoded()
        return try AgentEnvelope(
            agentVersion: AgentVersions.supported.maximum,
            content: .ratchetKey(parameters: parameters, information: information)
        ).encoded()
    }

    private mutating func remember(_ hash: [UInt8], _ seen: [UInt8], _ information: [UInt8]) throws {
        record.seenRatchetKeys = Array((seen + hash).suffix(Self.rememberedKeys * 32))
        var chains = try record.chains.map { try Chains(decoding: $0) } ?? Chains()
        chains.uncounted = Array((chains.uncounted + [Digest.sha256(information)]).suffix(Self.rememberedKeys))
        record.chains = try chains.encoded()
    }

    private static func ratchet(_ keys: RatchetKeyPairs, peer: RatchetParameters) throws -> (Ratchet, Bool) {
        let version = min(peer.version, RatchetVersions.advertised.maximum)
        let common = RatchetParameters(
            version: version, firstKey: peer.firstKey, secondKey: peer.secondKey, kem: peer.kem)
        let receivesFirst = SynchronisationMachine.receivesFirst(
            ownHash: keys.parameters(version: version).keyHash, peerHash: peer.keyHash)
        let ratchet = try attempt(or: .undecryptable) {
            receivesFirst ? try Ratchet(initiator: keys, peer: common) : try Ratchet(joiner: keys, peer: common)
        }
        return (ratchet, receivesFirst)
    }

    private mutating func queueRatchetKey(_ keys: RatchetKeyPairs) throws {
        let parameters = keys.parameters(version: RatchetVersions.advertised.maximum)
        try queue(.ratchetKey, body: try ByteWriter.build { try parameters.encode(to: &$0) }, notify: true)
    }

    private mutating func queueRatchetReady() throws {
        let chains = try record.chains.map { try Chains(decoding: $0) } ?? Chains()
        let message = AMessage.ratchetReady(lastReceivedID: chains.received.lastID)
        try queue(.ratchetReady, body: try message.stored(), notify: true)
    }
}

extension OutgoingRecord.Kind {
    /// Whether it is part of the repair itself.
    var isSentWhileSynchronising: Bool {
        switch self {
        case .ratchetKey, .ratchetReady, .confirmation, .hello, .request: true
        case .application, .quotaContinue, .queueRotation, .receipt: false
        }
    }
}
