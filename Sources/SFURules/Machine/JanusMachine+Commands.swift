import BaseKit

/// Commands, on a session that is there.
extension JanusMachine {
    mutating func begin(_ number: Int, _ command: JanusCommand, _ now: Instant, _ deadline: Instant) {
        guard let session, let service = rooms.service else { return settle(number, .failure(.lost)) }
        do throws(SFUError) {
            let request: JanusRequest
            switch command {
            case .makeRoom(let plan):
                request = .room(VideoRoomBody.create(plan, key: keys.roomKey), session: session, handle: service)
            case .exists(let room):
                request = .room(VideoRoomBody.exists(room), session: session, handle: service)
            case .participants(let room):
                request = .room(VideoRoomBody.participants(room), session: session, handle: service)
            case .destroyRoom(let room, let secret):
                request = .room(VideoRoomBody.destroy(room, secret: secret), session: session, handle: service)
            case .lockRoom(let room, let secret, let lock):
                request = .room(
                    VideoRoomBody.edit(room, secret: secret, to: lock), session: session, handle: service)
            case .kick(let feed, let room, let secret):
                request = .room(VideoRoomBody.kick(feed, room: room, secret: secret), session: session, handle: service)
            case .join, .subscribe:
                try checkOpening(command)
                return send(.attach(session: session), .attach(number, command), now, deadline: deadline)
            case .leave(let own): return try beginClosing(.own(own), number, command, now, deadline)
            case .unsubscribe(let feed): return try beginClosing(.feed(feed), number, command, now, deadline)
            case .addCandidates(let path, let candidates, let isComplete):
                let handle = try handle(of: path)
                return trickle(candidates, isComplete, session, handle, number, command, now, deadline)
            case .publish(let own, let offer):
                request = .room(
                    VideoRoomBody.configure, session: session, handle: try handle(of: .own(own)),
                    description: JanusDescription(.offer, offer))
            case .answer(let feed, let answer):
                request = .room(
                    VideoRoomBody.start, session: session, handle: try handle(of: .feed(feed)),
                    description: JanusDescription(.answer, answer))
            case .configure(let feed, let choice):
                let handle = try handle(of: .feed(feed))
                let streams = rooms.subscriptions[feed]?.streams.filter { $0.kind != .data } ?? []
                request = .room(VideoRoomBody.configure(streams, choice), session: session, handle: handle)
            }
            send(request, .command(number, command), now, deadline: deadline)
        } catch {
            settle(number, .failure(error))
        }
    }

    private func handle(of path: SFUPath) throws(SFUError) -> Int {
        guard let handle = rooms.handle(path) else { throw .notJoined }
        return handle
    }

    /// Whether a path may be opened, those that are being opened counted.
    private func checkOpening(_ command: JanusCommand) throws(SFUError) {
        var paths: Set<SFUPath> = []
        var room = rooms.membership?.room.number
        for entry in transactions.entries.values {
            switch entry.purpose {
            case .attach(_, let other), .command(_, let other):
                if let path = other.openedPath { paths.insert(path) }
                if case .join(let other, _) = other { room = other.number }
            default: break
            }
        }
        for own in rooms.own.keys { paths.insert(.own(own)) }
        for feed in rooms.subscriptions.keys { paths.insert(.feed(feed)) }
        guard let path = command.openedPath else { return }
        guard !paths.contains(path) else { throw .alreadyJoined }
        switch command {
        case .join(let wanted, _):
            guard room == nil || room == wanted.number else { throw .alreadyJoined }
            let count = paths.count { if case .own = $0 { true } else { false } }
            guard count < JanusRooms.maximumOwn else { throw .tooMany }
        default:
            guard rooms.membership != nil else { throw .notJoined }
            let count = paths.count { if case .feed = $0 { true } else { false } }
            guard count < JanusRooms.maximumSubscriptions else { throw .tooMany }
        }
    }

    /// What is closed is forgotten at once: what the server still says of it is about nothing.
    private mutating func beginClosing(
        _ path: SFUPath, _ number: Int, _ command: JanusCommand, _ now: Instant, _ deadline: Instant
    ) throws(SFUError) {
        guard let session, let handle = rooms.remove(path) else { throw .notJoined }
        send(
            JanusRequest(.detach, session: session, handle: handle), .command(number, command), now, deadline: deadline)
        if case .own = path, rooms.own.isEmpty { for handle in rooms.leave() { detach(handle, now) } }
    }

    private mutating func trickle(
        _ candidates: [SFUCandidate], _ isComplete: Bool, _ session: Int, _ handle: Int, _ number: Int,
        _ command: JanusCommand, _ now: Instant, _ deadline: Instant
    ) {
        guard isComplete || !candidates.isEmpty else { return settle(number, .success(.done)) }
        if !candidates.isEmpty {
            let request = JanusRequest.trickle(candidates, session: session, handle: handle)
            send(request, isComplete ? .farewell : .command(number, command), now, deadline: deadline)
        }
        guard isComplete else { return }
        send(.trickleEnd(session: session, handle: handle), .command(number, command), now, deadline: deadline)
    }
}
