/// Lets through the remote candidates that may be contacted, and bounds their number.
///
/// Names are dropped, never resolved: a DNS query would tell the resolver of whoever sent the candidate about the call.
struct CandidateFilter: Sendable {
    /// Most candidates used of one peer in one call.
    static let maximumCount = 100

    private let allowsLoopback: Bool
    private let isRelayOnly: Bool
    private var seen: Set<CandidateLine.Endpoint> = []
    /// Where we can be reached ourselves: checks sent there would come back.
    private var own: Set<CandidateLine.Endpoint> = []
    /// How many were not let through.
    private(set) var rejected = 0

    /// `allowsLoopback`: whether the peer may live on this machine.
    init(allowsLoopback: Bool, isRelayOnly: Bool = false) {
        self.allowsLoopback = allowsLoopback
        self.isRelayOnly = isRelayOnly
    }

    /// Takes a candidate of our own: nothing is sent there when the peer names it as its.
    mutating func add(own line: CandidateLine) {
        if own.count < Self.maximumCount { own.insert(line.endpoint) }
    }

    /// The candidates to use, written anew, in their order, each address and port once, whatever else they say. `mids` are the
    /// m-lines of the call.
    mutating func accept(_ candidates: [MediaCandidate], mids: [String]) -> [MediaCandidate] {
        var accepted: [MediaCandidate] = []
        for candidate in candidates {
            guard seen.count < Self.maximumCount else {
                rejected += candidates.count - accepted.count
                return accepted
            }
            if let usable = check(candidate, mids: mids), !own.contains(usable.endpoint),
                seen.insert(usable.endpoint).inserted
            {
                accepted.append(usable.candidate)
            } else {
                rejected += 1
            }
        }
        return accepted
    }

    private func check(
        _ candidate: MediaCandidate, mids: [String]
    ) -> (candidate: MediaCandidate, endpoint: CandidateLine.Endpoint)? {
        guard let line = try? CandidateLine(parsing: candidate.candidate), line.transport == .udp,
            line.component == 1, allowsLoopback || !line.isLoopback
        else { return nil }
        // The mid decides where there is one (RFC 8839 §5.1 via JSEP §3.5.2.1); everything is bundled anyway.
        let index = candidate.mid.flatMap { mids.firstIndex(of: $0) } ?? candidate.mLineIndex
        guard mids.indices.contains(index) else { return nil }
        return (MediaCandidate(candidate: line.text, mid: mids[index], mLineIndex: index), line.endpoint)
    }
}
