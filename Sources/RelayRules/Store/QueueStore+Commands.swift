import SMP

extension QueueStore {
    /// Commands that need nothing but the store.
    mutating func execute(_ command: Command, entity: EntityID, session: SessionNumber) -> Execution {
        switch command {
        case .delete: return delete(entity, session: session)
        case .suspend: return suspend(entity)
        case .secure(let key): return secure(entity, with: key)
        case .secureAndGetLink(let key): return secureAndGetLink(entity, with: key)
        case .getLink: return getLink(entity)
        case .subscribeNotifier: return subscribeNotifier(entity, session: session)
        case .subscribe, .get, .acknowledge, .setSenderKey, .setRecipientKeys, .setLinkData, .deleteLinkData,
            .deleteNotifier, .queueInfo:
            return blocking(entity) ?? executeUnlessBlocked(command, entity, session)
        case .new, .setNotifier, .send, .ping, .openProxySession, .forwardToProxy, .forwardToRelay, .subscribeService,
            .subscribeNotifierService:
            return .refusal(.internalError)
        }
    }

    /// The answer to a recipient of a queue that the operator blocked.
    func blocking(_ id: EntityID) -> Execution? {
        if case .blocked(let info) = queues[id]?.status { .refusal(.blocked(info)) } else { nil }
    }

    private mutating func executeUnlessBlocked(
        _ command: Command, _ entity: EntityID, _ session: SessionNumber
    ) -> Execution {
        switch command {
        case .subscribe: subscribe(entity, session: session)
        case .get: get(entity, session: session)
        case .acknowledge(let message): acknowledge(entity, message: message, session: session)
        case .setSenderKey(let key): setSenderKey(key, queue: entity)
        case .setRecipientKeys(let keys): setRecipientKeys(keys, queue: entity)
        case .setLinkData(let linkID, let data): setLinkData(linkID, data, queue: entity)
        case .deleteLinkData: deleteLinkData(queue: entity)
        case .deleteNotifier: deleteNotifier(queue: entity, session: session)
        case .queueInfo: information(entity, session: session)
        default: .refusal(.internalError)
        }
    }
}
