import BaseKit

/// Our own candidates of one transport, from webrtcbin to the peer.
package struct LocalCandidates: Sendable {
    /// What is due.
    enum Output: Sendable, Equatable {
        /// The first batch; it completes the offer or answer.
        case first([MediaCandidate])
        /// A further batch.
        case further([MediaCandidate])
        /// Nothing before this time. Only as long as the first batch is waited for: ticks are enough for the others.
        case wake(at: Instant)
    }

    private let isRelayOnly: Bool
    private var relays: RelayWatch
    private var schedule: CandidateSchedule?
    private var isFirstBatchOut = false
    /// Whether offer or answer wait for the first batch. Before, it would meet nobody.
    var isAwaited = false

    /// `relays` watches for what is gathered from TURN servers.
    package init(isRelayOnly: Bool, relays: RelayWatch) {
        self.isRelayOnly = isRelayOnly
        self.relays = relays
    }

    /// Whether a relay gave one.
    var hasRelay: Bool { relays.hasRelay }

    /// Gathering begins, once.
    mutating func began(now: Instant) {
        guard schedule == nil else { return }
        schedule = CandidateSchedule(now: now)
        relays.began(now: now)
    }

    /// Takes one that was found; nil when the peer is not to be told of it.
    mutating func found(_ candidate: MediaCandidate) -> CandidateLine? {
        guard let line = try? CandidateLine(parsing: candidate.candidate), line.transport == .udp,
            line.kind == .relay || !isRelayOnly
        else { return nil }
        var candidate = candidate
        if line.kind == .relay {
            candidate.candidate = CandidateLine.withoutRelatedAddress(candidate.candidate)
            relays.found()
        }
        schedule?.add(candidate)
        return line
    }

    /// Gathering was said to be complete.
    mutating func completed(now: Instant) {
        schedule?.gatheringCompleted(now: now)
        relays.completed(now: now)
    }

    /// No relay can be reached.
    mutating func relaysLost(now: Instant) { relays.lost(now: now) }

    /// True once: no relay gave a candidate in its time.
    mutating func lacksRelay(now: Instant) -> Bool { relays.poll(now: now) }

    /// What is due now; to be asked again until it gives nothing or a time.
    mutating func next(now: Instant) -> Output? {
        guard isAwaited || isFirstBatchOut else { return nil }
        switch schedule?.poll(now: now) {
        case .first(let batch):
            (isAwaited, isFirstBatchOut) = (false, true)
            return .first(batch)
        case .further(let batch): return .further(batch)
        case .wait(let time): return isAwaited ? .wake(at: time) : nil
        case .done, nil: return nil
        }
    }
}
