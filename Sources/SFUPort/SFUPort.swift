import Cryptography
import MediaRules
import SFU
import SFURules
import Signaling

/// A room on a Janus server as media see it: an ``SFURoomClient`` behind a ``ForwardingPort``.
///
/// The client is used by nobody else from then on, and closed with the port. A room that is lost for good is said to be closed; whether
/// another is joined is for the rules of the call.
public actor SFUPort: ForwardingPort {
    public nonisolated let events: AsyncStream<ForwardingEvent>
    private let tell: AsyncStream<ForwardingEvent>.Continuation
    private let client: SFURoomClient
    private var room: SFURoom
    private let member: UInt8
    private let feedsKey: SecretBytes
    /// The feed that our media are in, or are to be.
    private var own: SFUFeed
    private var isUsed = false
    private var reader: Task<Void, Never>?

    /// Joins a room as the feed of `member`, under the ``FeedName`` that `feedsKey` gives. Throws ``SFUError``; then the client is closed.
    public init(
        joining room: SFURoom, by client: SFURoomClient, member: UInt8, feedsKey: SecretBytes
    ) async throws(SFUError) {
        (events, tell) = AsyncStream.makeStream()
        (self.client, self.room, self.member, self.feedsKey) = (client, room, member, feedsKey)
        own = Self.feed(of: member, feedsKey)
        do throws(SFUError) {
            try await client.join(room, as: own)
        } catch {
            await client.close()
            throw error
        }
        reader = Task { [weak self, events = client.events] in
            for await event in events { await self?.receive(event) }
            await self?.end()
        }
    }

    private static func feed(of member: UInt8, _ key: SecretBytes) -> SFUFeed {
        let number = SFUNumber.random()
        return SFUFeed(id: number, display: FeedName(of: member, feed: FeedID(number), key: key).display)
    }

    private func receive(_ event: SFUEvent) {
        switch event {
        case .feedCame(let feed): tell.yield(.feedCame(FeedID(feed.id), display: feed.display))
        case .feedWent(let feed): tell.yield(.feedWent(FeedID(feed)))
        case .hungUp(.own(let feed), _): if feed == own.id { tell.yield(.hungUp(.own)) }
        case .hungUp(.feed(let feed), _): tell.yield(.hungUp(.feed(FeedID(feed))))
        case .lost: tell.yield(.lost)
        case .restored(.claimed): tell.yield(.restored)
        case .restored(.anew), .removed, .roomDestroyed, .failed: end()
        case .connected, .media, .slowLink, .candidates: break
        }
    }

    private func end() {
        tell.yield(.closed)
        tell.finish()
    }

    /// The second time it is by another feed: Janus 1.1.2 still hangs up the connection of a feed some 500 ms after it was asked to, also
    /// one that has been made meanwhile.
    public func publish(_ offer: String) async throws -> String {
        if isUsed {
            let (former, next) = (own, Self.feed(of: member, feedsKey))
            // Before the former leaves: with the last own feed all that comes ends, too.
            try await client.join(room, as: next)
            own = next
            try? await client.leave(former.id)
        }
        isUsed = true
        return try await client.publish(offer, as: own.id)
    }

    public func subscribe(to feed: FeedID) async throws -> String {
        let number = try feed.number
        try? await client.unsubscribe(number)
        return try await client.subscribe(number)
    }

    public func answer(_ answer: String, of feed: FeedID) async throws {
        try await client.answer(answer, to: try feed.number)
    }

    public func add(_ candidates: [MediaCandidate], of connection: ForwardedConnection) async {
        let all = candidates.map { SFUCandidate(text: $0.candidate, mid: $0.mid, index: $0.mLineIndex) }
        switch connection {
        case .own: try? await client.addCandidates(all, for: .own(own.id))
        case .feed(let feed):
            if let number = try? feed.number { try? await client.addCandidates(all, for: .feed(number)) }
        }
    }

    public func configure(_ feed: FeedID, layer: ForwardedLayer) async throws {
        try await client.configure(try feed.number, layer.choice)
    }

    public func unsubscribe(from feed: FeedID) async {
        if let number = try? feed.number { try? await client.unsubscribe(number) }
    }

    /// Goes on with another token, where there is one, and another PIN.
    public func use(token: SecretText?, pin: SecretText?) async {
        if let token { await client.use(token) }
        if let pin {
            room.pin = pin
            await client.use(pin: pin, of: room.number)
        }
    }

    public func networkChanged() async { await client.networkChanged() }

    public func close() async {
        reader?.cancel()
        await client.close()
        end()
    }
}

extension ForwardedLayer {
    /// Substreams count from the smallest pictures, as `LayerAnnouncement` names them.
    fileprivate var choice: SFUFeedChoice {
        switch self {
        case .high: SFUFeedChoice(substream: 2, isVideoSent: true)
        case .low: SFUFeedChoice(substream: 1, isVideoSent: true)
        case .lowest: SFUFeedChoice(substream: 0, isVideoSent: true)
        case .none: SFUFeedChoice(isVideoSent: false)
        }
    }
}

extension FeedID {
    init(_ number: SFUNumber) { self.init(UInt64(number.value)) }

    fileprivate var number: SFUNumber {
        get throws(SFUError) {
            guard let number = SFUNumber(Int(clamping: value)) else { throw .malformed }
            return number
        }
    }
}
