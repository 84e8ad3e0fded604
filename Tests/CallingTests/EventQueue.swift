import BaseKit
import TestSupport

/// What is to happen in a simulated world, in its order: by time, and at the same time as it was scheduled.
struct EventQueue<Happening> {
    /// This moment.
    private(set) var now = at(0)
    private var entries: [(time: Instant, order: Int, happening: Happening)] = []
    private var order = 0

    mutating func schedule(_ happening: Happening, after delay: Duration) {
        entries.append((now + delay, number(), happening))
    }

    /// A number that nothing else has.
    mutating func number() -> Int {
        order += 1
        return order
    }

    /// Goes on to the next; nil when nothing is left.
    mutating func next() -> Happening? {
        guard
            let index = entries.indices.min(by: {
                (entries[$0].time, entries[$0].order) < (entries[$1].time, entries[$1].order)
            })
        else { return nil }
        let next = entries.remove(at: index)
        now = next.time
        return next.happening
    }
}
