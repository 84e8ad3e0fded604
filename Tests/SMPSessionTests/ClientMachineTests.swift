import Cryptography
import SMP
import TestSupport
import Testing

@testable import SMPSession

/// The client's machine against a scripted relay, without a network.
@Suite(.timeLimit(.minutes(5))) struct ClientMachineTests {
    private let certificates: RelayCertificates
    private let sessionID = [UInt8](repeating: 9, count: 32)

    init() throws { certificates = try RelayCertificates.make(host: "h") }

    private var details: TLSDetails {
        TLSDetails(
            sessionID: sessionID, applicationProtocol: "smp/1", serverChain: certificates.chain.certificates)
    }

    private func client(versions: ClosedRange<UInt16> = 9...14) -> ClientMachine {
        var machine = ClientMachine(
            versions: SMPVersionRange(versions), keyHash: certificates.fingerprint, sessionKey: .init())
        machine.tlsEstablished(details)
        return machine
    }

    /// A hello as a relay would send it, with something changed.
    private func hello(
        versions: ClosedRange<UInt16> = 9...14, sessionID: [UInt8]? = nil, chain: [[UInt8]]? = nil,
        signer: AuthenticationPrivateKey? = nil, withKey: Bool = true
    ) throws -> [UInt8] {
        let signed = try SignedKey(
            .x25519(X25519.PrivateKey().publicKey), signedBy: signer ?? certificates.serverKey)
        let key = CertifiedKey(chain: chain ?? certificates.chain.certificates, signedKey: signed)
        let hello = ServerHello(
            versions: SMPVersionRange(versions), sessionID: sessionID ?? self.sessionID, key: withKey ? key : nil)
        return try Padding.pad(hello.encoded(), to: SMPLimits.block)
    }

    private func failure(_ block: [UInt8]) -> TransportError? {
        var machine = client()
        for effect in machine.received(block) { if case .fail(let error) = effect { return error } }
        return nil
    }

    /// A client and the relay's cipher after the hellos.
    private func connected() throws -> (ClientMachine, BlockCipher) {
        var machine = client()
        let greeting = try ServerGreeting(
            versions: SMPVersionRange(9...14), sessionID: sessionID, certificates: certificates)
        let effects = machine.received(try greeting.block())
        guard case .send(let block) = effects.first else { throw TransportError.hello(.malformed) }
        return (machine, try greeting.agree(on: block).cipher)
    }

    private func response(
        _ message: BrokerMessage, _ id: CorrelationID, _ entity: EntityID, _ cipher: inout BlockCipher
    ) throws -> [UInt8] {
        let transmission = try Transmission(message, correlationID: id, entityID: entity, version: 14)
        return try cipher.seal(Batch.encode([transmission.encoded(14)]))
    }

    @Test func `faults of the hello are told apart`() throws {
        let other = try RelayCertificates.make(host: "other")
        #expect(failure(try hello()) == nil)
        #expect(failure(Array(repeating: 0, count: SMPLimits.block)) == .hello(.malformed))
        #expect(failure(try hello(sessionID: [1, 2])) == .hello(.sessionIdentifier))
        #expect(failure(try hello(versions: 6...8)) == .version)
        #expect(failure(try hello(versions: 15...18)) == .version)
        #expect(failure(try hello(withKey: false)) == .hello(.missingKey))
        #expect(failure(try hello(chain: other.chain.certificates)) == .hello(.certificateChain))
        let mixed = [certificates.chain.certificates[0], other.chain.certificates[1]]
        #expect(failure(try hello(chain: mixed)) == .hello(.keyHash))
        #expect(failure(try hello(signer: other.serverKey)) == .hello(.signature))
    }

    @Test func `no random hello is taken`() {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<50 {
            #expect(failure(generator.bytes(SMPLimits.block)) != nil)
        }
    }

    @Test func `a block that does not decrypt ends the connection`() throws {
        var (machine, _) = try connected()
        _ = machine.submit([(number: 1, request: RelayRequest(.ping))])
        let effects = machine.received(Array(repeating: 1, count: SMPLimits.block))
        #expect(effects.settled == [1: .failure(.interrupted(.block))])
        #expect(effects.failure == .block)
        #expect(
            machine.submit([(number: 2, request: RelayRequest(.ping))]).settled == [2: .failure(.notConnected(.block))])
    }

    @Test func `a response about another entity is refused`() throws {
        var (machine, cipher) = try connected()
        let key = AuthenticationPrivateKey.ed25519(.init())
        let request = RelayRequest(.subscribe, entity: .random(), key: key)
        _ = machine.submit([(number: 1, request: request)])
        let effects = machine.received(try response(.ok, request.correlationID, .random(), &cipher))
        #expect(effects.settled == [1: .failure(.unexpectedResponse)])
        #expect(effects.failure == nil)
    }

    @Test func `an error settles its request with or without entity`() throws {
        for entity in [EntityID.none, .random()] {
            var (machine, cipher) = try connected()
            let request = RelayRequest(.ping)
            _ = machine.submit([(number: 1, request: request)])
            let block = try response(.error(.authentication), request.correlationID, entity, &cipher)
            #expect(machine.received(block).settled == [1: .failure(.refused(.authentication))])
        }
    }

    @Test func `an unparsable response fails its request only`() throws {
        var (machine, cipher) = try connected()
        let first = RelayRequest(.ping)
        let second = RelayRequest(.ping)
        _ = machine.submit([(number: 1, request: first), (number: 2, request: second)])
        let bad = Transmission(correlationID: first.correlationID, entityID: .none, command: [1, 2, 3])
        let good = try Transmission(.pong, correlationID: second.correlationID, entityID: .none, version: 14)
        let block = try cipher.seal(Batch.encode([bad.encoded(14), good.encoded(14)]))
        #expect(machine.received(block).settled == [1: .failure(.unexpectedResponse), 2: .success(.pong)])
    }

    @Test func `a subscription may be answered by its first message`() throws {
        var (machine, cipher) = try connected()
        let request = RelayRequest(.subscribe, entity: .random(), key: .ed25519(.init()))
        _ = machine.submit([(number: 1, request: request)])
        let message = BrokerMessage.message(.random(), body: [1, 2, 3])
        let block = try response(message, request.correlationID, request.entity, &cipher)
        #expect(machine.received(block).settled == [1: .success(message)])
    }

    @Test func `a late response becomes an event`() throws {
        var (machine, cipher) = try connected()
        let request = RelayRequest(.subscribe, entity: .random(), key: .ed25519(.init()))
        _ = machine.submit([(number: 1, request: request)])
        #expect(machine.timedOut(1).settled == [1: .failure(.timeout)])
        #expect(machine.timedOut(1).isEmpty)
        let block = try response(.ok, request.correlationID, request.entity, &cipher)
        #expect(machine.received(block).events == [.lateResponse(entity: request.entity, .ok)])
    }

    @Test func `a late message is a message`() throws {
        var (machine, cipher) = try connected()
        let request = RelayRequest(.acknowledge(.random()), entity: .random(), key: .ed25519(.init()))
        _ = machine.submit([(number: 1, request: request)])
        _ = machine.timedOut(1)
        let id = MessageID.random()
        let block = try response(.message(id, body: [7]), request.correlationID, request.entity, &cipher)
        #expect(machine.received(block).events == [.message(queue: request.entity, id, body: [7])])
    }

    @Test func `responses to nobody are ignored`() throws {
        var (machine, cipher) = try connected()
        #expect(machine.received(try response(.pong, .random(), .none, &cipher)).isEmpty)
    }

    @Test func `events are told apart`() throws {
        var (machine, cipher) = try connected()
        let queue = EntityID.random()
        let id = MessageID.random()
        for number in 0..<2 {
            let request = RelayRequest(.subscribe, entity: queue, key: .ed25519(.init()))
            _ = machine.submit([(number: number, request: request)])
        }
        let messages: [BrokerMessage] = [.message(id, body: [1]), .ended, .deleted]
        let expected: [RelayEvent] = [
            .message(queue: queue, id, body: [1]), .ended(queue: queue), .deleted(queue: queue),
        ]
        for (message, event) in zip(messages, expected) {
            #expect(machine.received(try response(message, .none, queue, &cipher)).events == [event])
        }
    }

    /// A client that has subscribed to a queue, and the relay's cipher.
    private func subscribed(_ queue: EntityID) throws -> (ClientMachine, BlockCipher) {
        var (machine, cipher) = try connected()
        let request = RelayRequest(.subscribe, entity: queue, key: .ed25519(.init()))
        _ = machine.submit([(number: 0, request: request)])
        _ = machine.received(try response(.ok, request.correlationID, queue, &cipher))
        return (machine, cipher)
    }

    @Test func `a second message before the first is acknowledged ends the connection`() throws {
        let queue = EntityID.random()
        var (machine, cipher) = try subscribed(queue)
        let ping = RelayRequest(.ping)
        _ = machine.submit([(number: 1, request: ping)])
        let first = try response(.message(.random(), body: [1]), .none, queue, &cipher)
        #expect(machine.received(first).failure == nil)
        let second = machine.received(try response(.message(.random(), body: [2]), .none, queue, &cipher))
        #expect(second.failure == .protocolViolation(.unacknowledgedMessage))
        #expect(second.events.isEmpty)
        #expect(second.settled == [1: .failure(.interrupted(.protocolViolation(.unacknowledgedMessage)))])
    }

    @Test func `the message after an acknowledgement may come as an event or as its answer`() throws {
        for comesAsAnswer in [false, true] {
            let queue = EntityID.random()
            var (machine, cipher) = try subscribed(queue)
            let id = MessageID.random()
            _ = machine.received(try response(.message(id, body: [1]), .none, queue, &cipher))
            let acknowledgement = RelayRequest(.acknowledge(id), entity: queue, key: .ed25519(.init()))
            _ = machine.submit([(number: 1, request: acknowledgement)])
            let next = BrokerMessage.message(.random(), body: [2])
            if comesAsAnswer {
                let effects = machine.received(try response(next, acknowledgement.correlationID, queue, &cipher))
                #expect(effects.settled == [1: .success(next)])
            } else {
                _ = machine.received(try response(.ok, acknowledgement.correlationID, queue, &cipher))
                #expect(machine.received(try response(next, .none, queue, &cipher)).events.count == 1)
            }
            let third = machine.received(try response(.message(.random(), body: [3]), .none, queue, &cipher))
            #expect(third.failure == .protocolViolation(.unacknowledgedMessage))
        }
    }

    @Test func `nothing of a block counts after the violation`() throws {
        let queue = EntityID.random()
        var (machine, cipher) = try subscribed(queue)
        let messages = try (0..<2).map { _ in
            try Transmission(.message(.random(), body: [1]), correlationID: .none, entityID: queue, version: 14)
                .encoded(14)
        }
        let end = try Transmission(.ended, correlationID: .none, entityID: queue, version: 14).encoded(14)
        let effects = machine.received(try cipher.seal(Batch.encode(messages + [end])))
        #expect(effects.failure == .protocolViolation(.unacknowledgedMessage))
        #expect(effects.events.count == 1)
    }

    @Test(arguments: [true, false])
    func `what nobody asked for ends the connection in the end`(isEvent: Bool) throws {
        var (machine, cipher) = try connected()
        var blocks = 0
        var failure: TransportError?
        while failure == nil, blocks < 100 {
            let transmissions = try (0..<200).map { _ in
                try Transmission(
                    isEvent ? .ended : .pong, correlationID: isEvent ? .none : .random(),
                    entityID: isEvent ? .random() : .none, version: 14
                ).encoded(14)
            }
            let effects = machine.received(try cipher.seal(Batch.encode(transmissions)))
            #expect(effects.events.isEmpty)
            failure = effects.failure
            blocks += 1
        }
        #expect(failure == .protocolViolation(.unsolicitedEvents))
        #expect(blocks == DeliveryLedger.tolerance / 200 + 1)
    }

    @Test func `requests before the hello are not sent`() {
        var machine = client()
        let effects = machine.submit([(number: 1, request: RelayRequest(.ping))])
        #expect(effects.settled == [1: .failure(.notConnected(.closed))])
    }

    @Test func `the end settles everything once`() throws {
        var (machine, _) = try connected()
        _ = machine.submit((1...3).map { (number: $0, request: RelayRequest(.ping)) })
        #expect(machine.closed(.closedByPeer).settled.count == 3)
        #expect(machine.closed(.closedByPeer).isEmpty)
    }
}

extension [ClientMachine.Effect] {
    var settled: [Int: Result<BrokerMessage, RelayRequestError>] {
        var results: [Int: Result<BrokerMessage, RelayRequestError>] = [:]
        for case .settle(let number, let result) in self { results[number] = result }
        return results
    }

    var events: [RelayEvent] { compactMap { if case .event(let event) = $0 { event } else { nil } } }

    var failure: TransportError? {
        for case .fail(let error) in self { return error }
        return nil
    }
}
