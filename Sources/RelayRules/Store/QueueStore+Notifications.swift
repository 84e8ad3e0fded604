import Cryptography
import SMP

/// A message that a notification server has not been told of.
package struct PendingNotification: Sendable, Equatable {
    let message: MessageID
    /// Arrival, seconds since 1970.
    let time: Int64
    /// Arrival by the relay's age.
    var seen: Int64 = 0
}

/// Who is told of new messages, and what waits for them (SMP fact sheet §14). Lives in memory only: a notification that
/// is lost with the process costs a wake-up, not a message.
package struct NotifierDesk: Sendable {
    /// Waiting notifications of one notifier; the oldest make room.
    static let maximumPending = 32
    /// Notifications older than this are dropped, in seconds (SMP fact sheet §9.4: 24 h).
    package static let lifetime: Int64 = 86_400

    var subscribers: [EntityID: SessionNumber] = [:]
    package var pending: [EntityID: [PendingNotification]] = [:]

    mutating func add(_ notification: PendingNotification, for notifier: EntityID) {
        var waiting = pending.removeValue(forKey: notifier) ?? []
        if waiting.count >= Self.maximumPending { waiting.removeFirst() }
        waiting.append(notification)
        pending[notifier] = waiting
    }

    /// Forgets a message that its recipient has.
    mutating func remove(_ message: MessageID, for notifier: EntityID) {
        guard pending[notifier] != nil else { return }
        pending[notifier]?.removeAll { $0.message == message }
        if pending[notifier]?.isEmpty == true { pending[notifier] = nil }
    }

    /// Drops notifications of a notifier that are too old.
    mutating func expire(before age: Int64, of notifier: EntityID) {
        guard let waiting = pending[notifier] else { return }
        let kept = waiting.filter { $0.seen >= age }
        if kept.count < waiting.count { pending[notifier] = kept.isEmpty ? nil : kept }
    }

    mutating func endSession(_ session: SessionNumber, _ notifiers: Set<EntityID>) {
        for notifier in notifiers where subscribers[notifier] == session { subscribers[notifier] = nil }
    }
}

extension QueueStore {
    /// NSUB: this session is told of messages from now on, and of those that wait.
    mutating func subscribeNotifier(_ id: EntityID, session: SessionNumber) -> Execution {
        guard let queue = notifiers[id].flatMap({ queues[$0] }), let notifier = queue.notifier else {
            return .refusal(.authentication)
        }
        var pushes: [Push] = []
        if let other = desk.subscribers[id], other != session {
            notifierSessions[other]?.remove(id)
            pushes = [Push(session: other, entity: id, reply: .plain(.ended))]
        }
        desk.subscribers[id] = session
        notifierSessions[session, default: []].insert(id)
        let events = (desk.pending.removeValue(forKey: id) ?? []).map {
            Push(session: session, entity: id, reply: .notification($0, secret: notifier.secret))
        }
        return Execution(.plain(.subscribed(serviceID: nil)), events: events, pushes: pushes)
    }

    /// Tells the notifier of a message, now or when it subscribes.
    mutating func notify(_ notifier: StoredQueue.Notifier, of message: StoredMessage) -> [Push] {
        let notification = PendingNotification(message: message.id, time: message.time, seen: message.seen)
        guard let session = desk.subscribers[notifier.id] else {
            desk.add(notification, for: notifier.id)
            return []
        }
        return [
            Push(session: session, entity: notifier.id, reply: .notification(notification, secret: notifier.secret))
        ]
    }

    /// Forgets a notifier that is deleted or replaced; its subscriber learns of it.
    mutating func removeNotifier(_ id: EntityID, session: SessionNumber) -> [Push] {
        notifiers[id] = nil
        desk.pending[id] = nil
        guard let subscriber = desk.subscribers.removeValue(forKey: id) else { return [] }
        notifierSessions[subscriber]?.remove(id)
        return subscriber == session ? [] : [Push(session: subscriber, entity: id, reply: .plain(.deleted))]
    }
}

extension PendingNotification {
    /// NMSG under a fresh nonce.
    func sealed(with secret: SecretBytes) -> BrokerMessage {
        let nonce = randomBytes(24)
        let meta = NotificationMeta(messageID: message, time: time)
        return (try? meta.seal(secret: secret, nonce: nonce)).map { .notification(nonce: nonce, meta: $0) }
            ?? .error(.internalError)
    }
}
