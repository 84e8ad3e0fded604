import BaseKit

/// When a relay looks after itself: some time after something has changed, and when what it keeps may have become too old. While
/// there is nothing to look after it is never woken up.
///
/// It has no clock of its own.
struct HousekeepingPlan: Sendable {
    /// What is to be done in a turn.
    struct Duties: Equatable, Sendable {
        /// Messages and notifications that are too old are dropped.
        var sweeps = false
        /// What is deleted is overwritten, and what is of no use any more is forgotten.
        var tidies = false
    }

    /// What is left after a turn.
    struct Rest: Equatable, Sendable {
        /// Messages or notifications wait, and get old.
        var isKeeping = false
        /// When there is something to forget, or a session to be closed, though nothing else happens.
        var next: Instant?
    }

    /// How long after a change what the disk still holds of deleted messages is overwritten.
    let tidyInterval: Duration
    /// How often messages that are too old are looked for while there are any.
    let sweepInterval: Duration

    private var tidying: Instant?
    private var sweep: Instant?
    private var lastTidied: Instant?

    init(tidyInterval: Duration, sweepInterval: Duration) {
        self.tidyInterval = tidyInterval
        self.sweepInterval = sweepInterval
    }

    /// When the next turn begins; nil while there is nothing to look after.
    var due: Instant? {
        guard let tidying, let sweep else { return tidying ?? sweep }
        return min(tidying, sweep)
    }

    /// Something was changed.
    mutating func changed(at now: Instant) {
        expect(now + tidyInterval)
        sweep = sweep ?? now + sweepInterval
    }

    /// Something will have to be forgotten or closed then.
    mutating func expect(_ time: Instant) { tidying = min(tidying ?? time, time) }

    /// A turn begins.
    mutating func begin(at now: Instant) -> Duties {
        var duties = Duties()
        duties.sweeps = sweep.map { $0 <= now } ?? false
        if duties.sweeps { sweep = nil }
        if let tidying {
            duties.tidies = tidying <= now
        } else {
            // Nothing changes, but messages grow older, which the disk has to know.
            duties.tidies = duties.sweeps && now.isAfter(lastTidied, by: tidyInterval)
        }
        if duties.tidies { (tidying, lastTidied) = (nil, now) }
        return duties
    }

    /// A turn is over.
    mutating func end(_ rest: Rest, at now: Instant) {
        // What has changed meanwhile may not have been seen.
        let isKeeping = rest.isKeeping || tidying != nil
        sweep = isKeeping ? sweep ?? now + sweepInterval : nil
        if let next = rest.next { expect(next) }
    }
}
