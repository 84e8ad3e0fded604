import BaseKit
import SMP
import SMPSession

/// One measurement of delivery: starts messages, follows them to their acknowledgement and counts.
final class DeliveryFlow: Sendable {
    private struct State {
        var histogram = LatencyHistogram()
        /// When the messages under way were due, by route, oldest first.
        var due: [Int: [Instant]] = [:]
        var underWay = 0
        var arrived = 0
        var acknowledged = 0
        var nextRoute = 0
        var isStopped = false
        var failure: String?
        var lastAcknowledgement: Instant?
    }

    /// Every so many messages one is opened; the others cost the load nothing but their bytes.
    private static let checkEvery = 16

    private let fleet: Fleet
    private let refills: Bool
    private let state = Lock(State())

    /// - Parameter refills: whether each acknowledgement starts another message.
    init(fleet: Fleet, refills: Bool) {
        self.fleet = fleet
        self.refills = refills
    }

    var histogram: LatencyHistogram { state.withLock { $0.histogram } }
    var acknowledgedCount: Int { state.withLock { $0.acknowledged } }
    var underWay: Int { state.withLock { $0.underWay } }
    var failure: String? { state.withLock { $0.failure } }
    var lastAcknowledgement: Instant? { state.withLock { $0.lastAcknowledgement } }

    /// Sends on the next route.
    ///
    /// - Parameter due: when it should have been sent; the latency counts from there.
    func send(due: Instant) {
        let next = state.withLock { state in
            defer { state.nextRoute += 1 }
            return state.nextRoute
        }
        guard let route = fleet.route(next) else { return }
        state.withLock { state in
            state.due[route.index, default: []].append(due)
            state.underWay += 1
        }
        Task {
            do throws(RelayRequestError) {
                _ = try await route.sender.connection.request(
                    RelayRequest(
                        .send(notify: false, body: Fleet.body), entity: route.senderID, key: route.owner.keys.sender))
            } catch {
                fail("\(error)")
            }
        }
    }

    /// A message came out of a route.
    ///
    /// - Returns: whether it should be checked.
    func arrived(route: Int) -> Bool {
        let now = Instant.now
        return state.withLock { state in
            if let due = state.due[route]?.first {
                state.due[route]?.removeFirst()
                state.histogram.record((now - due).wholeNanoseconds)
            }
            state.arrived += 1
            return state.arrived % Self.checkEvery == 1
        }
    }

    /// A message is done with.
    func acknowledged() {
        let now = Instant.now
        let goesOn = state.withLock { state in
            state.acknowledged += 1
            state.underWay -= 1
            state.lastAcknowledgement = now
            return refills && !state.isStopped && state.failure == nil
        }
        if goesOn { send(due: now) }
    }

    /// Starts no more messages.
    func stop() { state.withLock { $0.isStopped = true } }

    func fail(_ reason: String) {
        state.withLock { state in if state.failure == nil { state.failure = reason } }
    }

    /// Waits until no message is under way.
    func drain() async throws(BenchError) {
        let deadline = Instant.now + .seconds(20)
        while underWay > 0, failure == nil {
            guard Instant.now < deadline else { throw .lost(subject: fleet.subject.name, messages: underWay) }
            try? await Task.sleep(for: .milliseconds(2))
        }
        if let failure { throw .setUp(failure) }
    }
}
