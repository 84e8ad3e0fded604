import BaseKit
import Cryptography
import MediaRules

// The room of a call on a forwarding server. It is another way beside those to single members: what comes by several meets where it is
// decoded (``FrameMeeting``), and frames are encoded and sealed once for all.
extension GroupSession {
    /// Enters a room: what is captured goes there too, and what members send to it is shown and played.
    ///
    /// `forwarder` has joined it under the ``FeedName`` that `feedsKey`, which all members know, gives to our number. Feeds without such a
    /// name of a member whose key was given are not asked for. Another room is left before (``leaveRoom()``). Throws ``MediaError``, and what the port
    /// throws; then there is no room.
    public func enter(room forwarder: any ForwardingPort, feedsKey: SecretBytes) async throws {
        guard !isClosed else { throw MediaError.closed }
        await leaveRoom()
        guard !isClosed, self.room == nil else { throw MediaError.closed }
        let room = GroupRoom(forwarder, feedsKey: feedsKey)
        self.room = room
        let events = forwarder.events
        room.reader = Task { [weak self, number = room.number] in
            for await event in events { await self?.handle(event, in: number) }
        }
        do {
            try await publish(in: room)
        } catch {
            // What fails because the room is over says nothing of why.
            let wasOver = room.isOver
            await end(room)
            throw wasOver ? MediaError.closed : error
        }
    }

    /// Leaves the room, if there is one; ways to single members stay. ``GroupRoomEvent/left`` follows in any case.
    public func leaveRoom() async {
        if let room { await end(room) }
        emit.yield(.room(.left))
    }

    /// The machine's network is another one: a connection to the server that leads nowhere any more is made anew at once.
    public func networkChanged() async { await room?.port.networkChanged() }

    /// Counts of what comes of a member by the room; nil without a feed of it.
    public func roomStatistics(of member: UInt8) -> MediaStatistics? {
        guard let paths = room?.paths(of: member), let best = paths.first(where: \.isHeard) ?? paths.first else {
            return nil
        }
        return best.statistics
    }

    /// The path by which our own media reach the server; nil before they do.
    var publishedPath: MediaPath? { room?.own.flatMap { $0.isVerified ? $0.transport.path : nil } }

    /// Ends a room.
    func end(_ room: GroupRoom) async {
        guard !room.isOver else { return }
        let endings = stop(room)
        for member in Set(room.feeds.values.map(\.member)) { await rest(member) }
        await MediaQueue.run { for end in endings { end() } }
        await room.port.close()
    }

    /// Stops all of a room; gives what is left to be done where it may block.
    func stop(_ room: GroupRoom) -> [@Sendable () -> Void] {
        room.isOver = true
        if self.room === room { self.room = nil }
        room.reader?.cancel()
        room.reader = nil
        var endings = room.paths.map { $0.stop() }
        if let own = room.own { endings.append(own.stop()) }
        room.own = nil
        for feed in room.feeds.keys { room.feeds[feed]?.path = nil }
        encoders.limitSound(to: 0)
        updateValves()
        return endings
    }

    private func isCurrent(_ room: GroupRoom) -> Bool { !isClosed && !room.isOver && self.room === room }

    // MARK: Our own media

    private func publish(in room: GroupRoom) async throws {
        let path = try PublishPath(surroundings) { [weak self, number = room.number] signal in
            await self?.receive(signal, ofOwnIn: number)
        }
        room.own = path
        followCrowd(in: room)
        do {
            try path.transport.beginOffer(formerRate: nil)
            let offer = try await path.transport.offer()
            let answer = try await room.port.publish(offer.sdp)
            await room.port.add(offer.candidates, of: .own)
            guard isCurrent(room), room.own === path else { throw MediaError.closed }
            try await path.transport.apply(answer: answer, candidates: [])
        } catch {
            release(path, in: room)
            throw error
        }
    }

    private func release(_ path: PublishPath, in room: GroupRoom) {
        if room.own === path { room.own = nil }
        MediaQueue.start(path.stop())
        updateValves()
    }

    private func receive(_ signal: TransportSignal, ofOwnIn number: Int) async {
        guard let room, room.number == number, isCurrent(room), let path = room.own else { return }
        await follow(path, path.transport.receive(signal).session, in: room)
    }

    private func follow(
        _ path: PublishPath, _ actions: [TransportMachine.SessionAction], in room: GroupRoom
    ) async {
        for action in actions where isCurrent(room) && room.own === path {
            switch action {
            case .candidates(let batch): await room.port.add(batch, of: .own)
            case .verified:
                path.carry()
                room.ownFailures = 0
                updateValves()
                emit.yield(.room(.connected))
            case .mismatch: fail(path, .negotiation(.channelFailed), in: room)
            case .failed(let error): fail(path, error, in: room)
            case .noRelay: emit.yield(.own(.notice(.server(servers.reason))))
            }
        }
    }

    /// Our path can't go on; another one is made, a few times.
    private func fail(_ path: PublishPath, _ error: MediaError, in room: GroupRoom) {
        release(path, in: room)
        room.ownFailures += 1
        if room.ownFailures > GroupRoom.mostFailures {
            emit.yield(.room(.failed(error)))
        } else {
            room.ownRetry = .now + GroupRoom.pause
        }
    }

    private func publishAgain(in room: GroupRoom) async {
        room.ownRetry = nil
        do {
            try await publish(in: room)
        } catch {
            guard isCurrent(room), room.own == nil else { return }
            room.ownFailures += 1
            if room.ownFailures > GroupRoom.mostFailures {
                emit.yield(.room(.failed(error as? MediaError ?? .unreachable)))
            } else {
                room.ownRetry = .now + GroupRoom.pause
            }
        }
    }

    /// Sends what is of use for as many as are there.
    private func followCrowd(in room: GroupRoom) {
        let bounds = RoomBounds(others: Set(room.feeds.values.map(\.member)).count)
        room.own?.setLargest(bounds.pictures)
        encoders.limitSound(to: bounds.soundStep)
    }

    // MARK: Feeds

    private func handle(_ event: ForwardingEvent, in number: Int) async {
        guard let room, room.number == number, isCurrent(room) else { return }
        switch event {
        case .feedCame(let feed, let display):
            guard room.add(feed, display: display, own: configuration.member) else { return }
            followCrowd(in: room)
            subscribe(to: feed, in: room)
        case .feedWent(let feed):
            guard let entry = room.feeds.removeValue(forKey: feed) else { return }
            followCrowd(in: room)
            if let path = entry.path { await release(path) }
        case .hungUp(.own): if let own = room.own { fail(own, .unreachable, in: room) }
        case .hungUp(.feed(let feed)): await retry(feed, in: room)
        case .lost, .restored: break
        case .closed:
            await end(room)
            emit.yield(.room(.ended))
        }
    }

    /// A member has given a key: its feeds may be asked for.
    func followFeeds(of member: UInt8) {
        guard let room, isCurrent(room) else { return }
        for feed in room.feeds(of: member) {
            room.feeds[feed]?.isUnreadable = false
            subscribe(to: feed, in: room)
        }
    }

    /// Nothing is wanted of a member any more, unless it gives another key.
    func leaveFeeds(of member: UInt8) async {
        guard let room else { return }
        for feed in room.feeds(of: member) { await drop(feed, in: room) }
    }

    private func subscribe(to feed: FeedID, in room: GroupRoom) {
        guard let entry = room.feeds[feed], entry.path == nil, !entry.isUnreadable,
            entry.failures <= GroupRoom.mostFailures, keys.newest(of: entry.member) != nil
        else { return }
        room.feeds[feed]?.retry = nil
        do {
            let path = try FeedPath(feed, of: entry.member, feeds: feeds(of: entry.member), surroundings) {
                [weak self, number = room.number] signal in
                await self?.receive(signal, of: feed, in: number)
            }
            room.feeds[feed]?.path = path
            // Ends with the port's answer, at latest when that is closed.
            Task { [weak self, number = room.number] in await self?.connect(feed, in: number) }
        } catch {
            room.feeds[feed]?.failures += 1
            room.feeds[feed]?.retry = .now + GroupRoom.pause
        }
    }

    /// The one offer and answer of a feed.
    private func connect(_ feed: FeedID, in number: Int) async {
        guard let room, room.number == number, isCurrent(room), let path = room.feeds[feed]?.path else { return }
        let transport = path.transport
        do {
            let offer = try await room.port.subscribe(to: feed)
            guard isCurrent(path, in: room) else { return }
            let peer = try transport.beginAnswer(toServer: offer)
            let answer = try await transport.answer(peer, candidates: [])
            try await room.port.answer(answer.sdp, of: feed)
            await room.port.add(answer.candidates, of: .feed(feed))
        } catch {
            if isCurrent(path, in: room) { await retry(feed, in: room) }
        }
    }

    private func isCurrent(_ path: FeedPath, in room: GroupRoom) -> Bool {
        isCurrent(room) && room.feeds[path.feed]?.path === path
    }

    private func receive(_ signal: TransportSignal, of feed: FeedID, in number: Int) async {
        guard let room, room.number == number, isCurrent(room), let path = room.feeds[feed]?.path else { return }
        await follow(path, path.transport.receive(signal).session, in: room)
    }

    private func follow(_ path: FeedPath, _ actions: [TransportMachine.SessionAction], in room: GroupRoom) async {
        for action in actions where isCurrent(path, in: room) {
            switch action {
            case .candidates(let batch): await room.port.add(batch, of: .feed(path.feed))
            case .verified:
                path.transport.carry()
                room.feeds[path.feed]?.failures = 0
            case .mismatch, .failed: await retry(path.feed, in: room)
            // Told once, of the way to the server.
            case .noRelay: break
            }
        }
    }

    /// A feed's connection can't go on; another one is made, a few times.
    private func retry(_ feed: FeedID, in room: GroupRoom) async {
        room.feeds[feed]?.failures += 1
        room.feeds[feed]?.retry = .now + GroupRoom.pause
        await drop(feed, in: room)
    }

    /// Ends a feed's connection, on both sides. The feed stays in the room.
    private func drop(_ feed: FeedID, in room: GroupRoom) async {
        guard let path = room.feeds[feed]?.path else { return }
        room.feeds[feed]?.path = nil
        // Another connection begins with large ones again.
        room.feeds[feed]?.layer = .high
        room.feeds[feed]?.isAsking = false
        await release(path)
        await room.port.unsubscribe(from: feed)
    }

    private func release(_ path: FeedPath) async {
        let end = path.stop()
        if path.isHeard { fellSilent(path) }
        await rest(path.member)
        await MediaQueue.run { end() }
    }

    /// Nothing comes by a feed any more. A member that has come back has another one.
    private func fellSilent(_ path: FeedPath) {
        let others = room?.paths(of: path.member) ?? []
        if !others.contains(where: { $0 !== path && $0.isHeard }) { emit.yield(.room(.silent(path.member))) }
    }

    // MARK: What can only be seen by looking

    /// Four times a second.
    func tickRoom() async {
        guard let room, isCurrent(room) else { return }
        if let own = room.own {
            await follow(own, own.transport.tick().session, in: room)
            if own.isVerified {
                own.tune()
                if let isLost = own.look(now: .now) { emit.yield(.room(isLost ? .lost : .recovered)) }
                if own.isBroken { fail(own, .unreachable, in: room) }
            }
        } else if let retry = room.ownRetry, retry <= .now {
            await publishAgain(in: room)
        }
        for path in room.paths where isCurrent(path, in: room) {
            await follow(path, path.transport.tick().session, in: room)
            guard isCurrent(path, in: room), path.transport.isVerified else { continue }
            path.tune(roundTrip: room.own?.roundTrip)
            await follow(path.look(now: .now), of: path, in: room)
        }
        guard isCurrent(room) else { return }
        for (feed, entry) in room.feeds {
            if let retry = entry.retry, retry <= .now { subscribe(to: feed, in: room) }
        }
    }

    /// Ten times a second, as a full way makes pictures stand still: asks for other pictures of a member where another size is shown, or where the
    /// way from the server is too full.
    func chooseLayers() {
        guard let room, isCurrent(room) else { return }
        var shown: [UInt8: LayerChoice.Feed] = [:]
        // Of one of whom nothing is asked for nothing may come.
        let (now, screens) = (Instant.now, screens.value)
        for path in room.paths where path.isHeard || room.feeds[path.feed]?.layer == ForwardedLayer.none {
            var feed = LayerChoice.Feed(
                shown: feeds(of: path.member).video.shownSize, queue: path.queue, loss: path.loss)
            (feed.rate, feed.coming) = (path.rate(now: now), shownLayer(of: path.member))
            feed.isScreen = screens.contains(path.member)
            feed.decoding = feeds(of: path.member).meeting.decoding.load.part(now: now)
            (feed.hasSound, feed.hasScreenSound) = (path.hasSound(now: now), path.hasScreenSound(now: now))
            shown[path.member] = feed
        }
        let choice = room.choice.update(shown, now: now)
        if let wishes = room.wishes.update(choice, of: shown, now: now) { emit.yield(.room(.large(wishes))) }
        let present = Set(room.feeds.values.map(\.member))
        encoders.setLargeWanted(room.demand.update(present, wishes: largeWishes.value, now: now))
        for path in room.paths { path.setAsksAgain(!room.choice.isFull) }
        for (member, layer) in choice {
            let stream = feeds(of: member).meeting.stream(of: .camera)
            for feed in room.feeds(of: member) where shown[member] != nil {
                guard let entry = room.feeds[feed], entry.path != nil, !entry.isAsking,
                    entry.nextAsk.map({ $0 <= now }) ?? true
                else { continue }
                let isGranted = layer == .high && entry.layer == .high
                let isDue = room.feeds[feed]?.wish.isDue(isGranted: isGranted, shown: stream, now: now) ?? false
                guard entry.layer != layer || isDue else { continue }
                room.feeds[feed]?.isAsking = true
                // Ends with the port's answer, at latest when that is closed.
                Task { [weak self, number = room.number] in await self?.ask(for: layer, of: feed, in: number) }
            }
        }
    }

    /// One question a feed at a time, so that the last one counts; one that failed is asked again.
    private func ask(for layer: ForwardedLayer, of feed: FeedID, in number: Int) async {
        guard let room, room.number == number, isCurrent(room), let path = room.feeds[feed]?.path else { return }
        let isTaken = (try? await room.port.configure(feed, layer: layer)) != nil
        guard isCurrent(path, in: room) else { return }
        room.feeds[feed]?.isAsking = false
        if isTaken { room.feeds[feed]?.layer = layer } else { room.feeds[feed]?.nextAsk = .now + GroupRoom.pause }
    }

    private func follow(_ sight: FeedPath.Sight, of path: FeedPath, in room: GroupRoom) async {
        let member = path.member
        switch sight.isHeard {
        case true?: emit.yield(.room(.heard(member)))
        case false?: fellSilent(path)
        case nil: break
        }
        if let change = sight.media, change.before != change.now, paths[member] == nil {
            let feeds = feeds(of: member)
            if !change.now.microphone { feeds.voice.fallSilent() }
            if change.before.camera != change.now.camera { feeds.video.setOn(change.now.camera) }
            emit.yield(.room(.media(member, change.now)))
            if !change.now.screenSound { await devices.speaker.end(PlayedSound(member: member, slot: .screenSound)) }
            guard isCurrent(path, in: room) else { return }
        }
        if path.isBroken { return await retry(path.feed, in: room) }
        guard sight.isUnreadable else { return }
        room.feeds[path.feed]?.isUnreadable = true
        emit.yield(.room(.unreadable(member)))
        await drop(path.feed, in: room)
    }
}
