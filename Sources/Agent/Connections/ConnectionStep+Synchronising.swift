import AgentProtocol
import Cryptography
import SMP

// New ratchets for old (Agent fact sheet §10).
extension ConnectionStep {
    /// From here on agents know how to replace a ratchet.
    private static let firstVersion: UInt16 = 3
    /// How many of the peer's keys are remembered.
    private static let rememberedKeys = 32
    /// Bytes of a SHA-256 hash of keys.
    private static let hashLength = 32
    /// In the place of a hash.
    private static let noKeys = [UInt8](repeating: 0, count: hashLength)[...]
    /// Random bytes that make the note beside own keys another one each time.
    private static let noteSalt = 16

    /// Makes new keys and queues them.
    ///
    /// - Throws: `AgentError.notReady` when the connection is not there yet, its version is too old, or nothing is wrong or
    ///   keys are under way and `force` is not given; `StoreError`.
    mutating func startSynchronisation(force: Bool) throws {
        guard handshake.state == .connected, handshake.agentVersion >= Self.firstVersion, record.ratchet != nil,
            !record.isDeleting, synchronisation.start(force: force)
        else { throw AgentError.notReady }
        let keys = RatchetKeyPairs()
        record.synchronisationKeys = SecretBytes(wiping: keys.encoded)
        // The peer may answer with keys that belonged to what was agreed before.
        record.seenRatchetKeys = nil
        // It would speak of a ratchet that comes to nothing.
        try transaction.deleteUnsealed(.ratchetReady, of: record.id)
        try queueRatchetKey(keys)
        report(synchronisation.state)
    }

    /// The peer's new keys: answers them unless it has own ones on the way, and makes the new ratchet.
    ///
    /// - Throws: `AgentError`, `StoreError`.
    mutating func receiveRatchetKey(_ parameters: RatchetParameters, information: [UInt8]) throws {
        guard handshake.state == .connected, record.ratchet != nil,
            case .ratchetInformation(let note) = try Self.agentMessage(information)
        else { throw AgentError.unexpectedMessage }
        let seen = record.seenRatchetKeys ?? []
        let hash = parameters.keyHash
        let starts = stride(from: 0, to: seen.count, by: Self.hashLength)
        guard !starts.contains(where: { Array(seen[$0...].prefix(Self.hashLength)) == hash }) else {
            return try countUnread(Digest.sha256(information))
        }
        var machine = synchronisation
        // Earlier versions did not keep the keys of what is agreed.
        let isKept = machine.state != .agreed || record.synchronisationKeys != nil
        let verdict = isKept ? machine.keyReceived(answersOwn: try answersOwn(note)) : .answer
        let keys: RatchetKeyPairs
        switch verdict {
        case .answer:
            keys = RatchetKeyPairs()
        case .conclude, .concludeAgain:
            guard let stored = record.synchronisationKeys else { throw StoreError.damaged("synchronisationKeys") }
            keys = try stored.withWipedCopy { try RatchetKeyPairs(decoding: $0) }
        }
        // Unusable keys throw here and leave everything as it was.
        let (ratchet, receivesFirst) = try Self.ratchet(keys, peer: parameters)
        record.seenRatchetKeys = Array((seen + hash).suffix(Self.rememberedKeys * Self.hashLength))
        try countUnread(Digest.sha256(information))
        synchronisation = machine
        if verdict != .conclude { try queueRatchetKey(keys) }
        // Until the new ratchet is in use.
        record.synchronisationKeys = SecretBytes(wiping: keys.encoded)
        record.ratchet = SecretBytes(wiping: ratchet.encoded)
        try transaction.deleteUnsealed(.ratchetReady, of: record.id)
        if !receivesFirst { try queueRatchetReady() }
        report(machine.state)
    }

    /// The store may be a copy of an earlier state: nothing is encrypted with its ratchet again. New keys, where there can
    /// be any; without them the connection has failed.
    mutating func replaceOutdatedRatchet() throws {
        guard synchronisation.state == .outdated, !record.isDeleting else { return }
        do {
            try startSynchronisation(force: true)
        } catch AgentError.notReady {
            effects.events.append(.failed(record.id, nil, .outdated))
            try dropOutgoing(.outdated)
            _ = handshake.failed(.refused)
        }
    }

    /// Removes what only the ratchet of an earlier state could send where there will be no new one: everything that is not
    /// encrypted. What is encrypted leaves as it is.
    mutating func dropWhatIsOutdated() throws {
        guard synchronisation.state == .outdated, record.isDeleting else { return }
        for entry in try transaction.deliveryEntries(of: record.id) where !entry.isSealed {
            try transaction.deleteOutgoing(entry.id)
        }
    }

    /// `E`: the peer's new ratchet works; it needs the same word from here if this is the first it has said.
    ///
    /// - Parameter lastID: the number of the last message that the peer has received. A store that went back in time has
    ///   forgotten some of its numbers; it goes on behind them.
    mutating func peerRatchetIsReady(lastReceivedID lastID: Int64) throws {
        var chains = try record.chains.map { try Chains(decoding: $0) } ?? Chains()
        if lastID > chains.sent.lastID, lastID < .max / 2 {
            chains.sent = IntegrityChain(lastID: lastID, lastHash: chains.sent.lastHash)
            record.chains = try chains.encoded()
        }
        // It may still speak of the ratchet that is to be replaced, which says nothing any more.
        if !couldSend, synchronisation.state.allowsSending { try queueRatchetReady() }
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
        // The same keys may have to be sent again, and must not be taken for a repeat of the first time. Behind that, what the peer
        // needs to know whether its keys have arrived.
        let answered = record.seenRatchetKeys?.suffix(Self.hashLength) ?? Self.noKeys
        let information = try AgentMessage.ratchetInformation(randomBytes(Self.noteSalt) + answered).encoded()
        chains.sent.record(information)
        record.chains = try chains.encoded()
        return try AgentEnvelope(
            agentVersion: AgentVersions.supported.maximum,
            content: .ratchetKey(parameters: parameters, information: information)
        ).encoded()
    }

    /// Whether the peer had the own keys when it sent its own, by the note beside them (docs/protocol.md, "Connection"); nil for a
    /// peer that writes no such note.
    private func answersOwn(_ note: [UInt8]) throws -> Bool? {
        guard note.count == Self.noteSalt + Self.hashLength, let stored = record.synchronisationKeys else { return nil }
        let own = try stored.withWipedCopy { try RatchetKeyPairs(decoding: $0) }
            .parameters(version: RatchetVersions.advertised.maximum)
        return Array(note.suffix(Self.hashLength)) == own.keyHash
    }

    /// A message has come to which the peer has given a number that can't be read.
    ///
    /// - Parameter hash: what the peer's next message names as the one before; nil if that can't be known either.
    mutating func countUnread(_ hash: [UInt8]?) throws {
        var chains = try record.chains.map { try Chains(decoding: $0) } ?? Chains()
        chains.uncounted = Array((chains.uncounted + [hash ?? []]).suffix(Self.rememberedKeys))
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

    /// In the place of keys that have not left.
    private mutating func queueRatchetKey(_ keys: RatchetKeyPairs) throws {
        try transaction.deleteUnsealed(.ratchetKey, of: record.id)
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
