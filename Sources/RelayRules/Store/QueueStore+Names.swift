import SMP

// The ids of a new queue (SMP fact sheet §7.1).
extension QueueStore {
    /// What names a queue to its recipient, its sender, readers of its link and its notification server.
    struct Names {
        var recipientID: EntityID
        var senderID: EntityID
        var link: StoredQueue.Link?
        var notifierID: EntityID?
    }

    /// Random ids that exist already are drawn so many times (SMP fact sheet §7.1).
    private static let tries = 3

    /// A random id that names nothing yet; nil after three that did.
    func freshID(unless isTaken: (EntityID) -> Bool) -> EntityID? {
        for _ in 0..<Self.tries {
            let id = entropy.entityID()
            if !isTaken(id) { return id }
        }
        return nil
    }

    /// Ids for a queue: the client may choose the sender's, but only the one that follows from its correlation id.
    func names(for request: QueueRequest, _ correlationID: CorrelationID) -> Result<Names, SMPError> {
        guard let recipientID = freshID(unless: { queues[$0] != nil }) else { return .failure(.internalError) }
        var names = Names(recipientID: recipientID, senderID: .none)
        switch request.link {
        case .messaging(let data?):
            if let error = refusal(of: data.senderID, correlationID) { return .failure(error) }
            guard let linkID = freshID(unless: { links[$0] != nil }) else { return .failure(.internalError) }
            names.senderID = data.senderID
            names.link = StoredQueue.Link(id: linkID, data: data.data)
        case .contact(let data?):
            if let error = refusal(of: data.senderID, correlationID) { return .failure(error) }
            guard links[data.linkID] == nil else { return .failure(.authentication) }
            names.senderID = data.senderID
            names.link = StoredQueue.Link(id: data.linkID, data: data.data)
        case .messaging(nil), .contact(nil), nil:
            guard let id = freshID(unless: { senders[$0] != nil }) else { return .failure(.internalError) }
            names.senderID = id
        }
        if request.notifier != nil {
            guard let id = freshID(unless: { notifiers[$0] != nil }) else { return .failure(.internalError) }
            names.notifierID = id
        }
        return .success(names)
    }

    private func refusal(of senderID: EntityID, _ correlationID: CorrelationID) -> SMPError? {
        guard senderID == EntityID.sender(for: correlationID) else { return .command(.prohibited) }
        return senders[senderID] == nil ? nil : .authentication
    }
}
