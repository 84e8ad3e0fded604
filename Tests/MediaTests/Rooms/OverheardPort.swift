import Synchronization

@testable import MediaRules

/// A room's port with somebody who listens to what is agreed through it.
final class OverheardPort: ForwardingPort {
    private let port: any ForwardingPort
    private let heard = Mutex<(publications: Int, answers: [String], choices: [ForwardedLayer])>((0, [], []))
    private let refusals = Mutex(0)
    private let losses = Mutex(0)

    init(_ port: any ForwardingPort) { self.port = port }

    /// How often our own media were published.
    var publications: Int { heard.withLock { $0.publications } }
    /// What we answered to the server's offers.
    var answers: [String] { heard.withLock { $0.answers } }
    /// The choices of pictures that reached the server.
    var choices: [ForwardedLayer] { heard.withLock { $0.choices } }

    /// Refuses so many choices of pictures from here on.
    func refuse(_ count: Int) { refusals.withLock { $0 = count } }
    /// Agrees to so many choices from here on of which nothing comes.
    func lose(_ count: Int) { losses.withLock { $0 = count } }
    /// How many choices are still lost.
    var losesYet: Int { losses.withLock { $0 } }
    /// How many choices are still refused.
    var refusesYet: Int { refusals.withLock { $0 } }

    var events: AsyncStream<ForwardingEvent> { port.events }

    func publish(_ offer: String) async throws -> String {
        let answer = try await port.publish(offer)
        heard.withLock { $0.publications += 1 }
        return answer
    }

    func subscribe(to feed: FeedID) async throws -> String { try await port.subscribe(to: feed) }

    func answer(_ answer: String, of feed: FeedID) async throws {
        heard.withLock { $0.answers.append(answer) }
        try await port.answer(answer, of: feed)
    }

    func add(_ candidates: [MediaCandidate], of connection: ForwardedConnection) async {
        await port.add(candidates, of: connection)
    }

    func configure(_ feed: FeedID, layer: ForwardedLayer) async throws {
        let isRefused = refusals.withLock { count in
            defer { count = max(0, count - 1) }
            return count > 0
        }
        if isRefused { throw FakeForwarder.Refused() }
        let isLost = losses.withLock { count in
            defer { count = max(0, count - 1) }
            return count > 0
        }
        if isLost { return }
        try await port.configure(feed, layer: layer)
        heard.withLock { $0.choices.append(layer) }
    }

    func unsubscribe(from feed: FeedID) async { await port.unsubscribe(from: feed) }

    func networkChanged() async { await port.networkChanged() }

    func close() async { await port.close() }
}
