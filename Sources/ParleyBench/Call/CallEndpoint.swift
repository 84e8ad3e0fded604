import BaseKit
import Foundation
import MediaRules

/// One end of a measured call, in processes of its own.
protocol CallEndpoint: Sendable {
    /// The process from which all others of it come.
    var process: Int32 { get }
    var news: EventQueue { get }
    func tell(_ order: CallOrder)
    func stop()
}

extension CallEndpoint {
    /// Waits for an answer to what was told. Throws ``BenchError/call(_:)``.
    func ask<Answer>(
        _ order: CallOrder, within time: Duration = .seconds(40), _ choose: @escaping @Sendable (CallEvent) -> Answer?
    ) async throws -> Answer {
        tell(order)
        return try await news.next(within: time, choose)
    }

    /// Sends the peer all candidates that this end tells, from now on.
    func carryCandidates(to peer: some CallEndpoint) { news.onCandidates { peer.tell(.candidates($0)) } }
}

/// The events of one end, until somebody takes them.
final class EventQueue: Sendable {
    private struct State {
        var events: [CallEvent] = []
        var failure: String?
        var onCandidates: (@Sendable ([MediaCandidate]) -> Void)?
    }

    private let state = Lock(State())

    func add(_ event: CallEvent) {
        if case .candidates(let more) = event, let handler = state.withLock({ $0.onCandidates }) {
            return handler(more)
        }
        state.withLock { state in
            if case .failed(let reason) = event { state.failure = state.failure ?? reason }
            state.events.append(event)
        }
    }

    /// Has candidates go there, also those that wait.
    func onCandidates(_ handler: @escaping @Sendable ([MediaCandidate]) -> Void) {
        let waiting = state.withLock { state in
            state.onCandidates = handler
            return state.events.compactMap { if case .candidates(let more) = $0 { more } else { nil } }
        }
        for more in waiting { handler(more) }
    }

    /// Takes the first event that is chosen. Throws ``BenchError/call(_:)`` when none comes in time or the end has failed.
    @discardableResult
    func next<Answer>(within time: Duration, _ choose: (CallEvent) -> Answer?) async throws -> Answer {
        let limit = Instant.now + time
        while Instant.now < limit {
            let (found, failure) = state.withLock { state -> (Answer?, String?) in
                for (index, event) in state.events.enumerated() {
                    if let answer = choose(event) {
                        state.events.remove(at: index)
                        return (answer, nil)
                    }
                }
                return (nil, state.failure)
            }
            if let found { return found }
            if let failure { throw BenchError.call(failure) }
            try await Task.sleep(for: .milliseconds(1))
        }
        throw BenchError.call("an end of it does not answer")
    }
}

/// One end that is Parley's: this program again, without a window or with one.
final class ParleyEndpoint: CallEndpoint {
    let news = EventQueue()
    private let program: PipedProgram

    /// Starts it, with the film as its camera and the room's microphone and loudspeaker, and a window where it has a screen. `side` are the
    /// words that make a command run in a network of its own.
    init(film: String, room: SoundRoom, screen: PictureScreen?, folder: String, in side: [String] = []) throws {
        let news = news
        let environment = room.environment(home: folder)
        program = try PipedProgram(
            side + [Programs.own.path, "call-peer", "--film", film] + (screen == nil ? [] : ["--window"]),
            environment: screen?.environment(adding: environment) ?? environment, separator: UInt8(ascii: "\n")
        ) { record in
            guard let record else { return news.add(.failed("one of Parley's processes has ended")) }
            if let event = CallEvent(line: record) { news.add(event) }
        }
    }

    var process: Int32 { program.process }

    func tell(_ order: CallOrder) { program.write(order.line) }

    func stop() { program.stop() }
}
