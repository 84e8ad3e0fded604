/// How many RTP sources (SSRCs) a peer may have.
///
/// Each new one costs a thread and a jitter buffer in the RTP session, or an entry in a table that nothing clears.
package struct SourceBudget: Sendable, Equatable {
    /// Of a peer that proved to be the one we talk to. A call has four m-lines, each with retransmissions: eight.
    package static let authenticated = 32
    /// Of packets that may come from anybody: more, so that nobody can use up what the peer needs.
    package static let unauthenticated = 1_024

    private let limit: Int
    private var known: Set<UInt32> = []

    package init(limit: Int) { self.limit = limit }

    /// Whether packets of this source are taken.
    package mutating func admits(_ source: UInt32) -> Bool {
        if known.contains(source) { return true }
        guard known.count < limit else { return false }
        known.insert(source)
        return true
    }
}

/// Bounds the parts of one frame: the depayloader collects them until a packet says that it is the last.
package struct AssemblyBudget: Sendable, Equatable {
    /// Most bytes of one frame.
    static let frameSize = 4 << 20

    private var collected = 0

    package init() {}

    /// Whether a packet may be added. After a refusal the depayloader sees a gap and begins anew.
    package mutating func admits(size: Int, isLast: Bool) -> Bool {
        collected += size
        if collected > Self.frameSize {
            collected = 0
            return false
        }
        if isLast { collected = 0 }
        return true
    }
}
