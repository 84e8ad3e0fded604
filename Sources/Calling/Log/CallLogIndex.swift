import Signaling

/// What is looked through of all calls that are kept, 24 bytes for each; newest first, in the order of their numbers, which is that in
/// which they ended.
///
/// It is filled from its newest end (``add(older:isLast:)``) while calls end (``append(_:_:)``) and are deleted.
public struct CallLogIndex: Sendable {
    struct Entry: Sendable {
        let number: Int64
        let startedAt: Int64
        /// The index in ``CallLogIndex/parties``.
        let party: UInt32
        let result: CallResult
        let isOutgoing: Bool
        let hasPicture: Bool
    }

    /// A contact, or several together, under one of the names they have had.
    struct Party: Sendable, Hashable {
        let contacts: [ContactID]
        let name: String
    }

    /// Newest first.
    private var older: [Entry] = []
    /// Oldest first; all are newer than those in `older`.
    private var newer: [Entry] = []
    private(set) var parties: [Party] = []
    /// How often the parties have begun anew.
    private(set) var partyGeneration = 0
    private var partyNumbers: [Party: UInt32] = [:]
    /// What was deleted while older ones were on their way.
    private var deleted: Set<Int64> = []
    private var deletedUpTo = Int64.min

    /// Whether all there are have been added.
    public private(set) var isComplete = false
    /// The number of the oldest that was looked at; those before it are to be added next.
    public private(set) var oldest = Int64.max

    /// Nothing known yet.
    public init() {}

    /// How many calls it holds.
    public var count: Int { older.count + newer.count }

    /// Adds calls that are older than all there are, newest first; without a key, those that can't be read. `isLast` says that there
    /// are none before them.
    public mutating func add(older keys: [(number: Int64, key: CallRecordKey?)], isLast: Bool) {
        for (number, key) in keys where number < oldest {
            oldest = number
            // What ended while this was read is there already.
            if let first = newer.first, number >= first.number { continue }
            guard let key, number > deletedUpTo, !deleted.contains(number) else { continue }
            older.append(entry(number, key))
        }
        guard isLast else { return }
        isComplete = true
        deleted = []
    }

    /// A call has ended. - Returns: Whether it is still there: all may have been deleted meanwhile.
    @discardableResult public mutating func append(_ number: Int64, _ key: CallRecordKey) -> Bool {
        guard number > deletedUpTo else { return false }
        if number > newer.last?.number ?? older.first?.number ?? .min { newer.append(entry(number, key)) }
        return true
    }

    /// Calls were deleted.
    public mutating func remove(_ numbers: Set<Int64>) {
        older.removeAll { numbers.contains($0.number) }
        newer.removeAll { numbers.contains($0.number) }
        if !isComplete { deleted.formUnion(numbers) }
        forgetNames()
    }

    /// All calls up to a number were deleted.
    public mutating func remove(upTo number: Int64) {
        older.removeAll { $0.number <= number }
        newer.removeAll { $0.number <= number }
        deletedUpTo = max(deletedUpTo, number)
        forgetNames()
    }

    /// The numbers of all calls that began before this time, of those there are.
    public func numbers(before time: Int64) -> [Int64] {
        (older.filter { $0.startedAt < time } + newer.filter { $0.startedAt < time }).map(\.number)
    }

    /// Who the calls are with, under each name they had.
    public var contacts: [(contact: ContactID, name: String)] {
        parties.compactMap { party in party.contacts.first.map { ($0, party.name) } }
    }

    /// Calls `body` with each call before a number, newest first, until it returns false.
    func visit(before number: Int64, _ body: (Entry) -> Bool) {
        for entry in newer.reversed() where entry.number < number {
            guard body(entry) else { return }
        }
        // The first that is older, by halving: they are sorted.
        var (low, high) = (0, older.count)
        while low < high {
            let middle = (low + high) / 2
            if older[middle].number < number { high = middle } else { low = middle + 1 }
        }
        for entry in older[low...] {
            guard body(entry) else { return }
        }
    }

    private mutating func entry(_ number: Int64, _ key: CallRecordKey) -> Entry {
        let party = Party(contacts: key.contacts, name: key.name)
        let index =
            partyNumbers[party]
            ?? {
                parties.append(party)
                let index = UInt32(parties.count - 1)
                partyNumbers[party] = index
                return index
            }()
        return Entry(
            number: number, startedAt: key.startedAt, party: index, result: key.result,
            isOutgoing: key.direction == .outgoing, hasPicture: key.media == .video)
    }

    /// Names stay only as long as there are calls.
    private mutating func forgetNames() {
        guard older.isEmpty, newer.isEmpty else { return }
        (parties, partyNumbers) = ([], [:])
        partyGeneration += 1
    }
}

extension CallLogIndex.Entry {
    var direction: CallDirection { isOutgoing ? .outgoing : .incoming }
    var media: CallMedia { hasPicture ? .video : .audio }
}
