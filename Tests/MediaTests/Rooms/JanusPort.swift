import Cryptography
import Foundation
import Synchronization

@testable import MediaRules

/// A room of a Janus, over its HTTP interface: no more than media tests need.
actor JanusPort: ForwardingPort {
    struct Refusal: Error { let text: String }

    nonisolated let events: AsyncStream<ForwardingEvent>
    private let tell: AsyncStream<ForwardingEvent>.Continuation
    private let server: JanusServer
    private let room: UInt64
    let feed: FeedID
    private let display: String
    private var session: UInt64 = 0
    private var own: UInt64 = 0
    private var handles: [FeedID: UInt64] = [:]
    private var waiting: [String: CheckedContinuation<Message, any Error>] = [:]
    private var reader: Task<Void, Never>?
    private var isClosed = false
    /// How often our media were published.
    private(set) var publications = 0
    /// How many of our own connections were ended from here, of which the server has not told yet.
    private var ended = 0
    /// The last descriptions that came, for who wants to look at them.
    private(set) var descriptions: [String] = []

    /// What the server said, as far as it is used.
    struct Message: Sendable {
        var kind: String
        var sender: UInt64?
        var transaction: String?
        var id: UInt64?
        var sdp: String?
        var error: String?
        var publishers: [(FeedID, String)] = []
        var gone: FeedID?

        init(_ object: [String: Any]) {
            kind = object["janus"] as? String ?? ""
            sender = Self.number(object["sender"])
            transaction = object["transaction"] as? String
            id = Self.number((object["data"] as? [String: Any])?["id"])
            sdp = (object["jsep"] as? [String: Any])?["sdp"] as? String
            error = (object["error"] as? [String: Any])?["reason"] as? String
            guard let plugin = object["plugindata"] as? [String: Any], let data = plugin["data"] as? [String: Any]
            else {
                return
            }
            error = data["error"] as? String ?? error
            for one in data["publishers"] as? [[String: Any]] ?? [] {
                if let id = Self.number(one["id"]) { publishers.append((FeedID(id), one["display"] as? String ?? "")) }
            }
            gone = (Self.number(data["unpublished"]) ?? Self.number(data["leaving"])).map(FeedID.init)
        }

        private static func number(_ value: Any?) -> UInt64? { (value as? NSNumber)?.uint64Value }
    }

    /// Joins a room, which is made if there is none.
    init(_ server: JanusServer, room: UInt64, member: UInt8, feedsKey: SecretBytes, display: String? = nil) async throws
    {
        (events, tell) = AsyncStream.makeStream()
        (self.server, self.room) = (server, room)
        feed = FeedID(.random(in: 1..<1 << 52))
        self.display = display ?? FeedName(of: member, feed: feed, key: feedsKey).display
        session = try await request("/janus", ["janus": "create"]).id ?? 0
        reader = Task { [weak self, path = "/janus/\(session)?maxev=10", server] in
            while !Task.isCancelled {
                guard let data = try? await HTTPCall.get(path, from: server.address, server.port) else {
                    if await self?.isClosed ?? true { return }
                    continue
                }
                let all = (try? JSONSerialization.jsonObject(with: data)) as? [[String: Any]] ?? []
                for message in all.map(Message.init) { await self?.take(message) }
            }
        }
        own = try await attach()
        _ = try? await ask(own, ["request": "create", "room": room, "publishers": 16, "require_e2ee": true])
        let joined = try await ask(
            own, ["request": "join", "ptype": "publisher", "room": room, "id": feed.value, "display": self.display])
        for (feed, display) in joined.publishers { tell.yield(.feedCame(feed, display: display)) }
    }

    private func request(_ path: String, _ body: [String: Any]) async throws -> Message {
        var body = body
        if body["transaction"] == nil { body["transaction"] = UUID().uuidString }
        let data = try JSONSerialization.data(withJSONObject: body)
        let answer = try await HTTPCall.post(path, data, to: server.address, server.port)
        let message = Message(try JSONSerialization.jsonObject(with: answer) as? [String: Any] ?? [:])
        if let error = message.error { throw Refusal(text: error) }
        return message
    }

    private func attach() async throws -> UInt64 {
        let body = ["janus": "attach", "plugin": "janus.plugin.videoroom"]
        guard let id = try await request("/janus/\(session)", body).id else { throw Refusal(text: "no handle") }
        return id
    }

    /// A message to the plugin, and its answer.
    @discardableResult
    private func ask(_ handle: UInt64, _ body: [String: Any], _ jsep: (String, String)? = nil) async throws -> Message {
        let transaction = UUID().uuidString
        var message: [String: Any] = ["janus": "message", "body": body, "transaction": transaction]
        if let jsep { message["jsep"] = ["type": jsep.0, "sdp": jsep.1, "e2ee": true] as [String: Any] }
        let path = "/janus/\(session)/\(handle)"
        let data = try JSONSerialization.data(withJSONObject: message)
        let answer = try await withCheckedThrowingContinuation { continuation in
            waiting[transaction] = continuation
            Task { [server] in
                do {
                    let answer = try await HTTPCall.post(path, data, to: server.address, server.port)
                    let message = Message(try JSONSerialization.jsonObject(with: answer) as? [String: Any] ?? [:])
                    // What takes time is acknowledged, and answered among the events.
                    if message.kind != "ack" { answered(message, transaction) }
                } catch {
                    fail(transaction, error)
                }
            }
        }
        if let error = answer.error { throw Refusal(text: error) }
        if let sdp = answer.sdp { descriptions.append(sdp) }
        return answer
    }

    private func answered(_ message: Message, _ transaction: String) {
        waiting.removeValue(forKey: transaction)?.resume(returning: message)
    }

    private func fail(_ transaction: String, _ error: any Error) {
        waiting.removeValue(forKey: transaction)?.resume(throwing: error)
    }

    private func take(_ message: Message) {
        if let transaction = message.transaction, message.kind == "event", waiting[transaction] != nil {
            answered(message, transaction)
        }
        let connection: ForwardedConnection? =
            message.sender == own ? .own : handles.first { $0.value == message.sender }.map { .feed($0.key) }
        switch message.kind {
        case "event" where message.transaction == nil || message.sender == own:
            for (feed, display) in message.publishers { tell.yield(.feedCame(feed, display: display)) }
            if let gone = message.gone { tell.yield(.feedWent(gone)) }
        case "hangup" where connection == .own && ended > 0: ended -= 1
        case "hangup": if let connection { tell.yield(.hungUp(connection)) }
        case "timeout": tell.yield(.closed)
        default: break
        }
    }

    func publish(_ offer: String) async throws -> String {
        if publications > 0 {
            ended += 1
            _ = try? await request("/janus/\(session)/\(own)", ["janus": "hangup"])
        }
        let answer = try await ask(own, ["request": "publish"], ("offer", offer))
        publications += 1
        guard let sdp = answer.sdp else { throw Refusal(text: "no answer") }
        return sdp
    }

    func subscribe(to feed: FeedID) async throws -> String {
        await unsubscribe(from: feed)
        let handle = try await attach()
        handles[feed] = handle
        let answer = try await ask(
            handle,
            ["request": "join", "ptype": "subscriber", "room": room, "streams": [["feed": feed.value]]])
        guard let sdp = answer.sdp else { throw Refusal(text: "no offer") }
        return sdp
    }

    func answer(_ answer: String, of feed: FeedID) async throws {
        guard let handle = handles[feed] else { throw Refusal(text: "no such feed") }
        descriptions.append(answer)
        try await ask(handle, ["request": "start"], ("answer", answer))
    }

    func add(_ candidates: [MediaCandidate], of connection: ForwardedConnection) async {
        let handle: UInt64? =
            switch connection {
            case .own: own
            case .feed(let feed): handles[feed]
            }
        guard let handle, !candidates.isEmpty else { return }
        let list = candidates.map { candidate -> [String: Any] in
            ["candidate": candidate.candidate, "sdpMid": candidate.mid ?? "0", "sdpMLineIndex": candidate.mLineIndex]
        }
        _ = try? await request("/janus/\(session)/\(handle)", ["janus": "trickle", "candidates": list])
    }

    func configure(_ feed: FeedID, layer: ForwardedLayer) async throws {
        guard let handle = handles[feed] else { throw Refusal(text: "no such feed") }
        let stream: [String: Any] = ["mid": "1", "send": layer != .none, "substream": layer == .low ? 0 : 1]
        try await ask(handle, ["request": "configure", "streams": [stream]])
    }

    func unsubscribe(from feed: FeedID) async {
        guard let handle = handles.removeValue(forKey: feed) else { return }
        _ = try? await request("/janus/\(session)/\(handle)", ["janus": "detach"])
    }

    func close() async {
        guard !isClosed else { return }
        isClosed = true
        reader?.cancel()
        _ = try? await request("/janus/\(session)", ["janus": "destroy"])
        for one in waiting.values { one.resume(throwing: Refusal(text: "closed")) }
        waiting = [:]
        tell.yield(.closed)
        tell.finish()
    }
}
