import HeapModule

/// A clock of the machine, as moments since it began.
enum DelayedWorkClock: Sendable {
    /// Runs while the machine sleeps (CLOCK_BOOTTIME).
    case continuous
    /// Stands while the machine sleeps (CLOCK_MONOTONIC).
    case suspending
}

/// Work that is due at a moment of a clock, the earliest first; work of one moment in the order in which it was added.
struct DelayedWork<Item> {
    /// What both clocks show at one time.
    struct Moment {
        var continuous: Duration
        var suspending: Duration

        subscript(clock: DelayedWorkClock) -> Duration { clock == .continuous ? continuous : suspending }
    }

    private struct Entry: Comparable {
        let due: Duration
        let number: Int
        let item: Item

        static func < (left: Entry, right: Entry) -> Bool { (left.due, left.number) < (right.due, right.number) }

        static func == (left: Entry, right: Entry) -> Bool { left.number == right.number }
    }

    private var continuous = Heap<Entry>()
    private var suspending = Heap<Entry>()
    private var added = 0

    init() {}

    /// Keeps an item until a clock shows `due`. Whether it is due before everything else of that clock.
    @discardableResult
    mutating func add(_ item: Item, due: Duration, by clock: DelayedWorkClock) -> Bool {
        added += 1
        let entry = Entry(due: due, number: added, item: item)
        switch clock {
        case .continuous:
            continuous.insert(entry)
            return continuous.min == entry
        case .suspending:
            suspending.insert(entry)
            return suspending.min == entry
        }
    }

    /// How long until something is due, at least zero; nil if there is nothing.
    func wait(at now: Moment) -> Duration? {
        let waits = [(continuous.min, DelayedWorkClock.continuous), (suspending.min, .suspending)].compactMap {
            entry, clock in
            entry.map { max(.zero, $0.due - now[clock]) }
        }
        return waits.min()
    }

    /// Gives out the earliest item that is due.
    mutating func takeDue(at now: Moment) -> Item? {
        if let first = continuous.min, first.due <= now.continuous { return continuous.removeMin().item }
        if let first = suspending.min, first.due <= now.suspending { return suspending.removeMin().item }
        return nil
    }
}
