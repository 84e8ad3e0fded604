import MediaRules

/// The transports of one call: the one that carries what is sent, the one that is to take over and the one that did before.
struct Transports {
    /// The one that carries.
    private(set) var current: Transport
    /// One that is to take over.
    private(set) var next: Transport?
    /// The one before, while the peer may still send on it.
    private(set) var former: Transport?
    /// The highest number so far.
    private var newestNumber = 0
    /// Candidates of those that are gone which were not used, or came too late.
    private var rejectedBefore = 0

    init(_ first: Transport) { current = first }

    /// All there are.
    var all: [Transport] { [current] + [next, former].compactMap { $0 } }

    subscript(number: Int) -> Transport? { all.first { $0.number == number } }

    /// How many candidates of the peer were not used.
    var rejectedCandidates: Int { rejectedBefore + all.map(\.rejectedCandidates).reduce(0, +) }

    /// Whether another one of this number may be made now: each number once, in their order.
    mutating func admit(_ number: Int) throws(MediaError) {
        guard current.isVerified, !current.isPeerOlder, number > newestNumber else { throw .closed }
        newestNumber = number
    }

    /// No other up to this number may be made.
    mutating func giveUp(_ number: Int) { newestNumber = max(newestNumber, number) }

    /// This one is to take over.
    mutating func prepare(_ new: Transport) { next = new }

    /// The next one carries from here on, and the one before is the former one.
    mutating func takeOver() {
        guard let next else { return }
        (former, current, self.next) = (current, next, nil)
    }

    /// Lets go of one that does not carry.
    mutating func remove(_ transport: Transport) {
        guard transport === next || transport === former else { return }
        rejectedBefore += transport.rejectedCandidates
        if transport === next { next = nil } else { former = nil }
    }

    /// Adds candidates to the one of this number. What comes for one that is gone, or was replaced, is counted.
    mutating func add(_ candidates: [MediaCandidate], number: Int) {
        guard let target = self[number], target !== former else {
            rejectedBefore += candidates.count
            return
        }
        target.add(candidates)
    }
}
