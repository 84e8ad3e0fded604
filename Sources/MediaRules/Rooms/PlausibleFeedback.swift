/// Tells feedback about packets from what can't be any: a server may claim more packets lost than were ever sent (Janus 1.1.2 once claimed
/// 13,662 at a stroke), which would bring the rate down to nothing.
package struct PlausibleFeedback: Sendable, Equatable {
    /// So many packets may be told of twice: feedback overlaps where one was lost.
    static let slack = 64
    /// The most packets that are waited for: what was sent before them is not told of any more.
    static let most = 4_096

    private var outstanding = 0

    package init() {}

    /// A packet has left.
    package mutating func sent() { outstanding = min(outstanding + 1, Self.most) }

    /// Feedback about so many packets came; whether it may be true.
    package mutating func admits(count: Int) -> Bool {
        guard count <= outstanding + Self.slack else { return false }
        outstanding = max(0, outstanding - count)
        return true
    }
}
