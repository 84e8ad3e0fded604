import Cryptography
import SMP

/// The client's side of one connection after TLS: hello, then requests, responses and events. It does no I/O.
package struct ClientMachine: Sendable {
    package enum Effect: Sendable {
        /// Send this block.
        case send([UInt8])
        /// The hellos are exchanged.
        case ready(SMPVersion)
        /// The request with this number is settled.
        case settle(Int, Result<BrokerMessage, RelayRequestError>)
        case event(RelayEvent)
        /// Close the connection for this reason.
        case fail(TransportError)
    }

    private enum State {
        case connecting
        case greeting(TLSDetails)
        case ready(ClientSession)
        case closed(TransportError)
    }

    private struct Pending {
        let number: Int
        let entity: EntityID
    }

    /// How many responses that missed their time are still recognised.
    private static let maximumLate = 1_000

    private let versions: SMPVersionRange
    private let keyHash: [UInt8]
    private let sessionKey: X25519.PrivateKey
    private let isProxy: Bool
    private var state = State.connecting
    private var pending: [CorrelationID: Pending] = [:]
    private var late: [CorrelationID: EntityID] = [:]
    private var ledger = DeliveryLedger()

    /// - Parameters:
    ///   - keyHash: SHA-256 of the relay's identity certificate.
    ///   - sessionKey: fresh for each connection.
    ///   - isProxy: whether the client is a proxy, and tells so.
    package init(versions: SMPVersionRange, keyHash: [UInt8], sessionKey: X25519.PrivateKey, isProxy: Bool = false) {
        self.versions = versions
        self.keyHash = keyHash
        self.sessionKey = sessionKey
        self.isProxy = isProxy
    }

    /// What a proxy passes on of the relay; nil for an ordinary client, and without a connection.
    package var forwarding: ForwardingDetails? {
        if case .ready(let session) = state { session.forwarding } else { nil }
    }

    /// TLS is set up; the relay speaks first.
    package mutating func tlsEstablished(_ details: TLSDetails) {
        guard case .connecting = state else { return }
        state = .greeting(details)
    }

    /// A block arrived.
    package mutating func received(_ block: [UInt8]) -> [Effect] {
        switch state {
        case .connecting, .closed: []
        case .greeting(let details): greet(block, details)
        case .ready(var session):
            readBlock(block, &session)
        }
    }

    /// Requests to send, each with a number under which it will be settled.
    package mutating func submit(_ requests: [(number: Int, request: RelayRequest)]) -> [Effect] {
        switch state {
        case .connecting, .greeting: return requests.map { .settle($0.number, .failure(.notConnected(.closed))) }
        case .closed(let reason): return requests.map { .settle($0.number, .failure(.notConnected(reason))) }
        case .ready(var session):
            var effects: [Effect] = []
            var encoded: [[UInt8]] = []
            for (number, request) in requests {
                guard let transmission = try? session.encode(request), transmission.count + 2 <= SMPLimits.batch,
                    pending[request.correlationID] == nil
                else {
                    effects.append(.settle(number, .failure(.notEncodable)))
                    continue
                }
                pending[request.correlationID] = Pending(number: number, entity: request.entity)
                ledger.asked(request.command, request.entity)
                encoded.append(transmission)
            }
            do {
                for payload in try Batch.pack(encoded) { effects.append(.send(try session.cipher.seal(payload))) }
                state = .ready(session)
                return effects
            } catch {
                // Every part was checked to fit, so the key chain is beyond repair.
                return effects + close(.block)
            }
        }
    }

    /// The time of a request is over.
    package mutating func timedOut(_ number: Int) -> [Effect] {
        guard let (id, request) = pending.first(where: { $0.value.number == number }) else { return [] }
        pending[id] = nil
        if late.count >= Self.maximumLate { late.removeAll() }
        late[id] = request.entity
        return [.settle(number, .failure(.timeout))]
    }

    /// The connection is gone; settles what is pending.
    package mutating func closed(_ reason: TransportError) -> [Effect] {
        if case .closed = state { return [] }
        state = .closed(reason)
        let effects = pending.values.sorted { $0.number < $1.number }
            .map { Effect.settle($0.number, .failure(.interrupted(reason))) }
        pending = [:]
        return effects
    }

    private mutating func close(_ reason: TransportError) -> [Effect] { closed(reason) + [.fail(reason)] }

    private mutating func greet(_ block: [UInt8], _ details: TLSDetails) -> [Effect] {
        do throws(TransportError) {
            let (session, answer) = try ClientSession.greet(
                block, details: details, versions: versions, keyHash: keyHash, sessionKey: sessionKey,
                isProxy: isProxy)
            state = .ready(session)
            return [.send(answer), .ready(session.version)]
        } catch {
            return close(error)
        }
    }

    private mutating func readBlock(_ block: [UInt8], _ session: inout ClientSession) -> [Effect] {
        let transmissions: [Result<Transmission, TransmissionFault>]
        do {
            let payload = try session.cipher.open(block)
            transmissions = try Batch.transmissions(payload, version: session.version)
        } catch {
            return close(.block)
        }
        state = .ready(session)
        var effects: [Effect] = []
        for result in transmissions {
            guard case .ready = state else { break }
            switch result {
            case .success(let transmission): effects += read(transmission, session.version)
            case .failure(let fault): effects += settle(fault.correlationID, .failure(.unexpectedResponse))
            }
        }
        return effects
    }

    private mutating func read(_ transmission: Transmission, _ version: SMPVersion) -> [Effect] {
        let message = try? BrokerMessage(decoding: transmission.command, version: version)
        let id = transmission.correlationID
        if id.isEmpty {
            let verdict = message.map { ledger.happened($0, transmission.entityID) } ?? ledger.drop()
            return conclude(message, verdict) { .init(event: $0, entity: transmission.entityID) }
        }
        if let entity = late.removeValue(forKey: id) {
            let verdict = message.map { ledger.answered($0, entity) } ?? .drop
            return conclude(message, verdict) { .init(late: $0, entity: entity) }
        }
        guard let request = pending[id] else { return conclude(nil, ledger.drop()) { .init(event: $0, entity: .none) } }
        switch message {
        case .error(let error): return settle(id, .failure(.refused(error)))
        case .some(let message) where isAbout(request.entity, transmission.entityID, message):
            // A repeat is the answer all the same.
            if case .refuse(let violation) = ledger.answered(message, request.entity) {
                return close(.protocolViolation(violation))
            }
            return settle(id, .success(message))
        case .some, .none: return settle(id, .failure(.unexpectedResponse))
        }
    }

    /// What the ledger's verdict on something that no request waits for comes to.
    private mutating func conclude(
        _ message: BrokerMessage?, _ verdict: DeliveryLedger.Verdict, _ event: (BrokerMessage) -> RelayEvent
    ) -> [Effect] {
        switch verdict {
        case .deliver: message.map { [.event(event($0))] } ?? []
        case .drop: []
        case .refuse(let violation): close(.protocolViolation(violation))
        }
    }

    /// A response names the entity of its request (SMP fact sheet §6), where it names one at all.
    private func isAbout(_ requested: EntityID, _ answered: EntityID, _ message: BrokerMessage) -> Bool {
        message.entityRule == .forbidden ? answered.isEmpty : answered == requested
    }

    private mutating func settle(
        _ id: CorrelationID, _ result: Result<BrokerMessage, RelayRequestError>
    ) -> [Effect] {
        guard let request = pending.removeValue(forKey: id) else {
            return conclude(nil, ledger.drop()) { .init(event: $0, entity: .none) }
        }
        return [.settle(request.number, result)]
    }
}

extension RelayEvent {
    fileprivate init(event message: BrokerMessage, entity: EntityID) {
        switch message {
        case .message(let id, let body): self = .message(queue: entity, id, body: body)
        case .ended: self = .ended(queue: entity)
        case .deleted: self = .deleted(queue: entity)
        default: self = .other(entity: entity, message)
        }
    }

    fileprivate init(late message: BrokerMessage, entity: EntityID) {
        if case .message(let id, let body) = message {
            self = .message(queue: entity, id, body: body)
        } else {
            self = .lateResponse(entity: entity, message)
        }
    }
}
