/// The peer's candidates of one transport, from signaling to webrtcbin.
package struct RemoteCandidates: Sendable {
    /// The m-lines' names, in order.
    var mids: [String]
    private let resolvesNames: Bool
    private var filter: CandidateFilter
    private var hidden = HiddenCandidates()
    private var waiting: [MediaCandidate] = []

    /// `resolvesNames`: whether hidden addresses are looked up. For a relay-only call nothing is asked: the question would tell the
    /// own network of the peer. `slots` are the m-lines that we would offer.
    package init(allowsLoopback: Bool, resolvesNames: Bool, slots: [MediaSlot] = MediaSlot.allCases) {
        mids = slots.map { String($0.rawValue) }
        filter = CandidateFilter(allowsLoopback: allowsLoopback)
        self.resolvesNames = resolvesNames
    }

    /// How many were not used.
    var rejected: Int { filter.rejected }

    /// Nothing is sent to a place of our own when the peer names it as its.
    mutating func add(own line: CandidateLine) { filter.add(own: line) }

    /// Keeps some that came before the peer's description. Bounded here too: the filter sees them only later.
    mutating func keep(_ candidates: [MediaCandidate]) {
        waiting += candidates.prefix(max(0, CandidateFilter.maximumCount - waiting.count))
            .filter { $0.candidate.utf8.count <= CandidateLine.maximumLength }
    }

    /// The description has been set: uses those that were kept, and these.
    mutating func begin(with candidates: [MediaCandidate]) -> [TransportMachine.TransportAction] {
        defer { waiting = [] }
        return use(waiting + candidates)
    }

    /// Uses these.
    mutating func use(_ candidates: [MediaCandidate]) -> [TransportMachine.TransportAction] {
        guard resolvesNames else { return contact(candidates) }
        let (plain, questions) = hidden.sort(candidates)
        return (questions.isEmpty ? [] : [.resolve(questions)]) + contact(plain)
    }

    /// A name's address is known: uses what waited for it.
    mutating func resolved(_ name: LocalName, _ address: String) -> [TransportMachine.TransportAction] {
        contact(hidden.answer(name, address))
    }

    private mutating func contact(_ candidates: [MediaCandidate]) -> [TransportMachine.TransportAction] {
        let usable = filter.accept(candidates, mids: mids)
        return usable.isEmpty ? [] : [.contact(usable)]
    }
}
