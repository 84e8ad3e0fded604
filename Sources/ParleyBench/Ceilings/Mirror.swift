import BaseKit
import SMP
import SMPSession
import SMPTransport

/// Moves the blocks a relay would move and does nothing else: no authenticators, no queues, no sealed messages. What it
/// reaches is the ceiling of TLS, framing and sockets.
///
/// It knows four commands: SUB ties an entity to a session, SEND is answered and pushes a message of constant bytes to
/// the entity's session, once the one before was acknowledged by ACK (SMP fact sheet §9.2), everything is answered `OK`.
final class Mirror: ServerSessionHandler {
    private struct Recipient {
        let session: ServerSession
        /// The payload of a block with `MSG` for the entity.
        let message: [UInt8]
        /// Messages that have come and are not acknowledged; the first of them is with the recipient.
        var waiting = 0
    }

    private let recipients = Lock<[ArraySlice<UInt8>: Recipient]>([:])

    func sessionStarted(_ session: ServerSession) {}

    func sessionEnded(_ session: ServerSession, reason: TransportError) {
        recipients.withLock { all in all = all.filter { $0.value.session.number != session.number } }
    }

    func session(_ session: ServerSession, received payload: Result<[UInt8], SMPDecodingError>) {
        guard case .success(let payload) = payload, let block = MirroredBlock(payload) else {
            session.close()
            return
        }
        for entity in block.subscriptions { subscribe(entity, session) }
        session.send([block.answer])
        let targets = recipients.withLock { all in
            block.acknowledged.compactMap { Self.acknowledge(&all[$0]) }
                + block.sends.compactMap { Self.push(&all[$0]) }
        }
        for target in targets { target.session.send([target.message]) }
    }

    /// Who gets a message now because one came, if it is the only one.
    private static func push(_ recipient: inout Recipient?) -> Recipient? {
        recipient?.waiting += 1
        return recipient?.waiting == 1 ? recipient : nil
    }

    /// Who gets a message now because the one before was acknowledged.
    private static func acknowledge(_ recipient: inout Recipient?) -> Recipient? {
        guard let waiting = recipient?.waiting, waiting > 0 else { return nil }
        recipient?.waiting -= 1
        return waiting > 1 ? recipient : nil
    }

    private func subscribe(_ entity: ArraySlice<UInt8>, _ session: ServerSession) {
        guard let message = Self.message(for: EntityID(Array(entity)), session.version) else { return }
        // A copy, so that the block it came in is not kept.
        recipients.withLock { $0[Array(entity)[...]] = Recipient(session: session, message: message) }
    }

    private static func message(for entity: EntityID, _ version: SMPVersion) -> [UInt8]? {
        let body = [UInt8](repeating: 0x5A, count: SMPLimits.sealedMessageBody)
        let message = BrokerMessage.message(MessageID.random(), body: body)
        let transmission = try? Transmission(message, correlationID: .none, entityID: entity, version: version)
        guard let encoded = try? transmission?.encoded(version) else { return nil }
        return try? Batch.encode([encoded])
    }
}

/// A block's commands, as far as a mirror looks at them: only lengths are read (SMP fact sheet §6, versions 7 to 15).
struct MirroredBlock: Equatable, Sendable {
    /// One `OK` for each transmission.
    private(set) var answer: [UInt8] = []
    /// Entities of SUB, and of SEND.
    private(set) var subscriptions: [ArraySlice<UInt8>] = []
    private(set) var sends: [ArraySlice<UInt8>] = []
    /// Entities of ACK.
    private(set) var acknowledged: [ArraySlice<UInt8>] = []

    /// Nil when the lengths don't fit.
    init?(_ payload: [UInt8]) {
        guard let count = payload.first, count > 0 else { return nil }
        answer = [count]
        var rest = payload.dropFirst()
        for _ in 0..<count {
            guard rest.count >= 2, let high = rest.popFirst(), let low = rest.popFirst() else { return nil }
            let length = Int(high) << 8 | Int(low)
            guard rest.count >= length, receive(rest.prefix(length)) else { return nil }
            rest = rest.dropFirst(length)
        }
        guard rest.isEmpty else { return nil }
    }

    private mutating func receive(_ transmission: ArraySlice<UInt8>) -> Bool {
        var rest = transmission
        guard Self.field(&rest) != nil, let correlation = Self.field(&rest), let entity = Self.field(&rest) else {
            return false
        }
        if rest.starts(with: Array("SEND".utf8)) { sends.append(entity) }
        if rest.starts(with: Array("ACK".utf8)) { acknowledged.append(entity) }
        if rest.starts(with: Array("SUB".utf8)) { subscriptions.append(entity) }
        let length = 1 + 1 + correlation.count + 1 + entity.count + 2
        answer += [UInt8(length >> 8), UInt8(length & 0xFF), 0, UInt8(correlation.count)]
        answer += correlation
        answer.append(UInt8(entity.count))
        answer += entity
        answer += Array("OK".utf8)
        return true
    }

    private static func field(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let length = rest.popFirst(), rest.count >= Int(length) else { return nil }
        defer { rest = rest.dropFirst(Int(length)) }
        return rest.prefix(Int(length))
    }
}
