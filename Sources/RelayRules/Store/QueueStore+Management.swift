import Cryptography
import SMP

// Keys, links, notifiers and status of queues.
extension QueueStore {
    /// KEY: the recipient names the sender's key, once.
    mutating func setSenderKey(_ key: AuthenticationPublicKey, queue id: EntityID) -> Execution {
        guard let queue = queues[id] else { return .refusal(.authentication) }
        guard queue.senderKey == nil || queue.senderKey == key else { return .refusal(.authentication) }
        guard queue.senderKey == nil else { return .ok }
        queues[id]?.senderKey = key
        recordQueue(id)
        return .ok
    }

    /// SKEY: the sender secures a messaging queue itself.
    mutating func secure(_ sender: EntityID, with key: AuthenticationPublicKey) -> Execution {
        guard let id = senders[sender], let queue = queues[id] else { return .refusal(.authentication) }
        if case .blocked(let info) = queue.status { return .refusal(.blocked(info)) }
        guard queue.mode == .messaging else { return .refusal(.authentication) }
        return setSenderKey(key, queue: id)
    }

    /// RKEY: replaces the recipient's keys of a contact queue.
    mutating func setRecipientKeys(_ keys: [AuthenticationPublicKey], queue id: EntityID) -> Execution {
        guard queues[id]?.mode == .contact, keys.count <= StoredQueue.maximumRecipientKeys else {
            return .refusal(.authentication)
        }
        queues[id]?.recipientKeys = keys
        recordQueue(id)
        return .ok
    }

    /// OFF: no more messages, for good.
    mutating func suspend(_ id: EntityID) -> Execution {
        guard let queue = queues[id] else { return .refusal(.authentication) }
        if queue.status == .active {
            queues[id]?.status = .off
            recordQueue(id)
        }
        return .ok
    }

    /// An operator's decision (SMP fact sheet §9.1).
    mutating func block(_ id: EntityID, _ info: SMPError.BlockingInfo) {
        queues[id]?.status = .blocked(info)
        recordQueue(id)
    }

    /// NKEY: replaces the notifier.
    mutating func setNotifier(
        _ keys: NotifierKeys, agreement: QueueAgreement, queue id: EntityID, session: SessionNumber
    ) -> Execution {
        guard let queue = queues[id] else { return .refusal(.authentication) }
        guard let notifier = freshID(unless: { notifiers[$0] != nil }) else { return .refusal(.internalError) }
        let pushes = queue.notifier.map { removeNotifier($0.id, session: session) } ?? []
        notifiers[notifier] = id
        queues[id]?.notifier = .init(id: notifier, key: keys.authenticationKey, secret: agreement.secret)
        recordQueue(id)
        return Execution(.plain(.notifier(notifier, agreement.publicKey)), pushes: pushes)
    }

    /// NDEL.
    mutating func deleteNotifier(queue id: EntityID, session: SessionNumber) -> Execution {
        guard let queue = queues[id] else { return .refusal(.authentication) }
        guard let old = queue.notifier else { return .ok }
        let pushes = removeNotifier(old.id, session: session)
        queues[id]?.notifier = nil
        recordQueue(id)
        return Execution(.ok, pushes: pushes)
    }

    /// LSET: the user part may change, the fixed part may not.
    mutating func setLinkData(_ linkID: EntityID, _ data: LinkData, queue id: EntityID) -> Execution {
        guard let queue = queues[id] else { return .refusal(.authentication) }
        guard queue.mode != .messaging || queue.senderKey == nil else { return .refusal(.authentication) }
        if let link = queue.link {
            guard link.id == linkID, link.data.fixed == data.fixed else { return .refusal(.authentication) }
        } else {
            guard links[linkID] == nil else { return .refusal(.authentication) }
        }
        let link = StoredQueue.Link(id: linkID, data: data)
        guard hasRoom(for: link, insteadOf: queue.link) else { return .refusal(.store("no room")) }
        links[linkID] = id
        use.replace(queue.link, link)
        queues[id]?.link = link
        journal.append(.saveLink(queue: queue.number, link))
        return .ok
    }

    /// Data that takes no more than what was there always has room.
    func hasRoom(for link: StoredQueue.Link?, insteadOf old: StoredQueue.Link?) -> Bool {
        let growth = (link?.byteCount ?? 0) - (old?.byteCount ?? 0)
        return growth <= 0 || use.linkBytes + growth <= limits.linkBytes
    }

    /// LDEL.
    mutating func deleteLinkData(queue id: EntityID) -> Execution {
        guard let queue = queues[id] else { return .refusal(.authentication) }
        guard let link = queue.link else { return .ok }
        links[link.id] = nil
        use.replace(link, nil)
        queues[id]?.link = nil
        journal.append(.saveLink(queue: queue.number, nil))
        return .ok
    }

    /// LKEY: secures a messaging queue through its one-time link.
    mutating func secureAndGetLink(_ linkID: EntityID, with key: AuthenticationPublicKey) -> Execution {
        guard let id = links[linkID], let queue = queues[id], let link = queue.link else {
            return .refusal(.authentication)
        }
        let execution = secure(queue.senderID, with: key)
        guard case .plain(.ok) = execution.reply else { return execution }
        return Execution(.plain(.link(senderID: queue.senderID, link.data)))
    }

    /// LGET: anybody may read a contact link; a queue without mode counts as one until it is secured.
    func getLink(_ linkID: EntityID) -> Execution {
        guard let id = links[linkID], let queue = queues[id], let link = queue.link else {
            return .refusal(.authentication)
        }
        if case .blocked(let info) = queue.status { return .refusal(.blocked(info)) }
        guard queue.mode == .contact || (queue.mode == nil && queue.senderKey == nil) else {
            return .refusal(.authentication)
        }
        return Execution(.plain(.link(senderID: queue.senderID, link.data)))
    }

    /// QUE: what upstream relays tell, in the same form.
    func information(_ id: EntityID, session: SessionNumber) -> Execution {
        guard let queue = queues[id] else { return .refusal(.authentication) }
        return Execution(
            .plain(.queueInfo(Array(QueueInformation.json(queue, entry: sessions[session]?[id]).utf8))))
    }
}
