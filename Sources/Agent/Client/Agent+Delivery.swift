import AgentProtocol
import SMP

// Messages on their way out.
extension Agent {
    /// Queues a message; it is on disk when this returns and goes out in order, as soon and as often as needed.
    ///
    /// - Parameters:
    ///   - body: at most 15,795 bytes.
    ///   - connection: joined, or allowed by `allow`; it need not be connected yet.
    ///   - notify: whether the peer's device shall be woken.
    ///   - change: what the application keeps of the message, in the same transaction; its editor knows the number.
    /// - Returns: the number that `AgentEvent.sent` or `.failed` will name.
    /// - Throws: `AgentError.unknownConnection`, `.notReady`, `.messageTooLong`, `.stopped`, `.store`.
    public func send(
        _ body: [UInt8], on connection: ConnectionID, notify: Bool, making change: RecordChange? = nil
    ) async throws -> Int64 {
        try ensureRunning()
        guard body.count <= PaddedCounts.maximumBody else {
            throw AgentError.messageTooLong(limit: PaddedCounts.maximumBody)
        }
        let (number, effects) = try step(connection) { step in
            guard !step.record.isDeleting else { throw AgentError.unknownConnection }
            guard step.handshake.takesMessages else { throw AgentError.notReady }
            let number = try step.queue(.application, body: body, notify: notify)
            try change?.make(RecordEditor(step.transaction, message: number))
            return number
        }
        change?.stored()
        apply(effects, to: connection)
        return number
    }

    /// Whether a message waits still for its relay to take it.
    ///
    /// - Throws: `AgentError.stopped`, `.store`.
    public func isWaiting(_ message: Int64, on connection: ConnectionID) async throws -> Bool {
        try ensureOpen()
        return try look { try $0.outgoing(message)?.connection == connection }
    }

    /// Does what the delivery rules decided.
    func perform(_ actions: [DeliveryMachine.Action], of connection: ConnectionID) {
        for action in actions {
            switch action {
            case .transmit(let number):
                runtimes[connection]?.wake?.cancel()
                Task { transmit(number, of: connection) }
            case .wake(let time):
                wake(connection, at: time)
            case .giveUp(let number, let failure):
                giveUp(number, failure, of: connection)
            }
        }
    }

    private func wake(_ connection: ConnectionID, at time: Int64) {
        let delay = max(0, time - now)
        runtimes[connection]?.wake?.cancel()
        runtimes[connection]?.wake = Task {
            guard await pause(milliseconds: delay) else { return }
            perform(runtimes[connection]?.delivery.wake(now: max(time, now)) ?? [], of: connection)
        }
    }

    /// Encrypts a message and begins to send it. One that the store does not take keeps its place until it does.
    func transmit(_ number: Int64, of connection: ConnectionID) {
        guard phase == .running else { return }
        insist(.transmit(connection, message: number), "sending", connection) {
            do {
                let (attempt, _) = try step(connection) { try $0.transmission(number) }
                // Removed meanwhile: nothing is left to send.
                guard let attempt else { return accepted(number, of: connection) }
                Task { await send(attempt, number, of: connection) }
            } catch DeliveryFailure.postponed {
                perform(runtimes[connection]?.delivery.postponed(number) ?? [], of: connection)
            } catch let failure as DeliveryFailure {
                failed(number, failure, of: connection)
            } catch let error as AgentError {
                if case .store(let error) = error, error.isTemporary { throw AgentError.store(error) }
                report(error, "sending", connection)
                failed(number, .unreachable, of: connection)
            } catch {
                failed(number, .rejected("ENCRYPTION"), of: connection)
            }
        }
    }

    private func send(_ attempt: OutgoingTransmission, _ number: Int64, of connection: ConnectionID) async {
        let relay = runtimes[connection]?.sendRelay
        let ways = relay.map { self.ways(to: $0) } ?? []
        let counts = connectionCounts(of: ways)
        do {
            try await handOver(attempt)
            accepted(number, of: connection)
        } catch let failure as DeliveryFailure {
            failed(number, failure, of: connection)
            if ways.contains(where: { isUpAgain($0, since: counts[$0]) }) {
                // It came back before the failure was known here; nothing else would end the wait early.
                perform(runtimes[connection]?.delivery.reachable() ?? [], of: connection)
            }
        } catch {
            failed(number, .unreachable, of: connection)
        }
    }

    /// A confirmation that brings its key and came through before, its answer lost, is refused once the peer has set that
    /// key. With the key it is taken, and the peer knows the repeat.
    private func handOver(_ attempt: OutgoingTransmission) async throws {
        do {
            _ = try await request(attempt.request, ofPeer: attempt.relay)
        } catch DeliveryFailure.refused {
            guard let secured = attempt.securedRequest else { throw DeliveryFailure.refused }
            _ = try await request(secured, ofPeer: attempt.relay)
        }
    }

    /// The peer's relay has taken a message. Where that can't be recorded before the agent ends, the message is sent again
    /// and the peer recognises the repeat.
    func accepted(_ number: Int64, of connection: ConnectionID) {
        guard phase == .running else { return }
        insist(.accept(connection, message: number), "recording a sent message", connection) {
            let (isDeleting, effects) = try step(connection) { step in
                try step.accepted(number)
                return step.record.isDeleting
            }
            apply(effects, to: connection)
            perform(runtimes[connection]?.delivery.accepted(number) ?? [], of: connection)
            if isDeleting { startDeleting(connection) }
        }
    }

    private func failed(_ number: Int64, _ failure: DeliveryFailure, of connection: ConnectionID) {
        guard phase == .running else { return }
        logger.debug("Message not sent", metadata: ["connection": "\(connection)", "reason": "\(failure)"])
        let jitter = surroundings.chance.fraction()
        let actions = runtimes[connection]?.delivery.failed(number, failure, now: now, jitter: jitter) ?? []
        perform(actions, of: connection)
        continueDeleting(connection)
    }

    /// Stores that a message will never be taken.
    func giveUp(_ number: Int64, _ failure: DeliveryFailure, of connection: ConnectionID) {
        insist(.giveUp(connection, message: number, failure), "giving up a message", connection) {
            let (_, effects) = try step(connection) { try $0.givenUp(number, failure) }
            apply(effects, to: connection)
        }
    }
}
