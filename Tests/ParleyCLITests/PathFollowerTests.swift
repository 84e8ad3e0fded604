import Calling
import TestSupport
import Testing

@testable import Parley
@testable import ParleyCLI

@Suite(.timeLimit(.minutes(5))) struct PathFollowerTests {
    private let active = CallPhase.active(since: at(1))

    /// What is printed for each of these phases and transports.
    private func events(_ steps: [(CallPhase, Int)]) -> [String?] {
        var follower = PathFollower()
        return steps.map { phase, number in
            var state = CallState(media: .video, phase: phase)
            state.transportNumber = number
            return follower.follow(state)?.event
        }
    }

    @Test func `a call that is well says nothing`() {
        #expect(events([(.connecting, 0), (active, 0), (active, 0)]) == [nil, nil, nil])
    }

    @Test func `a path that breaks and comes back is told once each, whatever else changes meanwhile`() {
        #expect(
            events([(active, 0), (.reconnecting, 0), (.reconnecting, 0), (active, 0), (active, 0)])
                == [nil, "reconnecting", nil, "reconnected", nil])
    }

    @Test func `another path after a loss is a return, not a move`() {
        #expect(
            events([(active, 0), (.reconnecting, 0), (.reconnecting, 1), (active, 1), (active, 1)])
                == [nil, "reconnecting", nil, "reconnected", nil])
    }

    @Test func `another path without a loss is a move`() {
        #expect(events([(active, 0), (active, 1), (active, 1), (active, 3)]) == [nil, "moved", nil, "moved"])
    }

    @Test func `a call that ends while its path is broken does not come back`() {
        #expect(
            events([(active, 0), (.reconnecting, 0), (.ended(.connectionLost), 0)]) == [nil, "reconnecting", nil])
    }
}
