import BaseKit

/// What a server answers.
extension JanusMachine {
    mutating func handle(_ message: JanusMessage, _ now: Instant, _ chance: Double) {
        if let told = message.session, told != session {
            counts.otherSessions += 1
            return
        }
        switch message.kind {
        case .unknown: counts.unknownKinds += 1
        case .timeOut:
            guard message.session != nil, session != nil else {
                counts.untimely += 1
                return
            }
            beginAnew(now)
        case .webRTCUp, .media, .slowLink, .hangUp, .detached, .trickle: handleNews(message, now)
        case .acknowledgement: acknowledge(message)
        case .event:
            guard message.transaction != nil else { return handleNews(message, now) }
            answer(message, now, chance)
        case .serverInfo, .success, .error: answer(message, now, chance)
        }
    }

    /// That a request came in is the answer to some; to others the answer follows, or has come already.
    private mutating func acknowledge(_ message: JanusMessage) {
        guard let number = message.transaction, let entry = transactions.entries[number] else { return }
        switch entry.purpose {
        case .keepAlive, .farewell: _ = transactions.remove(number)
        case .command(let waiting, .addCandidates):
            _ = transactions.remove(number)
            settle(waiting, .success(.done))
        default: break
        }
    }

    private mutating func answer(_ message: JanusMessage, _ now: Instant, _ chance: Double) {
        guard let number = message.transaction, let entry = transactions.entries[number] else {
            counts.unknownTransactions += 1
            return
        }
        if let sender = message.sender, sender != entry.handle {
            counts.unknownSenders += 1
            return
        }
        _ = transactions.remove(number)
        let code: Int? = if case .error(let code) = message.kind { code } else { message.room?.errorCode }
        switch entry.purpose {
        case .serverInfo: handleServerInfo(message, now, chance)
        case .createSession, .attachService, .claim: handleSetUp(entry.purpose, message, code, now, chance)
        case .keepAlive:
            // What else could the server say than that there is no such session?
            if code != nil { beginAnew(now) }
        case .compare: compare(message, code, now)
        case .attach(let waiting, let command):
            guard code == nil, case .success(let handle?) = message.kind else {
                return settle(waiting, .failure(code.map { .coreFailure($0) } ?? .malformed))
            }
            open(command, handle, waiting, entry.deadline, now)
        case .command(let waiting, let command):
            finish(waiting, command, message, code, now)
        case .abandonedAttach:
            if case .success(let handle?) = message.kind { detach(handle, now) }
        case .farewell: break
        }
    }

    // MARK: Setting up

    private mutating func handleServerInfo(_ message: JanusMessage, _ now: Instant, _ chance: Double) {
        guard case .serverInfo(let version, let hasVideoRoom) = message.kind else {
            return drop(.notJanus, now, chance, isOpen: true)
        }
        notice(SFUServerInfo(version: version))
        guard hasVideoRoom else { return drop(.noVideoRoom, now, chance, isOpen: true) }
        if state == .settingUp, rooms.service != nil { goOn(.anew, now) }
    }

    private mutating func handleSetUp(
        _ purpose: JanusTransactions.Purpose, _ message: JanusMessage, _ code: Int?, _ now: Instant, _ chance: Double
    ) {
        switch (purpose, code, message.kind) {
        case (.claim, nil, .success): goOn(.claimed, now)
        // No such session (JANUS_ERROR_SESSION_NOT_FOUND).
        case (.claim, 458?, _): beginAnew(now)
        case (.createSession, nil, .success(let number?)):
            session = number
            send(.attach(session: number), .attachService, now)
        case (.attachService, nil, .success(let number?)):
            rooms.setService(number)
            // A server that has not said yet what it is may have no such plugin, and would have refused this.
            if serverInfo != nil { goOn(.anew, now) }
        case (_, let code?, _): drop(.coreFailure(code), now, chance, isOpen: true)
        default: drop(.notJanus, now, chance, isOpen: true)
        }
    }

    // MARK: Commands

    /// Second half of a command that needs a handle of its own.
    private mutating func open(
        _ command: JanusCommand, _ handle: Int, _ number: Int, _ deadline: Instant, _ now: Instant
    ) {
        guard let session else { return settle(number, .failure(.lost)) }
        switch command {
        case .join(let room, let feed):
            rooms.addOwn(feed.id, handle)
            send(
                .room(VideoRoomBody.join(room, as: feed), session: session, handle: handle),
                .command(number, command), now, deadline: deadline)
        case .subscribe(let feed):
            guard let membership = rooms.membership else {
                detach(handle, now)
                return settle(number, .failure(.notJoined))
            }
            rooms.addSubscription(feed, handle)
            let body = VideoRoomBody.subscribe(feed, room: membership.room, privateID: rooms.privateID)
            send(
                .room(body, session: session, handle: handle), .command(number, command), now, deadline: deadline)
        default: settle(number, .failure(.malformed))
        }
    }

    private mutating func finish(
        _ number: Int, _ command: JanusCommand, _ message: JanusMessage, _ code: Int?, _ now: Instant
    ) {
        do throws(SFUError) {
            if let code { throw .failure(code, of: command) }
            settle(number, .success(try result(of: command, message)))
        } catch {
            if let path = command.openedPath { close(path, now) }
            settle(number, .failure(error))
        }
    }

    private mutating func result(
        of command: JanusCommand, _ message: JanusMessage
    ) throws(SFUError) -> JanusAnswer {
        switch command {
        case .makeRoom:
            guard message.room?.kind == .created else { throw .malformed }
            return .done
        case .exists:
            guard let exists = message.room?.exists else { throw .malformed }
            return .exists(exists)
        case .participants:
            guard let room = message.room, room.kind == .participants else { throw .malformed }
            return .participants(room.participants)
        case .destroyRoom:
            guard message.room?.kind == .destroyed else { throw .malformed }
            return .done
        case .lockRoom:
            guard message.room?.kind == .edited else { throw .malformed }
            return .done
        case .join(let room, let feed):
            // The path may have been closed meanwhile, as when the room was destroyed.
            guard rooms.handle(.own(feed.id)) != nil else { throw .lost }
            guard let data = message.room, data.kind == .joined, data.id == feed.id else { throw .malformed }
            join(room, as: feed.id, data)
            return .done
        case .subscribe(let feed):
            guard rooms.handle(.feed(feed)) != nil else { throw .lost }
            guard let data = message.room, data.kind == .attached, let offer = message.description,
                offer.kind == .offer
            else { throw .malformed }
            rooms.subscriptions[feed]?.streams = data.streams
            return .description(offer.sdp)
        case .publish:
            guard let answer = message.description, answer.kind == .answer else { throw .malformed }
            return .description(answer.sdp)
        case .kick, .answer, .configure, .leave, .unsubscribe, .addCandidates: return .done
        }
    }
}

extension SFUError {
    /// What Janus itself refuses (`JANUS_ERROR_…` of its apierror.h).
    static func coreFailure(_ code: Int) -> SFUError {
        switch code {
        case 403, 405: .unauthorized
        case 458, 459: .lost
        case 460: .noVideoRoom
        case 464, 465, 466: .invalidDescription
        default: .refused(code: code)
        }
    }

    /// What Janus or its videoroom plugin refuses of a command (`JANUS_VIDEOROOM_ERROR_…`). One number means several things.
    static func failure(_ code: Int, of command: JanusCommand) -> SFUError {
        switch (code, command) {
        case (429, .makeRoom), (433, .makeRoom): .mayNotMakeRooms
        case (429, .join), (433, .join), (429, .subscribe), (433, .subscribe): .wrongPin
        case (429, .destroyRoom), (433, .destroyRoom), (429, .kick), (433, .kick),
            (429, .lockRoom), (433, .lockRoom):
            .wrongSecret
        case (433, .publish): .encryptionRequired
        case (426, _): .noSuchRoom
        case (427, _): .roomExists
        case (428, _): .noSuchFeed
        case (431, _), (437, _): .invalidDescription
        case (432, _): .roomFull
        case (436, _): .feedTaken
        default: .coreFailure(code)
        }
    }
}
