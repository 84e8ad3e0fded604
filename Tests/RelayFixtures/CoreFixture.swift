import Cryptography
import RelayRules
import SMP
import SMPSession

/// A relay core without network, at a fixed time.
package struct CoreFixture {
    package let core: RelayCore

    package init(quota: Int = 128, creation: QueueCreation = QueueCreation()) {
        core = RelayCore(quota: quota, creation: creation) { 1_700_000_000 }
    }

    package func session(_ number: SessionNumber, version: SMPVersion = 14) -> CoreSession {
        CoreSession(core: core, number: number, version: version)
    }
}

/// What a relay answered.
package struct CoreAnswer: Equatable {
    package var correlationID: CorrelationID
    package var entity: EntityID
    package var message: BrokerMessage

    package init(correlationID: CorrelationID, entity: EntityID, message: BrokerMessage) {
        self.correlationID = correlationID
        self.entity = entity
        self.message = message
    }
}

/// One session of a core, and what is asked in it.
package struct CoreSession {
    package let core: RelayCore
    package let context: SessionContext

    package init(core: RelayCore, number: SessionNumber, version: SMPVersion) {
        self.core = core
        context = SessionContext(
            number: number, version: version, sessionID: Array(repeating: UInt8(truncatingIfNeeded: number), count: 32),
            key: SessionKey(), secret: .random(32))
    }

    package func transmission(
        _ command: Command, _ entity: EntityID = .none, _ key: AuthenticationPrivateKey? = nil,
        correlationID: CorrelationID = .random()
    ) throws -> Transmission {
        try Transmission(
            command, correlationID: correlationID, entityID: entity, version: context.version,
            sessionID: context.sessionID, key: key, serverKey: context.key.publicKey)
    }

    /// Sends transmissions in one block.
    package func send(_ transmissions: [Transmission]) throws -> (
        answers: [CoreAnswer], blocks: [[CoreAnswer]], pushes: [Push]
    ) {
        let output = try output(of: transmissions)
        let blocks = try output.payloads.map { try answers($0) }
        return (blocks.flatMap { $0 }, blocks, output.pushes)
    }

    /// What the core has to say to transmissions in one block.
    package func output(of transmissions: [Transmission]) throws -> RelayCore.Output {
        let payload = try Batch.encode(transmissions.map { try $0.encoded(context.version) })
        return core.process(payload, session: context)
    }

    /// Reads a block of the relay.
    package func answers(_ payload: [UInt8]) throws -> [CoreAnswer] {
        try Batch.transmissions(payload, version: context.version).map { result in
            let transmission = try result.get()
            return CoreAnswer(
                correlationID: transmission.correlationID, entity: transmission.entityID,
                message: try BrokerMessage(decoding: transmission.command, version: context.version))
        }
    }

    /// Asks one thing; the response, which must name the request's id and, unless it is of the kind that names none, its
    /// entity.
    package func ask(
        _ command: Command, _ entity: EntityID = .none, _ key: AuthenticationPrivateKey? = nil
    ) throws -> BrokerMessage {
        let transmission = try transmission(command, entity, key)
        guard let answer = try send([transmission]).answers.first(where: { !$0.correlationID.isEmpty }),
            answer.correlationID == transmission.correlationID, answer.entity == entity
        else { throw RelayRequestError.unexpectedResponse }
        return answer.message
    }

    package func makeQueue(
        subscribes: Bool = true, link: QueueRequest.Link? = .messaging(nil),
        key: AuthenticationPrivateKey = .ed25519(.init())
    ) throws -> CoreQueue {
        let request = QueueRequest(
            recipientKey: key.publicKey, agreementKey: X25519.PrivateKey().publicKey, subscribes: subscribes, link: link
        )
        guard case .queue(let ids) = try ask(.new(request), .none, key) else {
            throw RelayRequestError.unexpectedResponse
        }
        return CoreQueue(ids: ids, recipientKey: key, senderKey: .ed25519(.init()))
    }
}

/// A queue and its keys.
package struct CoreQueue {
    package let ids: QueueIDs
    package let recipientKey: AuthenticationPrivateKey
    package let senderKey: AuthenticationPrivateKey

    package init(ids: QueueIDs, recipientKey: AuthenticationPrivateKey, senderKey: AuthenticationPrivateKey) {
        self.ids = ids
        self.recipientKey = recipientKey
        self.senderKey = senderKey
    }

    package var recipientID: EntityID { ids.recipientID }
    package var senderID: EntityID { ids.senderID }

    package func ask(_ command: Command, in session: CoreSession) throws -> BrokerMessage {
        try session.ask(command, recipientID, recipientKey)
    }

    package func secure(in session: CoreSession) throws {
        _ = try session.ask(.secure(senderKey.publicKey), senderID, senderKey)
    }

    @discardableResult
    package func send(_ body: [UInt8] = [1], in session: CoreSession, secured: Bool = true) throws -> BrokerMessage {
        try session.ask(.send(notify: false, body: body), senderID, secured ? senderKey : nil)
    }
}

extension BrokerMessage {
    package static let authenticationError = BrokerMessage.error(.authentication)
}
