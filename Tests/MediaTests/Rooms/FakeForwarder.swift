import Synchronization

@testable import MediaRules

/// A room in memory: answers as a server would, and forwards nothing.
final class FakeForwarder: ForwardingPort {
    struct Refused: Error {}

    private struct State {
        var asked: [FeedID] = []
        var published = 0
        var left: [FeedID] = []
        var isClosed = false
    }

    let events: AsyncStream<ForwardingEvent>
    let tell: AsyncStream<ForwardingEvent>.Continuation
    private let state = Mutex(State())
    private let offer: @Sendable (FeedID) throws -> String

    /// `offer` gives what the server says when a feed is asked for.
    init(offer: @escaping @Sendable (FeedID) throws -> String = { _ in throw Refused() }) {
        (events, tell) = AsyncStream.makeStream()
        self.offer = offer
    }

    var asked: [FeedID] { state.withLock { $0.asked } }
    var left: [FeedID] { state.withLock { $0.left } }
    var published: Int { state.withLock { $0.published } }
    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// What a server answers to an offer: it takes what is sent.
    func publish(_ offer: String) async throws -> String {
        state.withLock { $0.published += 1 }
        return offer.replacing("a=setup:actpass", with: "a=setup:active").replacing("a=sendrecv", with: "a=recvonly")
    }

    func subscribe(to feed: FeedID) async throws -> String {
        state.withLock { $0.asked.append(feed) }
        return try offer(feed)
    }

    func answer(_ answer: String, of feed: FeedID) async throws {}
    func add(_ candidates: [MediaCandidate], of connection: ForwardedConnection) async {}
    func configure(_ feed: FeedID, layer: ForwardedLayer) async throws {}
    func networkChanged() async {}
    func unsubscribe(from feed: FeedID) async { state.withLock { $0.left.append(feed) } }

    func close() async {
        state.withLock { $0.isClosed = true }
        tell.finish()
    }
}
