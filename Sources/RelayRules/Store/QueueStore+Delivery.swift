import Cryptography
import SMP
import SMPSession

// Sending, subscribing and acknowledging (SMP fact sheet §12.1). Each step is one mutation of the store.
extension QueueStore {
    /// SEND, after authorisation.
    mutating func send(
        _ sender: EntityID, notify: Bool, body: [UInt8], limit: Int, time: Int64, seen: Int64? = nil,
        origin: ConnectionOrigin? = nil
    ) -> Execution {
        guard let id = senders[sender], let index = queues.index(forKey: id) else { return .refusal(.authentication) }
        guard body.count <= limit else { return .refusal(.largeMessage) }
        switch queues.values[index].status {
        case .active: break
        case .off: return .refusal(.authentication)
        case .blocked(let info): return .refusal(.blocked(info))
        }
        if let link = queues.values[index].takeUsedLink() {
            links[link.id] = nil
            use.replace(link, nil)
            journal.append(.saveLink(queue: queues.values[index].number, nil))
        }
        let wasEmpty = queues.values[index].messages.isEmpty
        guard queues.values[index].canWrite || wasEmpty else { return .refusal(.quota) }
        guard use.hasRoomForMessage(body.count, from: origin, limits) else { return .refusal(.store("no room")) }
        let canWrite = queues.values[index].messages.count < quota
        let content: MessageBody =
            canWrite ? .message(time: time, notify: notify, body: body) : .quota(time: time)
        let message = StoredMessage(
            number: nextNumber(), id: entropy.messageID(), body: content, seen: seen, origin: origin)
        // In its place: a copy of a queue costs more than all the rest, and everybody waits for it.
        queues.values[index].append(message, canWrite: canWrite)
        journal.append(.addMessage(queue: queues.values[index].number, message))
        count(message, in: id)
        let reply: Reply = canWrite ? .ok : .refusal(.quota)
        var pushes: [Push] = []
        if notify, canWrite, let notifier = queues.values[index].notifier {
            pushes = self.notify(notifier, of: message)
        }
        guard wasEmpty, let session = queues.values[index].subscriber, let entry = sessions[session]?[id],
            entry.delivered == nil
        else {
            return Execution(reply, pushes: pushes)
        }
        let secret = queues.values[index].secret
        sessions[session]?[id]?.delivered = message.id
        pushes.insert(Push(session: session, entity: id, reply: .delivery(message, secret: secret)), at: 0)
        return Execution(reply, pushes: pushes)
    }

    /// SUB: this session is the subscriber from now on.
    mutating func subscribe(_ id: EntityID, session: SessionNumber) -> Execution {
        guard let queue = queues[id] else { return .refusal(.authentication) }
        if sessions[session]?[id]?.kind == .getOnly { return .refusal(.command(.prohibited)) }
        var pushes: [Push] = []
        if let other = queue.subscriber, other != session {
            sessions[other]?[id] = nil
            pushes = [Push(session: other, entity: id, reply: .plain(.ended))]
        }
        queues[id]?.subscriber = session
        let head = queue.messages.first
        sessions[session, default: [:]][id] = SessionEntry(kind: .subscribed, delivered: head?.id)
        let events = head.map { [Push(session: session, entity: id, reply: .delivery($0, secret: queue.secret))] } ?? []
        return Execution(.plain(.subscribed(serviceID: nil)), events: events, pushes: pushes)
    }

    /// GET: one message without subscription.
    mutating func get(_ id: EntityID, session: SessionNumber) -> Execution {
        guard let queue = queues[id] else { return .refusal(.authentication) }
        if sessions[session]?[id]?.kind == .subscribed { return .refusal(.command(.prohibited)) }
        let head = queue.messages.first
        if sessions[session]?[id] == nil {
            guard fetchedQueues < limits.fetchedQueues else { return .refusal(.store("no room")) }
            fetchedQueues += 1
        }
        sessions[session, default: [:]][id] = SessionEntry(kind: .getOnly, delivered: head?.id)
        return Execution(head.map { .delivery($0, secret: queue.secret) } ?? .ok)
    }

    /// ACK: drops the delivered message; an empty id drops nothing.
    mutating func acknowledge(_ id: EntityID, message: MessageID, session: SessionNumber) -> Execution {
        guard let entry = sessions[session]?[id], let delivered = entry.delivered,
            delivered == message || message.bytes.isEmpty
        else { return .refusal(.noMessage) }
        sessions[session]?[id]?.delivered = nil
        guard let index = queues.index(forKey: id) else { return .ok }
        if let head = queues.values[index].removeFirst(message) {
            uncount(head)
            journal.append(.removeMessage(number: head.number))
            if let notifier = queues.values[index].notifier { desk.remove(head.id, for: notifier.id) }
        }
        guard entry.kind == .subscribed, let head = queues.values[index].messages.first else { return .ok }
        sessions[session]?[id]?.delivered = head.id
        return Execution(.delivery(head, secret: queues.values[index].secret))
    }

    /// DEL: the queue and all that belongs to it.
    mutating func delete(_ id: EntityID, session: SessionNumber) -> Execution {
        guard let queue = queues.removeValue(forKey: id) else { return .refusal(.authentication) }
        senders[queue.senderID] = nil
        if let link = queue.link { links[link.id] = nil }
        var pushes = queue.notifier.map { removeNotifier($0.id, session: session) } ?? []
        leave(queue)
        use.removeQueue(from: queue.origin)
        use.replace(queue.link, nil)
        for message in queue.messages { uncount(message) }
        for message in queue.messages { journal.append(.removeMessage(number: message.number)) }
        journal.append(.removeQueue(number: queue.number))
        if let entry = sessions[session]?.removeValue(forKey: id) { forget(entry) }
        guard let other = queue.subscriber, other != session else {
            return Execution(.ok, pushes: pushes)
        }
        sessions[other]?[id] = nil
        pushes.append(Push(session: other, entity: id, reply: .plain(.deleted)))
        return Execution(.ok, pushes: pushes)
    }
}
