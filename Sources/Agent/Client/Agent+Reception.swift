import AgentProtocol
import Cryptography
import SMP
import SMPSession

// Messages on their way in.
extension Agent {
    /// The application is done with a message: its content is forgotten, and the relay delivers the next one.
    public func acknowledge(_ connection: ConnectionID, message: Int64) async {
        await acknowledge(connection, message: message, receipt: false)
    }

    /// The same, and with `receipt` the peer is told that the message was received, if its version knows receipts
    /// (Agent fact sheet §8). What was acknowledged without a receipt never gets one.
    public func acknowledge(_ connection: ConnectionID, message: Int64, receipt: Bool) async {
        finish(connection, message: message, receipt: receipt)
    }

    /// Stores that the application is done with a message, and tells the relay.
    func finish(_ connection: ConnectionID, message: Int64, receipt: Bool) {
        guard phase == .running else { return }
        let work = PostponedWork.acknowledge(connection, message: message, receipt: receipt)
        insist(work, "acknowledging", connection) {
            let (acknowledged, effects) = try step(connection) { try $0.acknowledge(message, receipt: receipt) }
            guard let queue = acknowledged else { return }
            apply(effects, to: connection)
            let actions = runtimes[connection]?.receptions[queue]?.acknowledged(message) ?? []
            perform(actions, of: connection, queue: queue)
        }
    }

    /// A relay delivered a message, for the first time or again. What can't be stored is not acknowledged.
    func received(_ id: MessageID, _ body: [UInt8], _ name: ReceiveQueueName) {
        guard phase == .running else { return }
        guard let place = places[name] else {
            logger.warning("Message for an unknown queue", metadata: ["relay": "\(name.relay)"])
            return
        }
        outage.forgetDelivery(on: name)
        let message = HeldMessage(id: id, body: body, queue: name)
        insist(.receive(message), "receiving", place.connection) {
            guard let connection = try inStore({ try $0.connection(place.connection) }), !connection.isDeleting else {
                return
            }
            if connection.rotation != .none,
                try inStore({ try $0.receiveQueue(place.queue) })?.isCandidate == true
            {
                return try hold(message, of: place.connection)
            }
            let known = try inStore { try $0.receptionRecord(queue: place.queue, relayID: id.bytes) }
            if connection.isAddress, known == .unknown, try !hasRoomForRequest(at: place.connection, name) { return }
            switch runtimes[place.connection]?.receptions[place.queue, default: ReceptionMachine()]
                .delivered(id.bytes, known)
            {
            case .process: try process(id, body, place)
            case .known(let actions): perform(actions, of: place.connection, queue: place.queue, worth: .useless)
            case nil: break
            }
        }
    }

    private func process(_ id: MessageID, _ body: [UInt8], _ place: ReceiveQueuePlace) throws {
        do {
            let ((outcome, worth), effects) = try step(place.connection) { step in
                try Self.take(id, body, place, &step)
            }
            let actions = runtimes[place.connection]?.receptions[place.queue]?.processed(id.bytes, outcome)
            perform(actions ?? [], of: place.connection, queue: place.queue, worth: worth)
            apply(effects, to: place.connection)
        } catch {
            // Nothing was stored: the message stays with the relay.
            runtimes[place.connection]?.receptions[place.queue]?.abandoned(id.bytes)
            throw error
        }
    }

    private static func take(
        _ id: MessageID, _ body: [UInt8], _ place: ReceiveQueuePlace, _ step: inout ConnectionStep
    ) throws -> (ReceptionMachine.Outcome, ReceptionPace.Worth) {
        guard let queue = try step.transaction.receiveQueue(place.queue) else { return (.finished, .useful) }
        var message = DeliveredMessage(relayID: id.bytes, time: 0, body: [])
        switch try? MessageBody(opening: body, secret: queue.deliverySecret, id: id) {
        case .message(let time, _, let body):
            message.time = time
            message.body = body
            let outcome = try step.receive(message, on: queue)
            return (outcome, outcome == .finished ? step.worth : .useful)
        case .quota(let time):
            message.time = time
            try step.receiveQuotaMarker(message, on: queue)
        case nil:
            try step.receiveUnreadable(message, on: queue)
        }
        return (.finished, .useless)
    }

    /// Does what the reception rules decided.
    func perform(
        _ actions: [ReceptionMachine.Action], of connection: ConnectionID, queue: Int64,
        worth: ReceptionPace.Worth = .useful
    ) {
        for action in actions {
            switch action {
            case .offer(let number):
                offer(number, connection)
            case .acknowledge(let relayID):
                let delay = runtimes[connection]?.paces[queue, default: ReceptionPace()].delay(after: worth, at: now)
                Task { [weak self, clock = surroundings.clock, continuation] in
                    if let delay, delay > 0 { try? await clock.sleep(milliseconds: delay, isolation: nil) }
                    // The answer may bring a message for an application that is behind.
                    await continuation.room()
                    await self?.acknowledge(relayID, of: connection, queue: queue)
                }
            }
        }
    }

    /// Tells the application of a stored message.
    func offer(_ number: Int64, _ connection: ConnectionID) {
        insist(.offer(connection, message: number), "reading a received message", connection) {
            guard let stored = try inStore({ try $0.received(number) }), let body = stored.body,
                let integrity = stored.integrity
            else { return }
            tell(
                .message(
                    connection,
                    ReceivedMessage(
                        id: number, brokerTime: stored.brokerTime, body: body,
                        integrity: try MessageIntegrity(decoding: integrity))))
        }
    }

    /// Tells the relay; its answer may bring the next message. When the connection is lost nothing more is needed: the
    /// relay delivers again after the next subscription and the store knows the message. While it holds, an answer that
    /// does not come is asked for again.
    private func acknowledge(_ relayID: [UInt8], of connection: ConnectionID, queue: Int64) async {
        guard let name = names[queue], let place = places[name] else { return }
        let request = RelayRequest(.acknowledge(MessageID(relayID)), entity: name.recipientID, key: place.key)
        let count = lines[name.relay]?.connectionCount
        var failures = 0
        while phase == .running, isUp(name.relay, since: count) {
            do {
                if case .message(let id, let body) = try await self.request(request, on: name.relay) {
                    received(id, body, name)
                }
                return
            } catch DeliveryFailure.unreachable {
                failures += 1
                guard isUp(name.relay, since: count), await sleep(afterFailures: failures) else { return }
            } catch {
                // NO_MSG and the like: there is nothing left to acknowledge.
                logger.debug("ACK refused", metadata: ["connection": "\(connection)", "reason": "\(error)"])
                return
            }
        }
    }
}
