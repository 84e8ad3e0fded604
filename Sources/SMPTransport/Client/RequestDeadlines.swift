import BaseKit

/// When the time of requests is over, for one timer that serves them all. A request that was answered stays until its
/// time comes or somebody asks for the next.
struct RequestDeadlines {
    private struct Group {
        let numbers: Range<Int>
        var deadline: Instant
    }

    private var groups: [Group] = []

    /// Requests that were sent together; numbers only grow.
    mutating func add(_ numbers: Range<Int>, at deadline: Instant) {
        groups.append(Group(numbers: numbers, deadline: deadline))
    }

    /// Gives all requests so much longer.
    mutating func postpone(by duration: Duration) {
        for index in groups.indices { groups[index].deadline += duration }
    }

    /// The next deadline of a request that still waits; forgets those that don't.
    mutating func next(where waits: (Int) -> Bool) -> Instant? {
        groups.removeAll { !$0.numbers.contains(where: waits) }
        return groups.map(\.deadline).min()
    }

    /// Takes the requests whose time is over.
    mutating func take(until now: Instant) -> [Int] {
        let over = groups.filter { $0.deadline <= now }
        groups.removeAll { $0.deadline <= now }
        return over.flatMap(\.numbers)
    }
}
