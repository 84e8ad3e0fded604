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

    /// The same, and keeps a value of the application in the same transaction: what follows from a message is stored with its
    /// acknowledgement, or neither is.
    ///
    /// - Returns: whether the value is on disk. Otherwise the message is acknowledged without it, as soon as the store works.
    public func acknowledge(
        _ connection: ConnectionID, message: Int64, receipt: Bool, keeping value: ApplicationValue
    ) async -> Bool {
        finish(connection, message: message, receipt: receipt, keeping: value)
    }

    /// The same, and changes records of the application in the same transaction. When that fails the message is not acknowledged, and
    /// nothing more comes from its queue until this was called again.
    ///
    /// - Throws: `AgentError.store`, `.stopped`, `.notReady`, and `.unknownConnection`, of which nothing is to be kept.
    public func acknowledge(
        _ connection: ConnectionID, message: Int64, receipt: Bool, making change: RecordChange,
        keeping value: ApplicationValue? = nil
    ) async throws {
        try ensureRunning()
        let (queue, effects) = try step(connection) { step in
            try change.make(RecordEditor(step.transaction, message: message))
            if let value { try step.transaction.setApplicationData(value.name, value.content()) }
            return try step.acknowledge(message, receipt: receipt)
        }
        change.stored()
        proceed(connection, message: message, queue: queue, effects)
    }

    private func proceed(
        _ connection: ConnectionID, message: Int64, queue: Int64?, _ effects: ConnectionEffects
    ) {
        guard let queue else { return }
        apply(effects, to: connection)
        let actions = runtimes[connection]?.receptions[queue]?.acknowledged(message) ?? []
        perform(actions, of: connection, queue: queue)
    }

    /// Stores that the application is done with a message, and tells the relay.
    ///
    /// - Returns: whether that is on disk.
    @discardableResult
    func finish(
        _ connection: ConnectionID, message: Int64, receipt: Bool, keeping value: ApplicationValue? = nil
    ) -> Bool {
        guard phase == .running else { return false }
        var isStored = false
        let work = PostponedWork.acknowledge(connection, message: message, receipt: receipt)
        insist(work, "acknowledging", connection) {
            let (acknowledged, effects) = try step(connection) { step in
                if let value { try step.transaction.setApplicationData(value.name, value.content()) }
                return try step.acknowledge(message, receipt: receipt)
            }
            isStored = true
            proceed(connection, message: message, queue: acknowledged, effects)
        }
        return isStored
    }

    // MARK: How far it has been read

    /// Whether everything was told that waited for a connection when the line to its relay was made. What comes in from then on
    /// has just been sent.
    public nonisolated func hasRead(_ connection: ConnectionID) -> Bool { reading.isRead(connection) }

    /// Tells `AgentEvent.read` of a connection, at once or when it comes to that, also after another start of its line.
    public func tellWhenRead(_ connection: ConnectionID) async {
        if reading.watch(connection) { tell(.read(connection)) }
    }

    /// A queue was subscribed: if no message has followed in a while, none waits. That it takes a while keeps nobody from anything
    /// but ringing for a call that a former process has kept: what comes in shows the end of its queue by itself.
    func reachEndLater(of name: ReceiveQueueName) {
        let count = lines[name.relay]?.connectionCount
        Task { [weak self, clock = surroundings.clock] in
            try? await clock.sleep(milliseconds: Self.firstMessageTime, isolation: nil)
            await self?.reachEnd(of: name, since: count)
        }
    }

    /// How long the first message of a queue may take to follow the answer to its subscription, in milliseconds. Ours.
    private static let firstMessageTime: Int64 = 700

    private func reachEnd(of name: ReceiveQueueName, since count: Int?) {
        guard phase == .running, isUp(name.relay, since: count), !reading.isDelivering(name) else { return }
        reachedEnd(of: name)
    }

    /// A relay says, by giving none, that no message waits in a queue.
    func reachedEnd(of name: ReceiveQueueName) {
        guard let place = places[name], reading.reachedEnd(of: name, place.connection) else { return }
        tell(.read(place.connection))
    }

    /// A relay delivered a message, for the first time or again. What can't be stored is not acknowledged.
    func received(_ id: MessageID, _ body: [UInt8], _ name: ReceiveQueueName) {
        guard phase == .running else { return }
        guard let place = places[name] else {
            logger.warning("Message for an unknown queue", metadata: ["relay": "\(name.relay)"])
            return
        }
        outage.forgetDelivery(on: name)
        reading.delivers(name)
        let message = HeldMessage(id: id, body: body, queue: name)
        insist(.receive(message), "receiving", place.connection) { try takeIn(message, at: place) }
    }

    private func takeIn(_ message: HeldMessage, at place: ReceiveQueuePlace) throws {
        guard let runtime = runtimes[place.connection] else { return }
        let machine = runtime.receptions[place.queue] ?? ReceptionMachine()
        let intake = try inStore { transaction in
            var step = try ConnectionStep(transaction, place.connection, now: now)
            return try step.takeIn(
                message.id, message.body, on: place.queue, machine, limits: configuration.requestLimits)
        }
        switch intake {
        case .ignored:
            break
        case .held(let effects):
            runtimes[place.connection]?.held = message
            apply(effects, to: place.connection)
        case .refused(let count):
            leave(message.queue, of: place.connection, waitingRequests: count)
        case .taken(let reception):
            runtimes[place.connection]?.receptions[place.queue] = reception.machine
            if reception.effects?.hasMovedRatchet == true { ratchetMoved() }
            perform(
                reception.actions, of: place.connection, queue: place.queue, offering: reception.message,
                worth: reception.worth)
            if let effects = reception.effects { apply(effects, to: place.connection) }
        }
    }

    /// Does what the reception rules decided.
    ///
    /// - Parameter message: the stored message that is offered to the application.
    func perform(
        _ actions: [ReceptionMachine.Action], of connection: ConnectionID, queue: Int64,
        offering message: ReceivedMessage? = nil, worth: ReceptionPace.Worth = .useful
    ) {
        for action in actions {
            switch action {
            case .offer:
                if let message { tell(.message(connection, message)) }
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
                } else {
                    reachedEnd(of: name)
                }
                return
            } catch DeliveryFailure.unreachable {
                failures += 1
                guard isUp(name.relay, since: count), await sleep(afterFailures: failures) else { return }
            } catch {
                // NO_MSG and the like: there is nothing left to acknowledge.
                logger.debug("ACK refused", metadata: ["connection": "\(connection)", "reason": "\(error)"])
                reachedEnd(of: name)
                return
            }
        }
    }
}
