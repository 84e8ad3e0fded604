import Logging

// A store that fails: what it did not take is tried again until it does.
extension Agent {
    /// Does `body`, or again later when the store fails in it; other failures are reported.
    ///
    /// - Parameters:
    ///   - work: the same, for later.
    ///   - doing: for the log.
    func insist(_ work: PostponedWork, _ doing: String, _ connection: ConnectionID? = nil, _ body: () throws -> Void) {
        do {
            try body()
        } catch AgentError.unknownConnection {
            return
        } catch AgentError.store(let error) where error.isTemporary {
            logger.debug(
                "Not stored yet", metadata: ["doing": "\(doing)", "connection": "\(connection?.rawValue ?? "-")"])
            outage.postpone(work)
        } catch {
            report(error, doing, connection)
        }
    }

    /// A transaction failed.
    func storeFailed(_ error: StoreError) {
        guard phase == .running else { return }
        perform(outage.failed(error, jitter: surroundings.chance.fraction()))
    }

    private func perform(_ actions: [StoreOutage.Action]) {
        for action in actions {
            switch action {
            case .wake(let delay, let number):
                Task { [weak self, clock = surroundings.clock] in
                    try? await clock.sleep(milliseconds: delay, isolation: nil)
                    await self?.tryStore(number)
                }
            case .tellFailing(let error):
                logger.error("Nothing can be stored", metadata: ["error": "\(error)"])
                tell(.storeFailing(error))
            case .tellRecovered:
                logger.notice("The store works again")
                tell(.storeRecovered)
            }
        }
    }

    private func tryStore(_ number: Int) {
        guard phase == .running else { return }
        guard let work = outage.wake(number) else { return perform(outage.cooled(number)) }
        // A store without room may still read, and take what is small.
        let works = (try? inStore { try $0.probe() }) != nil
        for postponed in work {
            if works { again(postponed) } else { outage.postpone(postponed) }
        }
        perform(outage.tried(jitter: surroundings.chance.fraction()))
    }

    private func again(_ work: PostponedWork) {
        switch work {
        case .begin: begin()
        case .conclude(let note, let evidence): conclude(note, evidence)
        case .restoreAll: restore()
        case .restore(let connection): restore(connection)
        case .receive(let message): received(message.id, message.body, message.queue)
        case .acknowledge(let connection, let message, let receipt):
            finish(connection, message: message, receipt: receipt)
        case .transmit(let connection, let message): transmit(message, of: connection)
        case .accept(let connection, let message): accepted(message, of: connection)
        case .giveUp(let connection, let message, let failure): giveUp(message, failure, of: connection)
        case .relayStep(let connection): retryRelayStep(of: connection)
        case .failHandshake(let connection, let failure): fail(connection, failure)
        case .askApplication(let connection): askApplication(connection)
        case .rotationStep(let connection): retryRotationStep(of: connection)
        case .giveUpMove(let connection, let failure): giveUpMove(connection, failure)
        case .repair(let connection): repairByItself(connection)
        case .replaceRatchet(let connection): replaceRatchet(of: connection)
        case .delete(let connection): continueDeleting(connection)
        case .queueGone(let queue): queueIsGone(queue)
        case .discard(let queue): discard(queue)
        }
    }
}
