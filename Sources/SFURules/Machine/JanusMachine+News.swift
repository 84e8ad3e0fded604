import BaseKit

/// What a server tells by itself.
extension JanusMachine {
    mutating func handleNews(_ message: JanusMessage, _ now: Instant) {
        guard let sender = message.sender, let place = rooms.places[sender] else {
            counts.unknownSenders += 1
            return
        }
        guard case .path(let path) = place else {
            // Of questions about rooms nothing is heard but their answers.
            counts.untimely += 1
            return
        }
        switch message.kind {
        case .webRTCUp: tell(.connected(path))
        case .media(let isAudio, let isReceiving): tell(.media(path, isAudio: isAudio, isReceiving: isReceiving))
        case .slowLink(let isUplink): tell(.slowLink(path, isUplink: isUplink))
        case .hangUp(let reason): tell(.hungUp(path, reason: reason))
        case .trickle(let candidates, let isComplete):
            tell(.candidates(path, candidates, isComplete: isComplete))
        case .detached: detached(path, now)
        case .event:
            guard let data = message.room else {
                counts.unknownKinds += 1
                return
            }
            handle(data, from: path, now)
        case .serverInfo, .success, .acknowledgement, .error, .timeOut, .unknown: counts.untimely += 1
        }
    }

    private mutating func detached(_ path: SFUPath, _ now: Instant) {
        _ = rooms.remove(path)
        tell(.hungUp(path, reason: "detached"))
        if case .own = path, rooms.own.isEmpty { leaveRoom(.removed, now) }
    }

    private mutating func handle(_ data: VideoRoomData, from path: SFUPath, _ now: Instant) {
        // Subscriptions are told of their own m-lines alone.
        guard case .own(let own) = path, rooms.membership != nil else { return }
        switch data.kind {
        case .destroyed:
            rest(rooms.leave(), now)
            return tell(.roomDestroyed)
        case .event: break
        case .joined, .attached, .created, .edited, .success, .participants, .other:
            counts.unknownKinds += 1
            return
        }
        for feed in data.publishers { came(feed) }
        if case .feed(let feed)? = data.unpublished { went(feed) }
        if let kicked = data.kicked { went(kicked) }
        switch data.leaving {
        case .feed(let feed)?: went(feed)
        case .own?:
            guard data.isKick else { return }
            close(.own(own), now)
            if rooms.own.isEmpty { tell(.removed) } else { tell(.hungUp(path, reason: "kicked")) }
        case nil: break
        }
    }

    /// The room is no more, or nobody's here.
    private mutating func leaveRoom(_ event: SFUEvent, _ now: Instant) {
        for handle in rooms.leave() { detach(handle, now) }
        tell(event)
    }

    // MARK: Feeds

    /// This side is in a room, with those who send there.
    mutating func join(_ room: SFURoom, as own: SFUNumber, _ data: VideoRoomData) {
        if rooms.membership == nil { rooms.membership = JanusRooms.Membership(room: room) }
        rooms.membership?.privateIDs[own] = data.privateID
        for feed in data.publishers { came(feed) }
    }

    private mutating func came(_ feed: SFUFeed) {
        guard rooms.own[feed.id] == nil, let membership = rooms.membership else { return }
        rooms.membership?.changed?.insert(feed.id)
        guard membership.feeds[feed.id] == nil else { return }
        guard membership.feeds.count < JanusRooms.maximumFeeds else {
            counts.excessFeeds += 1
            return
        }
        rooms.membership?.feeds[feed.id] = feed
        tell(.feedCame(feed))
    }

    private mutating func went(_ feed: SFUNumber) {
        rooms.membership?.changed?.insert(feed)
        guard rooms.membership?.feeds.removeValue(forKey: feed) != nil else { return }
        tell(.feedWent(feed))
    }

    /// Who is there after events may have been lost; those of whom there was news since the question are left as they are.
    mutating func compare(_ message: JanusMessage, _ code: Int?, _ now: Instant) {
        let changed = rooms.membership?.changed ?? []
        rooms.membership?.changed = nil
        guard let membership = rooms.membership else { return }
        // There is no such room any more.
        if code == 426 { return leaveRoom(.roomDestroyed, now) }
        guard code == nil, let data = message.room, data.kind == .participants else {
            counts.unreadable += 1
            return
        }
        let present = Set(data.participants.map(\.feed.id))
        let gone = rooms.own.keys.filter { !present.contains($0) }.sorted { $0.value < $1.value }
        for own in gone { close(.own(own), now) }
        guard !rooms.own.isEmpty else { return tell(.removed) }
        for own in gone { tell(.hungUp(.own(own), reason: "gone")) }
        let sending = data.participants.filter(\.isSending).map(\.feed)
        let ids = Set(sending.map(\.id))
        for feed in membership.feeds.keys.sorted(by: { $0.value < $1.value })
        where !ids.contains(feed) && !changed.contains(feed) { went(feed) }
        for feed in sending where !changed.contains(feed.id) { came(feed) }
    }
}
