import BaseKit

/// When local candidates are handed out: the first batch goes inside the offer or answer, the rest follow in batches
/// (Calls fact sheet §5).
struct CandidateSchedule: Sendable {
    /// The first batch leaves when gathering is complete or after this time.
    static let firstDelay: Duration = .milliseconds(750)
    /// webrtcbin may say that gathering is complete before it has told the last candidates.
    static let settling: Duration = .milliseconds(5)
    /// Further batches leave this far apart …
    static let interval: Duration = .milliseconds(1_500)
    /// … until this time after gathering began.
    static let end: Duration = .seconds(12)

    private let startedAt: Instant
    private var waiting: [MediaCandidate] = []
    private var completedAt: Instant?
    private var lastBatchAt: Instant?

    /// Gathering began at `now`.
    init(now: Instant) {
        startedAt = now
    }

    /// A local candidate was found.
    mutating func add(_ candidate: MediaCandidate) {
        waiting.append(candidate)
    }

    /// Gathering was said to be complete at `now`.
    mutating func gatheringCompleted(now: Instant) {
        completedAt = completedAt ?? now
    }

    /// What is to be done at a point in time.
    enum Action: Sendable, Equatable {
        /// Nothing before the given time, unless something is added.
        case wait(until: Instant)
        /// The first batch, possibly empty: it completes the offer or answer.
        case first([MediaCandidate])
        /// A further batch, never empty.
        case further([MediaCandidate])
        /// Nothing ever again.
        case done
    }

    /// What is due at `now`. Call again after anything but `.wait` and `.done`.
    mutating func poll(now: Instant) -> Action {
        guard let lastBatchAt else { return pollFirst(now: now) }
        let isOver = now >= startedAt + Self.end
        guard now >= lastBatchAt + Self.interval || isOver else {
            return .wait(until: min(lastBatchAt + Self.interval, startedAt + Self.end))
        }
        self.lastBatchAt = now
        if !waiting.isEmpty { return .further(takeWaiting()) }
        return isOver ? .done : .wait(until: now + Self.interval)
    }

    private mutating func pollFirst(now: Instant) -> Action {
        var due = startedAt + Self.firstDelay
        if let completedAt, !waiting.isEmpty { due = min(due, completedAt + Self.settling) }
        guard now >= due else { return .wait(until: due) }
        lastBatchAt = now
        return .first(takeWaiting())
    }

    private mutating func takeWaiting() -> [MediaCandidate] {
        defer { waiting = [] }
        return waiting
    }
}
