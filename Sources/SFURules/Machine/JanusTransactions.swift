import BaseKit

/// What was asked of the server and is not answered yet.
struct JanusTransactions: Sendable {
    enum Purpose: Sendable, Equatable {
        case serverInfo
        case createSession
        case attachService
        case claim
        case keepAlive
        /// Who is in the room after events may have been lost.
        case compare
        /// The handle for a command that needs one of its own.
        case attach(Int, JanusCommand)
        case command(Int, JanusCommand)
        /// A handle that nobody waits for any more; it is given back when it comes.
        case abandonedAttach
        /// Whatever comes of it.
        case farewell
    }

    struct Entry: Sendable, Equatable {
        var purpose: Purpose
        /// The handle that it was sent on.
        var handle: Int?
        var deadline: Instant
    }

    private(set) var entries: [Int: Entry] = [:]
    private var next = 1

    var count: Int { entries.count }

    var deadline: Instant? { entries.values.lazy.map(\.deadline).min() }

    /// The number of what is to be sent. Numbers are never used again, so that what comes late is nobody's answer.
    mutating func add(_ purpose: Purpose, handle: Int?, deadline: Instant) -> Int {
        defer { next += 1 }
        entries[next] = Entry(purpose: purpose, handle: handle, deadline: deadline)
        return next
    }

    mutating func remove(_ number: Int) -> Entry? { entries.removeValue(forKey: number) }

    /// Those whose time is over, in the order in which they were begun.
    mutating func takeOverdue(_ now: Instant) -> [Entry] {
        let numbers = entries.filter { $0.value.deadline <= now }.keys.sorted()
        return numbers.compactMap { entries.removeValue(forKey: $0) }
    }

    mutating func takeAll() -> [Entry] {
        defer { entries = [:] }
        return entries.keys.sorted().compactMap { entries[$0] }
    }
}
