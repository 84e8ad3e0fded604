import Cryptography
import SMP
import TestSupport
import Testing

@testable import Agent
@testable import AgentProtocol

/// Two stores and no relay: every byte that would pass is really made and opened.
@Suite(.timeLimit(.minutes(5))) struct ConnectionStepTests {
    private static let hello = Array("hello from the joiner".utf8)
    private static let welcome = Array("hello from the initiator".utf8)

    private struct Pair {
        let initiator: StepParty
        let joiner: StepParty
        let link: ConnectionLink
    }

    private func pair(linkIsFast: Bool = true, repliesFast: Bool = true, version: UInt16 = 7) throws -> Pair {
        let (initiator, link) = try StepParty.initiator(isFast: linkIsFast)
        let joiner = try StepParty.joiner(link, repliesFast: repliesFast, version: version, info: Self.hello)
        return Pair(initiator: initiator, joiner: joiner, link: link)
    }

    private func connect(_ pair: Pair) throws {
        try pair.joiner.flush(to: pair.initiator)
        try pair.initiator.allow(Self.welcome)
        for _ in 0..<3 {
            try pair.initiator.flush(to: pair.joiner)
            try pair.joiner.flush(to: pair.initiator)
        }
    }

    @Test(arguments: [(true, true), (false, false), (true, false), (false, true)])
    func `every mix of fast and classic queues connects`(linkIsFast: Bool, repliesFast: Bool) throws {
        let pair = try pair(linkIsFast: linkIsFast, repliesFast: repliesFast)
        try connect(pair)
        #expect(
            pair.initiator.events == [
                .confirmation(pair.initiator.id, information: Self.hello), .connected(pair.initiator.id),
            ])
        #expect(
            pair.joiner.events == [
                .information(pair.joiner.id, information: Self.welcome), .connected(pair.joiner.id),
            ])
        try pair.initiator.queue([1])
        try pair.initiator.queue([2])
        try pair.initiator.flush(to: pair.joiner)
        try pair.joiner.queue([3])
        try pair.joiner.flush(to: pair.initiator)
        #expect(try pair.joiner.bodies() == [[1], [2]])
        #expect(try pair.initiator.bodies() == [[3]])
        #expect(try pair.joiner.integrities() == [.ok, .ok])
        #expect(try pair.initiator.integrities() == [.ok])
    }

    @Test func `a fast confirmation is signed and a classic one brings its key unsigned`() throws {
        for isFast in [true, false] {
            let pair = try pair(linkIsFast: isFast)
            try pair.joiner.runRelaySteps()
            let number = try #require(pair.joiner.wanted.first)
            let attempt = try #require(try pair.joiner.attempt(number))
            #expect(attempt.isSigned == isFast)
            // When it came through unnoticed, the peer has set its key and takes the repeat only with that.
            let secured = try pair.joiner.step { try $0.transmission(number) }?.securedRequest
            #expect((secured?.key == nil) == isFast)
            #expect(attempt.notify)
            #expect(attempt.body.count == 15_992)
        }
    }

    @Test func `a message fills the same size whatever its length`() throws {
        let pair = try pair()
        try connect(pair)
        for body in [[], [UInt8](repeating: 7, count: PaddedCounts.maximumBody)] as [[UInt8]] {
            try pair.joiner.queue(body)
            let number = pair.joiner.wanted.removeFirst()
            let attempt = try #require(try pair.joiner.attempt(number))
            #expect(attempt.body.count == 16_043)
            try pair.initiator.deliver(attempt.body)
            try pair.joiner.accepted(number)
        }
        #expect(try pair.initiator.bodies().map(\.count) == [0, PaddedCounts.maximumBody])
    }

    @Test func `a repeated attempt is another box with the same message and arrives once`() throws {
        let pair = try pair()
        try connect(pair)
        try pair.joiner.queue([9])
        let number = pair.joiner.wanted.removeFirst()
        let first = try #require(try pair.joiner.attempt(number))
        let second = try #require(try pair.joiner.attempt(number))
        #expect(first.body != second.body)
        #expect(try pair.initiator.deliver(first.body) != .finished)
        #expect(try pair.initiator.deliver(second.body) == .finished)
        #expect(try pair.initiator.deliver(first.body) == .finished)
        #expect(try pair.initiator.bodies() == [[9]])
        #expect(!pair.initiator.events.contains { if case .failed = $0 { true } else { false } })
    }

    @Test func `a repeated confirmation is silently ignored`() throws {
        let pair = try pair()
        try pair.joiner.runRelaySteps()
        let number = pair.joiner.wanted.removeFirst()
        let first = try #require(try pair.joiner.attempt(number))
        let second = try #require(try pair.joiner.attempt(number))
        try pair.initiator.deliver(first.body)
        let before = pair.initiator.events
        try pair.initiator.deliver(second.body)
        #expect(pair.initiator.events == before)
        #expect(try pair.initiator.state == .confirmed)
    }

    @Test func `messages before the application allowed arrive from version seven`() throws {
        let pair = try pair()
        try pair.joiner.queue([1])
        try pair.joiner.flush(to: pair.initiator)
        #expect(try pair.initiator.bodies() == [[1]])
        #expect(try pair.initiator.state == .confirmed)
    }

    @Test func `messages wait for the connection before version seven`() throws {
        let pair = try pair(version: 6)
        try pair.joiner.queue([1])
        try pair.joiner.flush(to: pair.initiator)
        #expect(try pair.initiator.bodies() == [])
        try connect(pair)
        #expect(try pair.initiator.bodies() == [[1]])
    }

    @Test func `the agreed version rises to what the peer shows`() throws {
        let pair = try pair(version: 6)
        try connect(pair)
        let before = try pair.initiator.store.read { try $0.connection(pair.initiator.id)?.agentVersion }
        #expect(before == 6)
        try pair.joiner.queue([1])
        try pair.joiner.flush(to: pair.initiator)
        let after = try pair.initiator.store.read { try $0.connection(pair.initiator.id)?.agentVersion }
        #expect(after == 7)
    }

    @Test func `a forged first message does not spoil the true one`() throws {
        let pair = try pair()
        // Somebody else with the same link, without the keys of the ratchet.
        let key = X25519.PrivateKey()
        let secret = try key.sharedSecret(with: pair.link.queue.key)
        let keys = RatchetKeyPairs()
        let contents: [AgentEnvelope.Content] = [
            .confirmation(parameters: keys.parameters(version: 2), encrypted: randomBytes(15_000)),
            .confirmation(parameters: nil, encrypted: randomBytes(15_000)),
            .message(encrypted: randomBytes(15_000)),
            .ratchetKey(parameters: keys.parameters(version: 2), information: []),
        ]
        for content in contents {
            let forged = try QueueEnvelope(
                sealing: ClientMessage(body: AgentEnvelope(agentVersion: 7, content: content).encoded()), version: 4,
                senderKey: key.publicKey, secret: secret)
            #expect(try pair.initiator.deliver(forged.encoded()) == .finished)
        }
        #expect(pair.initiator.events.count == contents.count)
        #expect(pair.initiator.events.allSatisfy { if case .failed(_, nil, _) = $0 { true } else { false } })
        pair.initiator.events = []
        try connect(pair)
        #expect(pair.initiator.events.last == .connected(pair.initiator.id))
    }

    @Test func `versions from the future are refused with their name`() throws {
        let pair = try pair()
        let key = X25519.PrivateKey()
        let secret = try key.sharedSecret(with: pair.link.queue.key)
        let envelope = try AgentEnvelope(
            agentVersion: 99,
            content: .confirmation(parameters: RatchetKeyPairs().parameters(version: 2), encrypted: [1])
        ).encoded()
        let agent = try QueueEnvelope(
            sealing: ClientMessage(body: envelope), version: 4, senderKey: key.publicKey, secret: secret)
        let client = try QueueEnvelope(
            sealing: ClientMessage(body: envelope), version: 99, senderKey: key.publicKey, secret: secret)
        try pair.initiator.deliver(agent.encoded())
        try pair.initiator.deliver(client.encoded())
        let failure = AgentEvent.failed(pair.initiator.id, nil, .incompatibleVersion)
        #expect(pair.initiator.events == [failure, failure])
    }

    @Test func `anything at all is taken without harm`() throws {
        let pair = try pair()
        try connect(pair)
        try pair.joiner.queue([5])
        let number = pair.joiner.wanted.removeFirst()
        let good = try #require(try pair.joiner.attempt(number)).body
        var random = SeededGenerator(seed: 7)
        for round in 0..<60 {
            var bad = good
            switch round % 3 {
            case 0: bad = random.bytes(Int.random(in: 0...200, using: &random))
            case 1: bad = Array(good.prefix(Int.random(in: 0..<good.count, using: &random)))
            default:
                let index = Int.random(in: 0..<good.count, using: &random)
                bad[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            }
            #expect(try pair.initiator.deliver(bad) == .finished)
        }
        try pair.initiator.deliver(good)
        #expect(try pair.initiator.bodies() == [[5]])
    }

    @Test func `a lost message shows as a gap`() throws {
        let pair = try pair()
        try connect(pair)
        for body in [[1], [2], [3]] as [[UInt8]] { try pair.joiner.queue(body) }
        let lost = pair.joiner.wanted.removeFirst()
        _ = try pair.joiner.attempt(lost)
        try pair.joiner.accepted(lost)
        try pair.joiner.flush(to: pair.initiator)
        #expect(try pair.initiator.bodies() == [[2], [3]])
        #expect(try pair.initiator.integrities() == [.skipped(from: 2, to: 2), .ok])
    }

    @Test func `a quota marker asks the peer to go on`() throws {
        let pair = try pair()
        try connect(pair)
        try pair.joiner.queue([1])
        let number = pair.joiner.wanted.removeFirst()
        _ = try pair.joiner.attempt(number)
        _ = pair.joiner.delivery.failed(number, .full, now: pair.joiner.time, jitter: 0)
        #expect(pair.joiner.wanted.isEmpty)

        let marker = DeliveredMessage(relayID: [200], time: 1, body: [])
        try pair.initiator.step { step in
            let queue = try #require(try step.transaction.receiveQueues(of: step.record.id).first)
            try step.receiveQuotaMarker(marker, on: queue)
        }
        try pair.initiator.flush(to: pair.joiner)
        #expect(pair.joiner.wanted == [number])
    }

    @Test func `a peer may move its queue to another relay`() throws {
        let pair = try pair()
        try connect(pair)
        let (sender, recipient) = (pair.joiner, pair.initiator)
        let old = try #require(try sender.store.read { try $0.sendQueue(of: sender.id) })
        let key = X25519.PrivateKey()
        let address = QueueAddress(relay: try old.address.relay, senderID: EntityID(randomBytes(24)))
        func say(_ message: AMessage) throws {
            try recipient.step { _ = try $0.queue(.queueRotation, body: message.stored(), notify: false) }
            try recipient.flush(to: sender)
        }
        let uri = QueueURI(
            versions: QueueVersions.supported, address: address, key: key.publicKey, mode: .messaging)

        try say(.addQueues([AMessage.NewQueue(queue: uri, replaced: try old.address)]))
        let candidate = try #require(try sender.store.read { try $0.sendQueues(of: sender.id) }.last)
        #expect(candidate.isCandidate)
        #expect(try sender.store.read { try $0.sendQueue(of: sender.id) } == old)
        let answer = sender.wanted.removeFirst()
        _ = try #require(try sender.attempt(answer))
        try sender.accepted(answer)

        try say(.useQueues([AMessage.UsedQueue(address: address, isPrimary: true)]))
        let test = sender.wanted.removeFirst()
        let sent = try #require(try sender.step { try $0.transmission(test) })
        #expect(sent.request.entity == address.senderID)
        guard case .send(_, let body) = sent.request.command else { throw AgentError.unexpectedMessage }
        // The recipient has the sender's key from QK.
        let senderKey = try X25519.PrivateKey(rawRepresentation: candidate.queueKey).publicKey
        let opened = try QueueEnvelope(decoding: body).open(secret: key.sharedSecret(with: senderKey))
        #expect(try AgentEnvelope(decoding: opened.body).agentVersion == 7)
        #expect(try sender.store.read { try $0.sendQueues(of: sender.id).map(\.id) } == [candidate.id])
    }

    @Test func `a move nobody offered is reported and changes nothing`() throws {
        let pair = try pair()
        try connect(pair)
        let before = try pair.joiner.store.read { try $0.sendQueues(of: pair.joiner.id) }
        let address = QueueAddress(relay: try RelayAddress(parsing: StepParty.relay), senderID: .random())
        let moves: [AMessage] = [
            .useQueues([AMessage.UsedQueue(address: address, isPrimary: true)]), .testQueues([address]),
        ]
        for move in moves {
            try pair.initiator.step { _ = try $0.queue(.queueRotation, body: move.stored(), notify: false) }
            try pair.initiator.flush(to: pair.joiner)
        }
        #expect(try pair.joiner.store.read { try $0.sendQueues(of: pair.joiner.id) } == before)
        #expect(
            pair.joiner.events.suffix(2)
                == Array(repeating: .failed(pair.joiner.id, nil, .unexpectedMessage), count: 2)[...])
    }

    /// Over a network that loses answers, repeats messages and stops at any point, all of it from the store.
    @Test(arguments: 0..<12)
    func `every seeded schedule connects and delivers once in order`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let pair = try pair(
            linkIsFast: Bool.random(using: &random), repliesFast: Bool.random(using: &random),
            version: Bool.random(using: &random) ? 7 : 6)
        let parties = [pair.initiator, pair.joiner]
        var sent: [[UInt8]] = []
        func turn(_ from: StepParty, _ peer: StepParty) throws {
            try from.runRelaySteps()
            guard let number = from.wanted.first, let attempt = try from.attempt(number) else { return }
            // Lost on the way there, arrived but the OK lost, arrived twice, or arrived.
            let fate = Int.random(in: 0..<5, using: &random)
            if fate != 0 { try peer.deliver(attempt.body) }
            if fate == 1 { try peer.deliver(attempt.body) }
            guard fate > 1 else { return }
            from.wanted.removeFirst()
            try from.accepted(number)
        }
        for round in 0..<120 {
            if round % 10 == 5, sent.count < 6 {
                sent.append([UInt8(sent.count)])
                try pair.joiner.queue(sent[sent.count - 1])
            }
            if try pair.initiator.state == .confirmed, round > 20 { try pair.initiator.allow(Self.welcome) }
            let side = Int.random(in: 0...1, using: &random)
            try turn(parties[side], parties[1 - side])
        }
        for _ in 0..<40 {
            try turn(pair.joiner, pair.initiator)
            try turn(pair.initiator, pair.joiner)
        }
        #expect(try pair.initiator.state == .connected)
        #expect(try pair.joiner.state == .connected)
        #expect(try pair.initiator.bodies() == sent)
        #expect(try pair.initiator.integrities().allSatisfy { $0 == .ok })
        for party in parties {
            #expect(party.events.filter { $0 == .connected(party.id) }.count == 1)
            #expect(!party.events.contains { if case .failed = $0 { true } else { false } })
        }
    }
}
