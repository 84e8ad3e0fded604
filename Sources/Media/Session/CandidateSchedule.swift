/// When local candidates are handed out: the first batch goes inside the offer or answer, the rest follow in batches
/// (calls fact sheet §5).
struct CandidateSchedule: Sendable {
    /// The first batch leaves when gathering is complete or after this many milliseconds.
    static let firstDelay: Int64 = 750
    /// Further batches leave this many milliseconds apart …
    static let interval: Int64 = 1_500
    /// … until this many milliseconds after gathering began.
    static let end: Int64 = 12_000

    private let startedAt: Int64
    private var waiting: [MediaCandidate] = []
    private var isComplete = false
    private var lastBatchAt: Int64?
    private var isOver = false

    /// Gathering began at `now` (milliseconds of a monotonic clock).
    init(now: Int64) {
        startedAt = now
    }

    /// A local candidate was found.
    mutating func add(_ candidate: MediaCandidate) {
        if !isOver { waiting.append(candidate) }
    }

    /// No further candidate will be found.
    mutating func gatheringCompleted() {
        isComplete = true
    }

    /// What is to be done at a point in time.
    enum Action: Sendable, Equatable {
        /// Nothing before the given time.
        case wait(until: Int64)
        /// The first batch, possibly empty: it completes the offer or answer.
        case first([MediaCandidate])
        /// A further batch, never empty.
        case further([MediaCandidate])
        /// Nothing ever again.
        case done
    }

    /// What is due at `now`. Call again after anything but `.wait` and `.done`.
    mutating func poll(now: Int64) -> Action {
        guard !isOver else { return .done }
        guard let lastBatchAt else {
            let due = startedAt + Self.firstDelay
            guard isComplete || now >= due else { return .wait(until: due) }
            self.lastBatchAt = now
            return .first(takeWaiting())
        }
        let isLast = isComplete || now >= startedAt + Self.end
        let due = lastBatchAt + Self.interval
        if now >= due || isLast {
            isOver = isLast
            self.lastBatchAt = now
            if !waiting.isEmpty { return .further(takeWaiting()) }
            return isOver ? .done : .wait(until: now + Self.interval)
        }
        return .wait(until: min(due, startedAt + Self.end))
    }

    private mutating func takeWaiting() -> [MediaCandidate] {
        defer { waiting = [] }
        return waiting
    }
}
