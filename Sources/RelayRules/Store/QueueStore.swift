import Cryptography
import DequeModule
import SMP
import SMPSession

/// All queues of a relay and who listens to them: a value that does no I/O and reads no clock.
package struct QueueStore: Sendable {
    /// Messages of one queue before the marker (SMP fact sheet §9.4).
    let quota: Int
    let entropy: RelayEntropy
    let limits: StoreLimits
    package var queues: [EntityID: StoredQueue] = [:]
    /// Sender, link and notifier ids to recipient ids.
    var senders: [EntityID: EntityID] = [:]
    var links: [EntityID: EntityID] = [:]
    var notifiers: [EntityID: EntityID] = [:]
    var sessions: [SessionNumber: [EntityID: SessionEntry]] = [:]
    package var desk = NotifierDesk()
    /// The notifiers that sessions subscribed to.
    var notifierSessions: [SessionNumber: Set<EntityID>] = [:]
    /// All queues, in any order that stays while a walk goes through it from its end.
    private(set) var order: [EntityID] = []
    /// Addresses that an operator blocked.
    package var blockedOrigins: Set<ConnectionOrigin> = []
    /// What is kept, and for whom.
    package var use = StoreUse()
    package var bodies = RecentBodies()
    /// Messages with a body that are counted in `bodies`.
    var bodiesInMemory = 0
    /// Messages and markers of all queues.
    package var messageCount: Int { use.messages }
    /// Queues that sessions fetched from with GET, each as often as there are such sessions; of those that subscribed there is
    /// one a queue.
    var fetchedQueues = 0
    /// What happened, for the disk.
    package var journal = StoreJournal()
    private var lastNumber: Int64 = 0

    init(quota: Int = 128, limits: StoreLimits = StoreLimits(), entropy: RelayEntropy = .system) {
        self.quota = quota
        self.limits = limits
        self.entropy = entropy
    }

    /// Takes over what a start found on disk, and keeps a journal from then on.
    mutating func restore(_ persisted: PersistedQueues) {
        lastNumber = persisted.lastNumber
        blockedOrigins = persisted.blockedOrigins
        for var queue in persisted.queues {
            enter(&queue)
            queues[queue.recipientID] = queue
            senders[queue.senderID] = queue.recipientID
            use.addQueue(from: nil)
            for message in queue.messages { use.add(message) }
            use.replace(nil, queue.link)
            if let link = queue.link { links[link.id] = queue.recipientID }
            if let notifier = queue.notifier { notifiers[notifier.id] = queue.recipientID }
        }
        journal.isKept = true
    }

    /// Whether messages or notifications wait, which get too old.
    package var isKeeping: Bool { use.messages > 0 || !desk.pending.isEmpty }

    /// Whether more is kept than may be, as after a start with lower limits.
    var isOverLimits: Bool { use.exceeds(limits) }

    /// The number of the next queue or message.
    mutating func nextNumber() -> Int64 {
        lastNumber += 1
        return lastNumber
    }

    /// Has the disk follow a change of a queue's keys, status or notifier.
    mutating func recordQueue(_ id: EntityID) {
        guard let queue = queues[id] else { return }
        journal.append(.saveQueue(QueueRecord(queue)))
    }

    /// Makes a queue (SMP fact sheet §7.1).
    ///
    /// - Parameters:
    ///   - agreement: the relay's key for the queue, and the secret of it and the recipient's key.
    ///   - notifier: the same for the notifier, if one was asked for.
    mutating func create(
        _ request: QueueRequest, correlationID: CorrelationID, agreement: QueueAgreement, notifier: QueueAgreement?,
        session: SessionNumber, origin: ConnectionOrigin? = nil
    ) -> Execution {
        guard use.hasRoomForQueue(from: origin, limits) else { return .refusal(.store("no room")) }
        let chosen: Names
        switch names(for: request, correlationID) {
        case .success(let names): chosen = names
        case .failure(let error): return .refusal(error)
        }
        let recipientID = chosen.recipientID
        var queue = StoredQueue(
            number: nextNumber(), recipientID: recipientID, senderID: chosen.senderID,
            recipientKeys: [request.recipientKey], secret: agreement.secret, mode: request.link?.mode)
        guard hasRoom(for: chosen.link, insteadOf: nil) else { return .refusal(.store("no room")) }
        queue.link = chosen.link
        queue.origin = origin
        use.addQueue(from: origin)
        use.replace(nil, chosen.link)
        var ids = QueueIDs(
            recipientID: recipientID, senderID: chosen.senderID, serverKey: agreement.publicKey,
            mode: request.link?.mode, linkID: chosen.link?.id)
        if let keys = request.notifier, let notifier, let id = chosen.notifierID {
            queue.notifier = .init(id: id, key: keys.authenticationKey, secret: notifier.secret)
            notifiers[id] = recipientID
            ids.notifier = .init(id: id, serverKey: notifier.publicKey)
        }
        if request.subscribes {
            queue.subscriber = session
            sessions[session, default: [:]][recipientID] = SessionEntry(kind: .subscribed)
        }
        enter(&queue)
        queues[recipientID] = queue
        senders[chosen.senderID] = recipientID
        recordQueue(recipientID)
        if let link = chosen.link {
            links[link.id] = recipientID
            journal.append(.saveLink(queue: queue.number, link))
        }
        return Execution(.plain(.queue(ids)))
    }

    /// Drops messages that arrived before an age of the relay, from each queue's head up to the first that stays or is a
    /// marker.
    ///
    /// - Returns: how many were dropped.
    mutating func expire(before age: Int64) -> Int {
        var walk = ExpiryWalk(self)
        var count = 0
        while !walk.isOver { count += expire(before: age, notificationsBefore: .min, &walk, steps: .max) }
        return count
    }

    /// Does the same in the next queues of a walk, and drops notifications of theirs that are too old.
    ///
    /// - Parameter steps: queues to look at and messages to drop, together, so that nobody waits for all of them; notifications
    ///   of a queue are few.
    package mutating func expire(
        before age: Int64, notificationsBefore: Int64, _ walk: inout ExpiryWalk, steps: Int
    ) -> Int {
        var (left, dropped) = (steps, 0)
        while left > 0, let place = walk.place(in: order.count) {
            let id = order[place]
            left -= 1
            if let notifier = queues[id]?.notifier { desk.expire(before: notificationsBefore, of: notifier.id) }
            while let head = queues[id]?.messages.first, !head.isMarker, head.seen < age {
                // The next slice begins with this queue again.
                if left == 0 { return dropped }
                queues[id]?.messages.removeFirst()
                uncount(head)
                journal.append(.removeMessage(number: head.number))
                (left, dropped) = (left - 1, dropped + 1)
            }
            walk.goOn()
        }
        return dropped
    }

    /// Gives a queue its place among all.
    mutating func enter(_ queue: inout StoredQueue) {
        queue.place = order.count
        order.append(queue.recipientID)
    }

    /// Gives the place of a queue that is gone to the last.
    mutating func leave(_ queue: StoredQueue) {
        guard let last = order.popLast(), last != queue.recipientID else { return }
        order[queue.place] = last
        queues[last]?.place = queue.place
    }

    /// A session has nothing to do with a queue any more.
    mutating func forget(_ entry: SessionEntry) { if entry.kind == .getOnly { fetchedQueues -= 1 } }

    /// Whether a session is subscribed to anything.
    package func listens(_ session: SessionNumber) -> Bool {
        if notifierSessions[session]?.isEmpty == false { return true }
        return sessions[session]?.values.contains { $0.kind == .subscribed } ?? false
    }

    /// Forgets a session; its unacknowledged messages stay.
    package mutating func endSession(_ session: SessionNumber) {
        desk.endSession(session, notifierSessions.removeValue(forKey: session) ?? [])
        guard let entries = sessions.removeValue(forKey: session) else { return }
        for entry in entries.values { forget(entry) }
        for id in entries.keys where queues[id]?.subscriber == session { queues[id]?.subscriber = nil }
    }
}

/// How far a walk through all queues has come, from the last to the first: a queue that takes the place of one that is gone
/// comes from where the walk has been.
package struct ExpiryWalk: Sendable {
    private var end: Int

    package init(_ store: QueueStore) { end = store.order.count }

    package var isOver: Bool { end == 0 }

    /// The place to look at next, where there is one.
    mutating func place(in total: Int) -> Int? {
        end = min(end, total)
        return end > 0 ? end - 1 : nil
    }

    /// Leaves that place behind.
    mutating func goOn() { end -= 1 }

    /// The places to look at next; leaves them behind.
    mutating func next(_ count: Int, in total: Int) -> Range<Int> {
        end = min(end, total)
        let start = count < end ? end - count : 0
        defer { end = start }
        return start..<end
    }
}
