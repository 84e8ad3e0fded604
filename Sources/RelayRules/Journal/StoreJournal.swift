/// Changes in the order they were made, until somebody takes them to the disk.
///
/// A message that is removed before its arrival was taken leaves no trace: both changes would have gone into one
/// transaction, after which the disk would hold the same without them.
package struct StoreJournal: Sendable {
    /// Whether changes are wanted at all; a relay without disk keeps none.
    var isKept = false
    /// Counts the changes ever made: state up to here is on disk once all changes up to here are written.
    package private(set) var position: UInt64 = 0
    /// Nil where a later change undid one.
    private var changes: [StoreChange?] = []
    /// Where messages not yet taken stand in `changes`, by their numbers.
    private var arrivals: [Int64: Int] = [:]

    mutating func append(_ change: @autoclosure () -> StoreChange) {
        guard isKept else { return }
        position += 1
        let change = change()
        switch change {
        case .addMessage(_, let message): arrivals[message.number] = changes.count
        case .removeMessage(let number):
            if let index = arrivals.removeValue(forKey: number) {
                changes[index] = nil
                return
            }
        case .saveQueue, .saveLink, .removeQueue, .saveAge, .blockAddress: break
        }
        changes.append(change)
    }

    /// Hands over all changes that still count.
    mutating func take() -> [StoreChange] {
        defer {
            changes = []
            arrivals.removeAll(keepingCapacity: true)
        }
        return changes.compactMap { $0 }
    }
}
