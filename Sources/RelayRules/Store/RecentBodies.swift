import DequeModule
import SMP

/// Which message bodies are in memory, oldest first. What is not on disk yet stays.
package struct RecentBodies: Sendable {
    /// One message whose body is or was in memory.
    struct Entry: Sendable, Equatable {
        let number: Int64
        let queue: EntityID
        let count: Int
        /// In the journal: once changes up to here are written, the body is on disk.
        let position: UInt64
    }

    /// Bytes in memory.
    package private(set) var bytes = 0
    /// Bytes not on disk yet.
    private(set) var unwritten = 0
    /// Entries that may leave memory, and some whose message is gone.
    private var written: Deque<Entry> = []
    private var fresh: Deque<Entry> = []

    /// A message came.
    mutating func add(_ entry: Entry) {
        fresh.append(entry)
        bytes += entry.count
        unwritten += entry.count
    }

    /// A message whose body was in memory is gone.
    mutating func remove(_ count: Int) { bytes -= count }

    /// Changes up to `position` are on disk.
    mutating func wrote(_ position: UInt64) {
        while let entry = fresh.first, entry.position <= position {
            fresh.removeFirst()
            unwritten -= entry.count
            written.append(entry)
        }
    }

    /// The body that leaves memory next while more than `capacity` bytes are in it; the caller says by ``remove(_:)`` whether
    /// it was still there.
    mutating func evict(beyond capacity: Int) -> Entry? { bytes > capacity ? written.popFirst() : nil }

    /// Forgets entries of messages that are gone, should they be the most.
    ///
    /// - Parameter live: about how many messages have their bodies in memory.
    mutating func tidy(live: Int, isThere: (Entry) -> Bool) {
        guard written.count > 2 * live + 4_096 else { return }
        written.removeAll { !isThere($0) }
    }
}

extension QueueStore {
    /// Changes up to `position` are on disk: older bodies leave memory if there are too many.
    mutating func wrote(_ position: UInt64) {
        bodies.wrote(position)
        while let entry = bodies.evict(beyond: limits.cachedBytes) {
            guard let index = index(of: entry) else { continue }
            queues[entry.queue]?.messages[index].dropBody()
            bodies.remove(entry.count)
            bodiesInMemory -= 1
        }
        let queues = queues
        bodies.tidy(live: bodiesInMemory) { entry in Self.index(of: entry, in: queues) != nil }
    }

    private func index(of entry: RecentBodies.Entry) -> Int? { Self.index(of: entry, in: queues) }

    /// Where a message stands whose body is in memory; numbers rise along a queue.
    private static func index(of entry: RecentBodies.Entry, in queues: [EntityID: StoredQueue]) -> Int? {
        guard let messages = queues[entry.queue]?.messages else { return nil }
        var range = messages.startIndex..<messages.endIndex
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            let number = messages[middle].number
            if number == entry.number { return messages[middle].isInMemory ? middle : nil }
            range = number < entry.number ? (middle + 1)..<range.upperBound : range.lowerBound..<middle
        }
        return nil
    }

    /// Takes a message into the books, once it is in its queue.
    mutating func count(_ message: StoredMessage, in queue: EntityID) {
        use.add(message)
        // Without a disk there is no other place for bodies.
        guard journal.isKept, message.isInMemory, message.bodyCount > 0 else { return }
        bodiesInMemory += 1
        bodies.add(
            RecentBodies.Entry(
                number: message.number, queue: queue, count: message.bodyCount, position: journal.position))
    }

    /// Takes a message out of the books that left its queue.
    mutating func uncount(_ message: StoredMessage) {
        use.remove(message)
        guard journal.isKept, message.isInMemory, message.bodyCount > 0 else { return }
        bodiesInMemory -= 1
        bodies.remove(message.bodyCount)
    }
}
