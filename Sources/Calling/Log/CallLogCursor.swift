/// A place in the log, from which older calls that are meant are found page by page.
///
/// It remembers the number of the last call it gave, so that calls which come in or are deleted move nothing: none is given twice,
/// and none is left out that is there all the time.
public struct CallLogCursor: Sendable {
    /// What became of a look.
    public enum Step: Sendable, Hashable {
        /// The numbers of the calls that follow, newest first, as many as were wanted unless there are no more.
        case page([Int64])
        /// Older ones have to be added to the index before that can be said; then look again.
        case needsOlder
    }

    private let filter: CallLogFilter
    private let text: CallLogText?
    /// Those looked for come before this number.
    private var position: Int64
    private var found: [Int64] = []
    /// Whether there is another one after those that were found; nil while it is not known.
    private var hasMore: Bool?
    /// What is known of each party: whether its contact and name are meant.
    private var verdicts: [Bool] = []
    private var generation = 0

    /// At the newest call, or at the newest before a number.
    public init(_ filter: CallLogFilter = CallLogFilter(), text: CallLogText? = nil, before number: Int64 = .max) {
        self.filter = filter
        self.text = text
        position = number
    }

    /// Whether another page has calls in it, or may have; not after a page that was the last.
    public var hasNext: Bool { hasMore ?? true }

    /// The number of the last call that was given; a cursor that begins before it goes on from there.
    public private(set) var last: Int64?

    /// Looks for the next calls.
    public mutating func next(_ limit: Int, in index: CallLogIndex) -> Step {
        guard hasNext, limit > 0 else { return .page([]) }
        judge(index)
        var seen: Int64?
        index.visit(before: position) { entry in
            seen = entry.number
            guard verdicts[Int(entry.party)],
                filter.matches(entry.direction, entry.media, entry.result, entry.startedAt)
            else { return true }
            guard found.count < limit else {
                hasMore = true
                return false
            }
            found.append(entry.number)
            return true
        }
        if hasMore != true {
            guard index.isComplete else {
                // Everything down to here has been looked at. What ends from now on is newer than where this began.
                position = min(position, seen ?? position, index.oldest)
                return .needsOlder
            }
            hasMore = false
        }
        defer {
            found = []
            if hasMore == true { hasMore = nil }
        }
        if let end = found.last { (position, last) = (end, end) }
        return .page(found)
    }

    private mutating func judge(_ index: CallLogIndex) {
        if generation != index.partyGeneration { (verdicts, generation) = ([], index.partyGeneration) }
        for party in index.parties[verdicts.count...] {
            let isMeant = filter.matches(contacts: party.contacts)
            verdicts.append(isMeant && text?.matches(party.contacts, called: party.name) ?? true)
        }
    }
}
